import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { packForNpm } from '../../.ci/release/pack.mjs'
import { itAtNight } from '../at-night.ts'
import { root, temporaryFolder } from './program.ts'
import { serve } from './server.ts'
import { unpackedProgram } from './unpacked-program.ts'

itAtNight(
  'is not made by a plain npm pack, which would have no types, nor published without being made',
  () => {
    const to = temporaryFolder()
    const args = ['pack', '--pack-destination', to, '--cache', join(to, 'cache')]
    // The machine may tell npm to run no scripts.
    const env = { ...process.env, npm_config_ignore_scripts: 'false' }
    const { status, stderr } = spawnSync('npm', args, { cwd: root, env, encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stderr).toContain('npm run build:package')
    expect(readdirSync(to).filter(file => file.endsWith('.tgz'))).toEqual([])
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toHaveProperty(
      'private',
      true,
    )
  },
)

itAtNight(
  'has the types for authors of plugins, all that its documents link to or show, and runs',
  async () => {
    const to = temporaryFolder()
    const program = await unpackedProgram(packForNpm(to, ['--cache', join(to, 'cache')]))
    const folder = join(dirname(program), '..')
    // The scripts run what is not in the package.
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'linnet', bin: { linnet: 'dist/main.js' } })
    for (const own of ['private', 'scripts', 'devDependencies'])
      expect(manifest).not.toHaveProperty(own)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      file => !file.startsWith('node_modules'),
    )
    for (const name of ['client', 'plugin', 'harness', 'conformance']) {
      expect(files).toContain(`dist/${name}.js`)
      expect(files).toContain(`dist/${name}.d.ts`)
    }
    expect(files).toContain('dist/dashboard/index.html')
    expect(files.filter(file => /\.map$|^dist\/inside|^(test|core)\//.test(file))).toEqual([])

    const links = files.filter(file => file.endsWith('.md')).flatMap(file => linksIn(folder, file))
    expect(links.length).toBeGreaterThan(200)
    expect(links.filter(({ target }) => !existsSync(target))).toEqual([])

    const server = await serve({ program })
    expect((await server.get('/health/live')).status).toBe(200)
    const args = ['--input-type=module', '--eval', testOfAuthor]
    expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe(
      '201 true\n',
    )
  },
)

/** What a document links to or shows of its own package. */
function linksIn(folder: string, document: string) {
  const link = /\]\((?!https?:|mailto:)([^)#\s]+)|(?:src|srcset)="(?!https?:)([^"]+)/g
  const text = readFileSync(join(folder, document), 'utf8')
  return [...text.matchAll(link)].map(([, path, picture]) => ({
    document,
    target: join(folder, dirname(document), `${path ?? picture}`),
  }))
}

const testOfAuthor = `
  import { boot } from 'linnet/harness'
  import { conformance } from 'linnet/conformance'
  import { definePlugin } from 'linnet/plugin'
  const plugin = definePlugin({ feature: 'test.empty', about: 'Does nothing.' })
  const linnet = await boot(plugin)
  const { status } = await linnet.api('POST', '/links', { originalUrl: 'https://example.com/' })
  console.log(status, conformance(plugin).length > 0)
  await linnet.stop()`
