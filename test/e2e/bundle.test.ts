import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { usualPlugins as plugins, registry } from '../inside.ts'
import { expectVisits } from './counted.ts'
import { builtProgram, linnet, programFolder, root, temporaryFolder } from './program.ts'
import { pack } from './registry.ts'
import { createLink, serve, serverEnv } from './server.ts'
import { unpackedProgram } from './unpacked-program.ts'

const features = Object.keys(registry)

/** The plugins that stay on: enough to create a link by token and to count a visit in the thread. */
const needed = ['developer.apiKeys', 'analytics.visitsTracking']
/** Some of these are off by default, so nobody misses them. */
const others = plugins.filter(feature => !needed.includes(feature))

describe('a plugin in the built program', () => {
  it.each(features)('%s is a chunk of its own, and nowhere else', async feature => {
    const plugin = (await registry[feature as keyof typeof registry]()).default
    expect(chunksWith(plugin.about)).toEqual([chunkOf(feature)])
  })

  it('is not read when it is off, by the server or by its thread', async () => {
    const program = copyWithout(others)
    const server = await serve({ program, env: { PLUGINS: needed.join() } })
    const { id, shortCode } = await createLink(server)
    expect((await server.get(`/${shortCode}`)).status).toBe(302)
    await expectVisits(server, id, 1)
  })

  itAtNight('is missed when it is on', async () => {
    const { code, stderr } = await linnet(['serve'], {
      program: copyWithout(others),
      env: serverEnv(temporaryFolder()),
    })
    expect(code).toBe(1)
    for (const feature of others) expect(stderr).toContain(`${feature} cannot be loaded:`)
    for (const feature of needed) expect(stderr).not.toContain(`${feature} cannot be loaded:`)
  })
})

it('says what to type when a package is missing that is not in the bundle', async () => {
  const folder = temporaryFolder()
  cpSync(dirname(builtProgram), join(folder, 'dist'), { recursive: true })
  const { code, stderr } = await linnet(['--version'], { program: join(folder, 'dist/main.js') })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^A part of Linnet is not installed: Cannot find package .+ Run npm ci in \S+$/m,
  )
  expect(stderr).not.toMatch(/\n\s+at /)
})

itAtNight('says what a machine must have when SQLite cannot be loaded', async () => {
  const program = await unpackedProgram()
  const folder = temporaryFolder()
  const sqlite = join(dirname(program), '../node_modules/better-sqlite3')
  rmSync(sqlite)
  const filter = (path: string) => !path.endsWith('.node')
  cpSync(join(root, 'node_modules/better-sqlite3'), sqlite, { recursive: true, filter })
  const run = { program, env: serverEnv(join(folder, 'data')) }
  for (const command of ['serve', 'doctor']) {
    const { code, stdout, stderr } = await linnet([command], run)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^SQLite cannot be loaded: .+ glibc 2\.34 or newer .+ image\.\n$/)
  }
  expect(existsSync(join(folder, 'data'))).toBe(false)
})

it('tells how the server is, and reads nothing of the program for that', async () => {
  const { url } = await serve()
  const folder = temporaryFolder()
  cpSync(dirname(builtProgram), join(folder, 'dist'), { recursive: true })
  const run = { program: join(folder, 'dist/main.js'), env: { PORT: new URL(url).port } }
  const asked = await linnet(['health'], run)
  expect(asked).toMatchObject({ code: 0, stderr: '' })
  // An address with colons is no host by itself.
  const mapped = { ...run.env, LINNET_HOST: '::ffff:127.0.0.1' }
  expect(await linnet(['health'], { ...run, env: mapped })).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(asked.stdout)).toMatchObject({ checks: { storage: { status: 'ok' } } })
  expect(await linnet(['health'], { ...run, env: { LINNET_PORT: '1' } })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No server responds on port 1: .*ECONNREFUSED.*\n$/),
  })
})

itAtNight('reads no part of Node that only fetches, until something is fetched', async () => {
  const tell = "process.on('exit',()=>process.stderr.write(process.moduleLoadList.join()))"
  const server = await serve({ env: { NODE_OPTIONS: `--import=data:text/javascript,${tell}` } })
  await server.kill('SIGTERM')
  const read = await server.stderr
  expect(read).toContain('NativeModule http,')
  for (const part of ['tls', 'http2', 'internal/deps/undici/undici']) {
    expect(read).not.toContain(`NativeModule ${part},`)
  }
})

itAtNight(
  'comes with the licences of all that is bundled, and is packed without source maps',
  () => {
    const notices = readFileSync(join(dirname(builtProgram), 'THIRD-PARTY-NOTICES.md'), 'utf8')
    const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
    const [, rows = ''] = /## Bundled in the program\n(.*?)\n## /s.exec(page) ?? []
    const bundled = [...rows.matchAll(/^\| `(.+?)`/gm)].map(([, name]) => name)
    expect(bundled.filter(name => !notices.includes(`\n## ${name} `))).toEqual([])
    const packed = execFileSync('tar', ['-tzf', pack(root)], { encoding: 'utf8' }).split('\n')
    for (const file of ['main.js', 'THIRD-PARTY-NOTICES.md', 'dashboard/THIRD-PARTY-NOTICES.md']) {
      expect(packed).toContain(`package/dist/${file}`)
    }
    expect(packed.filter(file => file.endsWith('.map'))).toEqual([])
  },
)

function chunksWith(text: string): string[] {
  const chunks = readdirSync(dirname(builtProgram)).filter(name => name.endsWith('.js'))
  return chunks.filter(name =>
    readFileSync(join(dirname(builtProgram), name), 'utf8').includes(text),
  )
}

/** A chunk is named after its plugin's file and its content, such as `custom-short-code-EIEK35ZH.js`. */
function chunkOf(feature: string): string | undefined {
  const name = feature.replace(/^.*\./, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const chunk = new RegExp(`^${name}-[A-Z0-9]+\\.js$`)
  return readdirSync(dirname(builtProgram)).find(file => chunk.test(file))
}

/** A copy of the program without the chunks of some plugins: reading one fails. */
function copyWithout(absent: readonly string[]): string {
  const folder = programFolder()
  cpSync(dirname(builtProgram), join(folder, 'dist'), { recursive: true })
  for (const feature of absent) rmSync(join(folder, 'dist', `${chunkOf(feature)}`))
  return join(folder, 'dist', basename(builtProgram))
}
