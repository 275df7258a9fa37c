import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { linnet, start, temporaryFolder } from './program.ts'
import { type LogLine, serverEnv } from './server.ts'

const fixture = join(import.meta.dirname, 'fixtures/hours')

it('runs a plugin that is worked on, anew at each change, and leaves nothing behind', async () => {
  const folder = copyOfFixture()
  const dev = startDev(folder)
  const { url, dataDir } = await dev.logged(/^Linnet is ready/)
  await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })

  edit(folder, it => it.replace('always or never', 'now and then'))
  expect(await dev.logged(/^Linnet is ready/)).toMatchObject({ url, dataDir })
  await expect.poll(() => dev.hours(url)).toEqual({ data: 'now and then' })

  edit(folder, it => it.replace("({ data: 'now and then' })", "{ throw new Error('boom') }"))
  await expect.poll(() => dev.hours(url)).toMatchObject({ status: 500 })
  const { error } = (await dev.logged(/GET \/hours failed: boom/)) as { error?: { stack: string } }
  expect(error?.stack).toContain(join(folder, 'index.js'))

  edit(folder, () => 'export default definitely not')
  await dev.logged(/^linnet-plugin-hours is left out: reading it fails/)
  edit(folder, () => readFileSync(join(fixture, 'index.js'), 'utf8'))
  await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })

  dev.child.kill('SIGTERM')
  expect(await dev.exit).toEqual({ code: 0, signal: null })
  expect(existsSync(`${dataDir}`)).toBe(false)
  expect(await dev.hours(url)).toBeUndefined()
})

it('takes a single file too', async () => {
  const file = join(copyOfFixture(), 'index.js')
  const dev = startDev(file)
  const { url } = await dev.logged(/^Linnet is ready/)
  await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })
})

it('runs the script "watch" of the package, takes what that compiles, and ends it', async () => {
  const folder = copyOfFixture()
  renameSync(join(folder, 'index.js'), join(folder, 'source.js'))
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const watch = 'echo $$ > pid && cp source.js index.js && sleep 600'
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts: { watch } }))
  const dev = startDev(folder)
  const { url } = await dev.logged(/^Linnet is ready/)
  await expect.poll(() => dev.hours(url)).toEqual({ data: 'always or never' })
  dev.child.kill('SIGINT')
  expect(await dev.exit).toEqual({ code: 0, signal: null })
  const compiler = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await expect.poll(() => isRunning(compiler)).toBe(false)
})

it.each([
  ['nowhere', 'There is no plugin nowhere: give its folder or its file.\n'],
  ['.', '. is no plugin: it has no package.json with a name and "linnet": { "plugin"'],
])('says what is wrong with %s', async (plugin, why) => {
  const { code, stdout, stderr } = await linnet(['dev', plugin], { cwd: temporaryFolder() })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(why)
  expect(stderr).not.toMatch(/\n\s+at /)
})

/** `linnet dev`, and its log line by line: what was read once does not come again. */
function startDev(plugin: string) {
  const { child, exit } = start(['dev', plugin], { env: serverEnv('') })
  const lines: LogLine[] = []
  const reader = createInterface(child.stdout).on('line', line => lines.push(JSON.parse(line)))
  const told = once(createInterface(child.stderr), 'line')
  return {
    child,
    exit,
    async logged(message: RegExp): Promise<LogLine> {
      for (;;) {
        const line = lines.shift()
        if (line && message.test(line.message)) return line
        if (!line) await once(reader, 'line')
      }
    },
    /** What the plugin answers; undefined while nobody does. */
    async hours(url: unknown): Promise<unknown> {
      const [, token = ''] = /token (\S+)/.exec(`${await told}`) ?? []
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${url}/api/v1/hours`, { headers }).catch(() => undefined)
      return answer?.json()
    },
  }
}

function copyOfFixture(): string {
  const folder = temporaryFolder()
  cpSync(fixture, folder, { recursive: true })
  return folder
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function edit(folder: string, change: (content: string) => string): void {
  const file = join(folder, 'index.js')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
