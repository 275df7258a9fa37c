import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, start, temporaryFolder } from './program.ts'
import { type LogLine, serverEnv } from './server.ts'

const fixture = join(import.meta.dirname, 'fixtures/hours')

itAtNight(
  'has each change of a plugin run at once in the same server, and leaves nothing behind',
  async () => {
    const folder = copyOfFixture()
    const dev = startDev(folder)
    const { url, dataDir } = await dev.logged(/^Linnet is ready/)
    await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })

    edit(folder, it => it.replace('always or never', 'now and then'))
    await dev.logged(/^Started: acme\.hours$/)
    expect(await dev.hours(url)).toEqual({ data: 'now and then' })

    writeFileSync(join(folder, 'said.js'), "export const said = 'by a neighbour'")
    edit(folder, it => `import { said } from './said.js'\n${it.replace("'now and then'", 'said')}`)
    await expect.poll(() => dev.hours(url)).toEqual({ data: 'by a neighbour' })
    writeFileSync(join(folder, 'said.js'), "export const said = 'by it again'")
    await expect.poll(() => dev.hours(url)).toEqual({ data: 'by it again' })

    edit(folder, it => it.replace('({ data: said })', "{ throw new Error('boom') }"))
    await expect.poll(() => dev.hours(url)).toMatchObject({ status: 500 })
    const { error } = (await dev.logged(/GET \/hours failed: boom/)) as {
      error?: { stack: string }
    }
    expect(error?.stack).toContain(join(folder, 'index.js'))

    edit(folder, () => "\nthrow new Error('not today')")
    const unread =
      /^acme\.hours runs as before its last change: loading it fails: not today \(index\.js:2\)$/
    expect(await dev.logged(unread)).toMatchObject({
      error: {
        message: 'loading it fails: not today (index.js:2)',
        stack: expect.stringMatching(/^Error: not today\n\s+at \S+\/index\.js:2:7\n/),
      },
    })
    edit(folder, () => 'const it = 1\nexport default {\n  about: = it,\n}\n')
    await dev.logged(
      /runs as before its last change: loading it fails: Unexpected token '=' \(index\.js:3\)$/,
    )
    const { data } = await dev.api(url, '/admin/plugins')
    expect(data).toContainEqual(
      expect.objectContaining({
        feature: 'acme.hours',
        stack: expect.stringMatching(/^\S+\/index\.js:3\n.*\n {2}about: = it,\n/),
      }),
    )
    edit(
      folder,
      () =>
        "const base = {}\nexport default {\n  ...base,\n  feature: 'acme.hours',\n  about: 'A plugin.',\n  api: 1,\n  setup() {\n    throw new Error('no set-up')\n  },\n}\n",
    )
    await dev.logged(/runs as before its last change: its set-up failed: no set-up$/)
    expect((await dev.api(url, '/admin/plugins')).data).toContainEqual(
      expect.objectContaining({
        feature: 'acme.hours',
        stack: expect.stringMatching(/^Error: no set-up\n\s+at .*\/index\.js:8:11\)?\n/),
      }),
    )
    edit(folder, () => readFileSync(join(fixture, 'index.js'), 'utf8'))
    await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })

    dev.child.kill('SIGTERM')
    expect(await dev.exit).toEqual({ code: 0, signal: null })
    expect(existsSync(`${dataDir}`)).toBe(false)
    expect(await dev.hours(url)).toBeUndefined()
  },
)

itAtNight('takes a single file too, and passes on what a plugin writes by itself', async () => {
  const folder = copyOfFixture()
  edit(folder, it => `console.log('by hand')\nconsole.log(null)\n${it}`)
  const dev = startDev(join(folder, 'index.js'))
  await dev.wrote('by hand')
  await dev.wrote('null')
  const { url } = await dev.logged(/^Linnet is ready/)
  await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })
})

itAtNight(
  'runs the script "watch" of the package, and takes all with it when it is killed',
  async () => {
    const folder = copyOfFixture()
    renameSync(join(folder, 'index.js'), join(folder, 'source.js'))
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const watch = 'echo $$ > pid && cp source.js index.js && sleep 600'
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts: { watch } }))
    const dev = startDev(folder)
    const { url, dataDir } = await dev.logged(/^Linnet is ready/)
    await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })
    dev.child.kill('SIGKILL')
    await dev.exit
    const compiler = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await expect.poll(() => isRunning(compiler)).toBe(false)
    await expect.poll(() => dev.hours(url)).toBeUndefined()
    const longAgo = new Date(0)
    await expect
      .poll(async () => {
        utimesSync(`${dataDir}`, longAgo, longAgo)
        await linnet(['dev', 'nowhere'])
        return existsSync(`${dataDir}`)
      })
      .toBe(false)
  },
)

itAtNight('starts the server anew at a change when it ended, or never comes back', async () => {
  const folder = copyOfFixture()
  edit(folder, it => `process.kill(process.pid, 'SIGKILL')\n${it}`)
  const dev = startDev(folder)
  await dev.told('The server ended with SIGKILL. It starts again when you change the plugin.')
  edit(folder, () => "console.log('round and round')\nfor (;;);")
  await dev.wrote('round and round')
  cpSync(join(fixture, 'index.js'), join(folder, 'index.js'))
  const { url } = await dev.logged(/^Linnet is ready/)
  await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })
})

itAtNight('says that its port is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const dev = startDev(copyOfFixture(), { LINNET_PORT: `${port}` })
  await dev.told(`Port ${port} of 127.0.0.1 is used by another program.`)
  await dev.told('The server ended with 1.')
})

itAtNight(
  'watches a folder that is compiled into when it is made anew, and ends when the plugin is gone',
  async () => {
    const folder = join(temporaryFolder(), 'hours')
    cpSync(fixture, folder, { recursive: true })
    const dist = join(folder, 'dist')
    cpSync(join(fixture, 'index.js'), join(dist, 'index.js'))
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
    writeFileSync(join(folder, 'package.json'), manifest.replace('./index.js', './dist/index.js'))
    const dev = startDev(folder)
    const { dataDir } = await dev.logged(/^Linnet is ready/)
    rmSync(dist, { recursive: true })
    await dev.logged(
      /^acme\.hours runs as before its last change: its file \.\/dist\/index\.js does not exist/,
    )
    cpSync(join(fixture, 'index.js'), join(dist, 'index.js'))
    await dev.logged(/^Started: acme\.hours$/)
    rmSync(folder, { recursive: true })
    await dev.told(`${folder} no longer exists, so there is no plugin to run.`)
    expect(await dev.exit).toEqual({ code: 1, signal: null })
    expect(existsSync(`${dataDir}`)).toBe(false)
  },
)

itAtNight('says that a compiler ended, and runs the server on', async () => {
  const folder = copyOfFixture()
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const scripts = { watch: 'exit 2' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts }))
  const dev = startDev(folder)
  await dev.told('npm run watch ended with 2, so your changes are no longer compiled')
  const { url } = await dev.logged(/^Linnet is ready/)
  await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })
})

itAtNight.each([
  ['nowhere', 'There is no plugin nowhere. Enter its folder or its file.\n'],
  ['.', '. is not a plugin: it has no package.json with a name and "linnet": { "plugin"'],
])('says what is wrong with %s', async (plugin, why) => {
  const { code, stdout, stderr } = await linnet(['dev', plugin], { cwd: temporaryFolder() })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(why)
  expect(stderr).not.toMatch(/\n\s+at /)
})

/** `linnet dev` and its output line by line; each line is read once. */
function startDev(plugin: string, env: Readonly<Record<string, string>> = {}) {
  const { child, exit } = start(['dev', plugin], { env: { ...serverEnv(''), ...env } })
  // Before it is killed, because its server would go on.
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exit
  })
  const wrote = lineReader(child.stdout)
  const told = lineReader(child.stderr)
  const signIn = told(line => line.startsWith('Sign in as'))
  async function api(url: unknown, path: string): Promise<{ readonly data?: unknown }> {
    const [, token = ''] = /token (\S+)/.exec(await signIn) ?? []
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/v1${path}`, { headers })
    return answer.json() as Promise<{ readonly data?: unknown }>
  }
  return {
    child,
    exit,
    wrote: (text: string) => wrote(line => line === text),
    told: (text: string) => told(line => line.includes(text)),
    async logged(message: RegExp): Promise<LogLine> {
      return JSON.parse(await wrote(line => message.test(messageOf(line))))
    },
    api,
    /** The plugin's answer; undefined while no server answers. */
    hours: (url: unknown): Promise<unknown> => api(url, '/hours').catch(() => undefined),
  }
}

/** Returns the next line of a kind. */
function lineReader(stream: Readable) {
  const lines: string[] = []
  const reader = createInterface(stream).on('line', line => lines.push(line))
  return async (isMeant: (line: string) => boolean): Promise<string> => {
    for (;;) {
      const line = lines.shift()
      if (line !== undefined && isMeant(line)) return line
      if (line === undefined) await once(reader, 'line')
    }
  }
}

function messageOf(line: string): string {
  return line.startsWith('{') ? JSON.parse(line).message : ''
}

function copyOfFixture(): string {
  const folder = temporaryFolder()
  cpSync(fixture, folder, { recursive: true })
  return folder
}

/** A process that has ended but is not yet reaped counts as ended. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
  return /^[^Z]/.test(stdout)
}

function edit(folder: string, change: (content: string) => string): void {
  const file = join(folder, 'index.js')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
