import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { firstOf, isNight, itAtNight } from '../at-night.ts'
import { linnet, temporaryFolder } from './program.ts'
import { createLink, type Server, serve, serverEnv } from './server.ts'

const guard = 'link.passwordProtection'

const enable = (server: Server, feature: string, enabled: boolean) =>
  server.api('PATCH', `/admin/plugins/${feature}`, { enabled })

const shown = async (server: Server, feature: string) => {
  const { body } = await server.api('GET', '/admin/plugins')
  return body.data.find((it: { feature: string }) => it.feature === feature)
}

const visitsOf = async (server: Server, { id }: { readonly id: string }) =>
  (await server.api('GET', `/links/${id}/analytics?interval=7d`)).body.data

/** A server with one plugin in its folder, made of these lines. */
async function withPlugin(lines: string) {
  const dataDir = temporaryFolder()
  // Written in one step: a server that looks in the middle would read half of it and report an error.
  const write = (code: string) => {
    writeFileSync(join(dataDir, 'mood.js'), code)
    renameSync(join(dataDir, 'mood.js'), join(dataDir, 'plugins/mood.js'))
  }
  mkdirSync(join(dataDir, 'plugins'))
  write(pluginOf(lines))
  return {
    server: await serve({ dataDir }),
    write: (lines: string, change = (code: string) => code) => write(change(pluginOf(lines))),
  }
}

const mood = 'acme.mood'

const pluginOf = (lines: string) => `
import { isMainThread } from 'node:worker_threads'
import { definePlugin, number, z } from 'linnet/plugin'
export default definePlugin({
  feature: '${mood}',
  about: 'A plugin for a test.',
  settings: { level: number({ label: 'Level', default: 1 }) },
  endpoints: {
    'GET /mood': {
      summary: 'Tell the mood',
      scope: 'links:read',
      answer: z.strictObject({ level: z.int() }),
      handle: (_, { settings }) => ({ level: settings.level }),
    },
  },
  ${lines}
})`

describe('a set-up', () => {
  it.each(
    firstOf(1, [
      ['that throws', "throw new Error('boom')", 'its set-up failed: boom'],
      [
        'that hangs',
        'await new Promise(() => undefined)',
        'its set-up failed: no answer within 10000 ms',
      ],
    ]),
  )('%s is taken back, and named', async (_, fails, why) => {
    const { server } = await withPlugin(
      `async setup({ settings }) { if (settings.level === 9) { ${fails} } },`,
    )
    const change = (level: number) =>
      server.api('PATCH', `/admin/plugins/${mood}`, { settings: { level } })
    expect((await change(2)).status).toBe(200)
    expect(await change(9)).toMatchObject({
      status: 409,
      body: { code: 'set_up_failed', detail: `${mood} is unchanged: ${why}.` },
    })
    expect((await server.api('GET', '/mood')).body).toEqual({ level: 2 })
    expect((await change(3)).status).toBe(200)
    expect((await server.api('GET', '/mood')).body).toEqual({ level: 3 })
  })
})

describe('a version that knows a setting no more', () => {
  /** A server that starts with the second version, whose first had its level set to 9. */
  async function upgraded(change: (code: string) => string) {
    const { server, write } = await withPlugin('')
    await server.api('PATCH', `/admin/plugins/${mood}`, { settings: { level: 9 } })
    process.kill(server.pid)
    await server.exit
    write('', change)
    return serve({ dataDir: server.dataDir })
  }

  it('starts without what is stored for it, and says so', async () => {
    const server = await upgraded(code => code.replace('level: number', 'height: number'))
    expect(await shown(server, mood)).toMatchObject({ enabled: true, problem: null })
    expect(await server.logged(/has no setting/)).toMatchObject({
      level: 'warn',
      message: `${mood} has no setting level: what is stored for it has no effect`,
    })
  })

  it('in another form is left out until it is corrected, and everything else runs', async () => {
    const server = await upgraded(code => code.replace('default: 1', 'default: 1, max: 5'))
    expect(await shown(server, mood)).toMatchObject({
      problem: expect.stringMatching(/^The setting level of acme\.mood is wrong: /),
    })
    await createLink(server)
    const corrected = { settings: { level: 5 } }
    expect((await server.api('PATCH', `/admin/plugins/${mood}`, corrected)).status).toBe(200)
    expect((await server.api('GET', '/mood')).body).toEqual({ level: 5 })
  })
})

itAtNight(
  'a server runs another version of a plugin in both threads, and keeps the one that ran when that fails',
  async () => {
    const version = (number: number, more = '') =>
      `setup({ log }) { log.info('version ${number}') ${more} },
     dimensions: { visitsByMood: { label: 'Moods', of: () => 'mood ${number}' } },`
    const { server, write } = await withPlugin(version(1))
    const link = await createLink(server)
    const counted = async () =>
      Object.fromEntries(
        ((await visitsOf(server, link)).visitsByMood ?? []).map(
          ({ value, visits }: { value: string; visits: number }) => [value, visits],
        ),
      )
    await server.get(`/${link.shortCode}`)
    await expect.poll(counted).toEqual({ 'mood 1': 1 })
    write(version(2))
    await server.logged(/^version 2/)
    await expect
      .poll(async () => {
        await server.get(`/${link.shortCode}`)
        return (await counted())['mood 2']
      })
      .toBeGreaterThan(0)

    write(version(3, '; throw new Error("boom")'))
    expect(await server.logged(/runs as before its last change/)).toMatchObject({
      level: 'error',
      message: `${mood} runs as before its last change: its set-up failed: boom`,
    })
    await server.get(`/${link.shortCode}`)
    expect(await counted()).not.toHaveProperty('mood 3')
    expect(await shown(server, mood)).toMatchObject({
      enabled: true,
      problem: 'its set-up failed: boom',
    })
    expect((await server.get('/health/ready')).body.checks.plugins.note).toContain(
      `${mood} runs as before its last change: its set-up failed: boom.`,
    )
    write('} this is no program')
    await server.logged(/runs as before its last change: loading it fails/)
    expect((await server.api('GET', '/mood')).status).toBe(200)

    write(version(4))
    await server.logged(/^version 4/)
    await expect.poll(async () => (await shown(server, mood)).problem).toBeNull()
  },
)

it('runs a plugin that imports CommonJS files, with names for what is imported by name alone', async () => {
  const files = {
    functions: 'exports.one = 1; exports.größe = 2; exports.default = 3',
    more: 'module.exports = Object.assign(() => 1, { one: 1 })',
    throwing:
      "exports.one = 1; Object.defineProperty(exports, 'two', { enumerable: true, get() { throw 1 } })",
    noNames: "exports.one = 1; exports['\\ud83d'] = 2; exports[7] = 3; exports['a-b'] = 4",
    needing: "exports.refuse = require('linnet/plugin').refuse",
    list: 'module.exports = Array(100_000).fill(0)',
    bytes: 'module.exports = Buffer.alloc(1_000_000)',
    text: "module.exports = 'x'.repeat(1_000_000)",
    dictionary: "for (let at = 0; at < 100_000; at += 1) exports['word' + at] = at",
  }
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'plugins/node_modules/given'), { recursive: true })
  for (const [name, code] of Object.entries(files)) {
    writeFileSync(join(dataDir, `plugins/node_modules/given/${name}.cjs`), code)
  }
  const imports = Object.keys(files).map(it => `import * as ${it} from 'given/${it}.cjs'`)
  writeFileSync(
    join(dataDir, 'plugins/mood.js'),
    `${imports.join('\n')}
import { definePlugin, z } from 'linnet/plugin'
export default definePlugin({
  feature: '${mood}',
  about: 'A plugin for a test.',
  endpoints: {
    'GET /mood': {
      summary: 'Tell the names',
      scope: 'links:read',
      answer: z.record(z.string(), z.string()),
      handle: () => Object.fromEntries(
        Object.entries({ ${Object.keys(files)} }).map(([file, all]) => [file, Object.keys(all).sort().join()])
      ),
    },
  },
})`,
  )
  const server = await serve({ dataDir })
  expect((await server.api('GET', '/mood')).body).toEqual({
    functions: 'default,größe,one',
    more: 'default,one',
    throwing: 'default,one,two',
    noNames: 'default,one',
    needing: 'default,refuse',
    list: 'default',
    bytes: 'default',
    text: 'default',
    dictionary: 'default',
  })
})

itAtNight(
  'runs plugins that import the same CommonJS package, which get its new code with their own',
  async () => {
    const dataDir = temporaryFolder()
    const folder = join(dataDir, 'plugins')
    function replace(name: string, code: string): void {
      writeFileSync(join(dataDir, 'next.js'), code)
      renameSync(join(dataDir, 'next.js'), join(folder, name))
    }
    const pluginOf = (name: string) => `
import { definePlugin, z } from 'linnet/plugin'
import shout from 'shout'
export default definePlugin({
  feature: 'acme.${name}',
  about: 'A plugin for a test.',
  endpoints: {
    'GET /${name}': {
      summary: 'Shout',
      scope: 'links:read',
      answer: z.strictObject({ said: z.string() }),
      handle: () => ({ said: shout('${name}') }),
    },
  },
})`
    mkdirSync(join(folder, 'node_modules/shout'), { recursive: true })
    replace('node_modules/shout/index.js', "module.exports = require('./louder')")
    replace('node_modules/shout/louder.js', "module.exports = it => it + '!'")
    for (const name of ['three', 'one', 'two']) replace(`${name}.js`, pluginOf(name))
    const server = await serve({ dataDir })
    const said = async (name: string) => (await server.api('GET', `/${name}`)).body.said
    expect([await said('one'), await said('two'), await said('three')]).toEqual([
      'one!',
      'two!',
      'three!',
    ])

    replace('node_modules/shout/louder.js', "module.exports = it => it + '!!'")
    replace('two.js', `${pluginOf('two')}\n`)
    await expect.poll(() => said('two')).toBe('two!!')
    expect(await said('one')).toBe('one!')

    await enable(server, 'acme.one', false)
    await enable(server, 'acme.one', true)
    expect([await said('one'), await said('two')]).toEqual(['one!', 'two!!'])
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
  },
)

itAtNight(
  'keeps a version until a restart where an ES module that CommonJS requires changed',
  async () => {
    const dataDir = temporaryFolder()
    const folder = join(dataDir, 'plugins')
    function replace(name: string, code: string): void {
      writeFileSync(join(dataDir, 'next.js'), code)
      renameSync(join(dataDir, 'next.js'), join(folder, name))
    }
    const version = (number: number) => `
import { definePlugin, z } from 'linnet/plugin'
import { word } from './lib/word.cjs'
export default definePlugin({
  feature: '${mood}',
  about: 'A plugin for a test.',
  endpoints: {
    'GET /mood': {
      summary: 'Tell it',
      scope: 'links:read',
      answer: z.strictObject({ said: z.string() }),
      handle: () => ({ said: '${number} ' + word }),
    },
  },
})`
    const said = async (from: Server) => (await from.api('GET', '/mood')).body.said
    mkdirSync(join(folder, 'lib'), { recursive: true })
    replace('lib/deep.mjs', "export const word = 'one'")
    replace('lib/word.mjs', "export * from './deep.mjs'")
    replace('lib/word.cjs', "exports.word = require('./word.mjs').word")
    replace('mood.js', version(1))
    const server = await serve({ dataDir })
    replace('mood.js', version(2))
    await expect.poll(() => said(server)).toBe('2 one')

    replace('lib/deep.mjs', "export const word = 'two'")
    replace('mood.js', version(3))
    await server.logged(
      /runs as before .*lib\/deep\.mjs changed, and CommonJS requires it: restart Linnet/,
    )
    expect(await said(server)).toBe('2 one')
    await server.kill('SIGTERM')
    expect(await said(await serve({ dataDir }))).toBe('3 two')
  },
)

itAtNight('follows what the command line switches beside it', async () => {
  const server = await serve()
  const { shortCode } = await createLink(server, { password: 'sesame' })
  const plugins = (...args: string[]) =>
    linnet(['plugins', ...args], { env: serverEnv(server.dataDir) })
  expect((await plugins('off', guard)).stdout).toBe(
    `${guard} is off. A running server applies this within two seconds and logs it.\n`,
  )
  await server.logged(/^Switched off: link\.passwordProtection$/)
  expect((await server.get(`/${shortCode}`)).status).toBe(503)
  expect(await shown(server, guard)).toMatchObject({ enabled: false, switchedOn: false })
  await plugins('on', guard)
  await server.logged(/^Started: link\.passwordProtection$/)
  expect((await server.get(`/${shortCode}`)).status).toBe(403)
})

itAtNight(
  'says that the settings were broken by hand, and follows them when they are mended',
  async () => {
    const server = await serve()
    const path = join(server.dataDir, 'settings.json')
    const off = JSON.stringify({ plugins: { off: [guard] } })
    writeFileSync(path, off.slice(0, -2))
    const refused = await enable(server, guard, false)
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect(refused.body.detail).toContain('settings.json')
    const { body } = await server.api('PATCH', '/admin/brand', { name: 'Ours' })
    expect(body.detail).toContain('settings.json')
    const health = await server.get('/health/ready')
    expect(JSON.parse(health.text).checks.plugins).toMatchObject({
      status: 'degraded',
      note: expect.stringContaining('settings.json'),
    })
    expect(readFileSync(path, 'utf8')).toBe(off.slice(0, -2))
    writeFileSync(path, off)
    await server.logged(/^Switched off: link\.passwordProtection$/)
    expect((await enable(server, guard, true)).status).toBe(200)
    expect(JSON.parse((await server.get('/health/ready')).text).checks.plugins.status).toBe('ok')
  },
)

itAtNight('a server has what the disk says after a kill in the middle of switching', async () => {
  let server = await serve()
  for (let round = 0; round < (isNight ? 6 : 2); round += 1) {
    const answer = enable(server, guard, round % 2 === 1).catch(() => undefined)
    await delay(round * 4)
    await server.kill('SIGKILL')
    await answer
    const { dataDir } = server
    server = await serve({ dataDir })
    expect((await shown(server, guard)).enabled).toBe(!isOff(dataDir))
    expect((await enable(server, guard, true)).status).toBe(200)
  }
})

function isOff(dataDir: string): boolean {
  try {
    const text = readFileSync(join(dataDir, 'settings.json'), 'utf8')
    return JSON.parse(text).plugins.off.includes(guard)
  } catch {
    return false
  }
}
