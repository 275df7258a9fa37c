import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { linnet, root, setUp, start, temporaryFolder } from './program.ts'
import { admin, createLink, serve, serverEnv } from './server.ts'

/** A plugin whose commands end in every way. */
const shelf = `
  import { command, definePlugin, isRefusal, number, optional, refuse, list, text } from 'linnet/plugin'
  export default definePlugin({
    feature: 'acme.shelf',
    about: 'Have commands.',
    unstable: {
      commands: {
        'move-link': command({
          summary: 'Lead a link elsewhere.',
          arguments: { id: text({ label: 'Its id' }), to: text({ label: 'Where to' }) },
          async run({ arguments: { id, to }, print }, { links }) {
            const { accountId } = await links.find(id)
            const changed = await links.update(accountId, id, { originalUrl: to })
            if (isRefusal(changed)) return changed
            await print('moved')
          },
        }),
        'remove-link': command({
          summary: 'Remove a link.',
          arguments: { id: text({ label: 'Its id' }) },
          async run({ arguments: { id } }, { links }) {
            const { accountId } = await links.find(id)
            await links.remove(accountId, id)
          },
        }),
        'say': command({
          summary: 'Say what was given.',
          arguments: { words: list({ label: 'Words' }) },
          options: {
            many: number({ label: 'How often', default: 1, max: 3 }),
            toWhom: optional(text({ label: 'To whom' })),
          },
          run: ({ arguments: { words }, options, print }) =>
            print(JSON.stringify([words, options]) + String.fromCharCode(27)),
        }),
        'wait': command({
          summary: 'Wait for the end.',
          async run({ print }, { signal }) {
            const timer = setInterval(() => undefined, 1_000)
            const aborted = new Promise(resolve => signal.addEventListener('abort', resolve))
            await print('waiting')
            await aborted
            clearInterval(timer)
            await print('ended well')
          },
        }),
        'throw': command({ summary: 'Throw an error.', run() { throw new Error('boom') } }),
        'throw-null': command({ summary: 'Throw null.', run() { throw null } }),
        'garbage': command({ summary: 'Return nonsense.', run: () => -7 }),
        'refuse': command({ summary: 'Refuse it.', run: () => refuse('no', 'Not today.' + String.fromCharCode(27), 409) }),
        'hang': command({ summary: 'Wait for nothing.', run: () => new Promise(() => undefined) }),
      },
    },
  })`

/** A data folder with plugins: this one, the importer of the examples, and one that cannot be read. */
function folderWithPlugins() {
  const dataDir = temporaryFolder()
  const folder = join(dataDir, 'plugins')
  mkdirSync(folder)
  writeFileSync(join(folder, 'shelf.js'), shelf)
  writeFileSync(join(folder, 'broken.js'), 'throw new Error("broken")')
  cpSync(join(root, 'examples/importer.ts'), join(folder, 'importer.ts'))
  const env = serverEnv(dataDir)
  const run = (...words: string[]) => linnet(['run', ...words], { env })
  return { dataDir, env, run }
}

describe('commands of plugins', () => {
  it('change links while the server runs, which follows the change, and end in good order after SIGINT', async () => {
    const { dataDir, env, run } = folderWithPlugins()
    const server = await serve({ dataDir })
    const { id, shortCode } = await createLink(server)
    const location = async () => (await server.get(`/${shortCode}`)).headers.get('location')
    // It is in the cache now, and on a kept connection in the fast lane.
    for (let time = 0; time < 3; time += 1) expect(await location()).toBe('https://example.com/')
    const moved = await run('move-link', id, 'https://example.org/')
    expect(moved).toEqual({ code: 0, stdout: 'moved\n', stderr: '' })
    await expect.poll(location).toBe('https://example.org/')
    expect(await run('remove-link', id)).toEqual({ code: 0, stdout: '', stderr: '' })
    await expect.poll(async () => (await server.get(`/${shortCode}`)).status).toBe(404)
    const refused = await run('move-link', (await createLink(server)).id, 'ftp://example.org/')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/must begin with http/)
    expect(await endedBy('SIGINT', env)).toEqual({ code: 130, stdout: 'waiting\nended well\n' })
    expect((await server.api('GET', '/admin/plugins')).status).toBe(200)
  })

  itAtNight('bring visits that the running server adds up', async () => {
    const { dataDir, run } = folderWithPlugins()
    const server = await serve({ dataDir })
    const file = join(temporaryFolder(), 'links.jsonl')
    const days = [{ day: '2024-05-03', visits: 12 }]
    writeFileSync(file, JSON.stringify({ url: 'https://e.org/', code: 'a', visits: 100, days }))
    // Everything is added up by now, and the server has no reason of its own to look.
    const analytics = async () => (await server.api('GET', '/analytics?interval=all')).body.data
    expect(await analytics()).toMatchObject({ undated: 0, totals: { visits: 0 } })
    expect((await run('import-lines', file, '--account', admin.email)).code).toBe(0)
    await expect.poll(analytics).toMatchObject({ undated: 88, totals: { visits: 12 } })
  })

  itAtNight('import a file, and report on each line that is wrong', async () => {
    const { dataDir, run } = folderWithPlugins()
    const server = await serve({ dataDir })
    const file = join(temporaryFolder(), 'links.jsonl')
    const lines = Array.from({ length: 250 }, (_, index) => ({
      url: `https://example.com/${index}`,
      code: `c${index}`,
      created: '2019-05-01T10:00:00Z',
    }))
    writeFileSync(
      file,
      [...lines, { url: 'ftp://example.com/' }].map(it => JSON.stringify(it)).join('\n'),
    )
    const account = ['--account', admin.email]
    const checked = await run('import-lines', file, ...account, '--check')
    expect(checked).toEqual({ code: 0, stdout: '251 of 251 links were read.\n', stderr: '' })
    const { code, stdout, stderr } = await run('import-lines', file, ...account)
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'Some lines were not imported.\n' })
    expect(stdout).toMatch(/^Line 251: originalUrl: .+\n250 of 251 links were imported\.\n$/)
    expect((await server.get('/c249')).headers.get('location')).toBe('https://example.com/249')
    const missing = await run('import-lines', join(dataDir, 'none'), ...account)
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ does not exist, or its folder does not\.\n$/),
    })
    const nobody = await run('import-lines', file, '--account', 'ada@example.com')
    expect(nobody.stderr).toContain('There is no account ada@example.com. Did you mean')
    expect(nobody.code).toBe(1)
  })

  itAtNight(
    'are listed by the help, which a plugin that cannot be read does not prevent',
    async () => {
      const { dataDir, env, run } = folderWithPlugins()
      await setUp(dataDir)
      for (const words of [[], ['help'], ['--help']]) {
        const { stdout, stderr } = await linnet(words, { env })
        expect(stdout + stderr).toContain('\n  run import-lines  Import links from a file')
      }
      expect((await run()).stdout).toContain('import-lines [options] <file>')
      const help = await run('import-lines', '--help')
      expect(help).toMatchObject({ code: 0, stderr: '' })
      expect(help.stdout).toContain('It belongs to the plugin custom.importer.')
      expect((await linnet(['help', 'run', 'say'], { env })).stdout).toContain('<words...>')
      const unknown = await run('import-line', '--nonsense')
      expect(unknown).toMatchObject({ code: 1, stdout: '' })
      expect(unknown.stderr).toMatch(
        /^There is no command import-line\. Did you mean import-lines\?/,
      )
      expect(unknown.stderr).toMatch(/^broken\.js does not run: /m)
      const off = await linnet(['run', 'say', 'x'], { env: { ...env, PLUGINS: 'link.pageTitle' } })
      expect(off).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no command say'),
      })
      const none = await linnet(['run'], { env: { ...env, PLUGINS: 'link.pageTitle' } })
      expect(none).toMatchObject({ code: 0, stdout: 'No plugin that is on has a command.\n' })
    },
  )

  itAtNight.each(
    firstOf(1, ['process.exit(0)', 'for (;;);', 'setInterval(() => undefined, 1_000)']),
  )('prevent no help when a plugin does this at its import: %s', async code => {
    const { dataDir, env } = folderWithPlugins()
    await setUp(dataDir)
    writeFileSync(join(dataDir, 'plugins/hanging.js'), code)
    const { code: exit, stdout } = await linnet(['help'], { env })
    expect(exit).toBe(0)
    expect(stdout).toContain('Usage: linnet')
  })

  itAtNight(
    'check what they are given as settings are checked, and end with a code that tells how',
    async () => {
      const { dataDir, run } = folderWithPlugins()
      await setUp(dataDir)
      expect(await run('say', 'a', 'b', '--to-whom', 'ada')).toEqual({
        code: 0,
        stdout: '[["a","b"],{"many":1,"toWhom":"ada"}]\ufffd\n',
        stderr: '',
      })
      const wrong = {
        'say a --many 4': /^--many cannot be used: Must be at most 3\.\n$/,
        'say a --many x': /^--many cannot be used: Must be a number\.\n$/,
        'say a --meny 2': /^error: unknown option '--meny'\n\(Did you mean --many\?\)/,
        say: /^error: missing required argument 'words'/,
        'throw x': /^error: too many arguments/,
        refuse: /^Not today\.\ufffd\n$/,
      }
      for (const [words, said] of Object.entries(wrong)) {
        const { code, stderr } = await run(...words.split(' '))
        expect({ words, code }).toEqual({ words, code: 1 })
        expect(stderr).toMatch(said)
      }
      const bugs = {
        throw: /^The command throw of acme\.shelf failed: Error: boom\n +at /,
        'throw-null': /failed: .*it threw null, which is no error/,
        garbage: /failed: Error: it returned an invalid value/,
        hang: /failed: Error: it waits for something that never comes/,
      }
      for (const [words, said] of Object.entries(bugs)) {
        const { code, stderr } = await run(words)
        expect({ words, code, stderr }).toEqual({
          words,
          code: 70,
          stderr: expect.stringMatching(said),
        })
      }
    },
  )

  itAtNight('end in good order after SIGTERM', async () => {
    const { dataDir, env } = folderWithPlugins()
    await setUp(dataDir)
    expect(await endedBy('SIGTERM', env)).toEqual({ code: 143, stdout: 'waiting\nended well\n' })
  })
})

/** How a command ends that waits for its end. */
async function endedBy(signal: NodeJS.Signals, env: Readonly<Record<string, string>>) {
  const { child, exit } = start(['run', 'wait'], { env })
  child.stdout.once('data', () => {
    // Where memory is short, it ends before a server beside it.
    expect(readFileSync(`/proc/${child.pid}/oom_score_adj`, 'utf8')).toBe('1000\n')
    child.kill(signal)
  })
  const [{ code }, stdout] = await Promise.all([exit, text(child.stdout)])
  return { code, stdout }
}
