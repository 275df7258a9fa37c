// `node run.mjs smoke` runs this in each Node version that we support, or with the path of a single binary: the program
// starts with an installed plugin, follows a link, stops, starts again, and has counted the visits and the plugin's
// dimension.
import { strictEqual } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

const built = [process.execPath, resolve(import.meta.dirname, '../../dist/main.js')]
const [file, ...before] = process.argv.length > 2 ? process.argv.slice(2) : built
const token = `lnt_${'smoke'.repeat(9)}`
const original = 'https://example.com/a?b=c'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const visits = 3

/** Imports that each Node version resolves in its own way, in both threads: CommonJS too, which requires more. */
const pluginOf = (name, dimension) => `
import { definePlugin, z } from 'linnet/plugin'
import engine from 'engine-names'
export default definePlugin({
  feature: 'smoke.${name}',
  about: 'Count visits by engine.',
  dimensions: { ${dimension}: { label: 'Engine', of: () => engine('gecko') } },
  endpoints: {
    'GET /${name}': {
      summary: 'Say which',
      scope: 'links:read',
      answer: z.object({ data: z.string() }),
      handle: () => ({ data: 'Gecko' }),
    },
  },
})`

const dataDir = mkdtempSync(join(tmpdir(), 'linnet-smoke-'))
mkdirSync(join(dataDir, 'plugins'), { mode: 0o700 })
writeFileSync(join(dataDir, 'plugins/engine.mjs'), pluginOf('engine', 'visitsByEngine'))
// While one plugin is loaded, Node must not forget what another is about to run.
writeFileSync(join(dataDir, 'plugins/other.mjs'), pluginOf('other', 'visitsByOther'))
writeCommonJs('engine-names', `module.exports = require('capitals').capital`)
writeCommonJs('capitals', `exports.capital = it => it[0].toUpperCase() + it.slice(1)`)
let running
try {
  const first = await start()
  const body = JSON.stringify({ original_url: original })
  const created = await first.api('/links', { method: 'POST', body })
  strictEqual(created.status, 201)
  const { id, shortCode } = (await created.json()).data
  for (let visit = 0; visit < visits; visit += 1) await first.follow(shortCode)
  // A stop gives the thread that counts only a moment to begin, and it may not have begun on a busy machine.
  await shows(visits, () => countedBy(first, id))
  await first.stop()

  const second = await start()
  await second.follow(shortCode)
  strictEqual((await second.api('/engine')).status, 200)
  strictEqual((await second.api('/other')).status, 200)
  await shows(visits + 1, () => countedBy(second, id))
  const { data } = await (await second.api(`/links/${id}`)).json()
  strictEqual(data.visits.total, visits + 1)
  await second.stop()
  console.log(
    `${process.argv[2] ?? `Node ${process.versions.node}`}: started, followed, stopped, started again, counted, also for plugins that import CommonJS.`,
  )
} finally {
  running?.kill('SIGKILL')
  rmSync(dataDir, { recursive: true })
}

function writeCommonJs(name, code) {
  const folder = join(dataDir, 'plugins/node_modules', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.js'), code)
}

/** The visits that the plugin has counted. */
async function countedBy(server, id) {
  const { data } = await (await server.api(`/links/${id}/analytics?interval=7d`)).json()
  return data.visitsByEngine[0]?.visits
}

/** On a busy machine counting may take longer than an answer waits. */
async function shows(expected, read) {
  let shown
  for (let turn = 0; turn < 300 && shown !== expected; turn += 1) {
    shown = await read()
    await pause(100)
  }
  strictEqual(shown, expected)
}

/** Starts a server as its own process in this Node. */
async function start() {
  const child = spawn(file, [...before, 'serve'], {
    env: {
      LINNET_PORT: '0',
      LINNET_HOST: '127.0.0.1',
      LINNET_DATA_DIR: dataDir,
      LINNET_ADMIN_EMAIL: 'ada@example.org',
      LINNET_ADMIN_PASSWORD: 'seven lean herons',
      LINNET_BOOTSTRAP_TOKEN: token,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running = child
  const url = await readyAt(child)
  return {
    api: (path, options) =>
      fetch(`${url}/api/v1${path}`, {
        ...options,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      }),
    async follow(code) {
      const headers = { 'user-agent': firefox }
      const answer = await fetch(`${url}/${code}`, { redirect: 'manual', headers })
      strictEqual(answer.status, 302)
      strictEqual(answer.headers.get('location'), original)
    },
    async stop() {
      child.kill('SIGTERM')
      const [code, signal] = await once(child, 'exit')
      strictEqual(code ?? signal, 0)
    },
  }
}

/** The address of a server, once its log names it. */
async function readyAt(child) {
  const lines = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    const { message, url } = JSON.parse(line)
    if (message.startsWith('Linnet is ready')) {
      // Reads and drops the rest of the log: a full pipe would block the server.
      child.stdout.resume()
      return url
    }
  }
  throw new Error(`The server ended before it was ready:\n${lines.join('\n')}`)
}
