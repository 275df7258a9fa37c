import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { visits } from './visitors.mjs'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const rawServer = fileURLToPath(new URL('raw-server.mjs', import.meta.url))
const giveUpMs = 20_000

/** `node:http` alone; it answers every code. With `keep-tick`, it is spared what slows it down when it rests. */
export async function startRaw(name, linkCount, how = 'as it is') {
  const port = await freePort()
  const child = launch([rawServer, String(port), how], { stdio: 'inherit' })
  const shortCodes = Array.from({ length: linkCount }, () =>
    randomBytes(4).toString('hex').slice(1),
  )
  const url = `http://127.0.0.1:${port}`
  await untilRedirect({ child, url, shortCodes })
  return { name, url, child, shortCodes, firstRedirectMs: undefined, stop: () => stop(child) }
}

/**
 * Linnet with these plugins on an empty folder, with links; then stopped and started again, as an
 * operator does.
 */
export async function startLinnet(name, linkCount, features = ['all']) {
  const { folder, url, token, settings } = await newInstance(features)
  const first = serve(folder, settings)
  await untilReady(first, url)
  const shortCodes = await makeLinks({ url, token }, linkCount)
  await stop(first)

  const startedAt = performance.now()
  const child = serve(folder, settings)
  await untilRedirect({ child, url, shortCodes })
  return {
    name,
    url,
    child,
    admin: { email: settings.LINNET_ADMIN_EMAIL, password: settings.LINNET_ADMIN_PASSWORD },
    shortCodes,
    firstRedirectMs: performance.now() - startedAt,
    features: await listFeatures({ url, token }),
    countedVisits: () => countVisits({ url, token }),
    async stop() {
      await stop(child)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Linnet with every plugin on a database that `fill`, given its file, has put something into. */
export async function startFilled(fill) {
  const { folder, url, settings } = await newInstance(['all'])
  const first = serve(folder, settings)
  await untilReady(first, url)
  await stop(first)
  const filled = fill(join(folder, 'linnet.db'))

  const child = serve(folder, settings)
  await untilReady(child, url)
  return {
    url,
    child,
    filled,
    async stop() {
      await stop(child)
      rmSync(folder, { recursive: true })
    },
  }
}

async function newInstance(features) {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  const token = `lnt_${randomBytes(32).toString('base64url')}`
  const port = await freePort()
  const settings = {
    LINNET_HOST: '127.0.0.1',
    LINNET_PORT: String(port),
    LINNET_DATA_DIR: folder,
    LINNET_ADMIN_EMAIL: 'bench@example.org',
    LINNET_ADMIN_PASSWORD: randomBytes(16).toString('hex'),
    LINNET_BOOTSTRAP_TOKEN: token,
    PLUGINS: features.join(','),
  }
  return { folder, url: `http://127.0.0.1:${port}`, token, settings }
}

function serve(folder, settings) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(LINNET_|PLUGINS$|PORT$|DATABASE_URL$)/.test(name),
  )
  const log = join(folder, 'log')
  const output = openSync(log, 'a')
  const child = launch([program, 'serve'], {
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ['ignore', output, output],
  })
  return Object.assign(child, { log })
}

/** A Node process that does not outlive this one. */
function launch(args, options) {
  const child = spawn(process.execPath, args, options)
  process.once('exit', () => child.kill())
  return child
}

async function stop(child) {
  if (child.exitCode !== null) throw new Error(`A server ended by itself with ${child.exitCode}.`)
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function untilReady(child, url) {
  await until(child, async () => (await fetch(`${url}/health/ready`)).ok)
}

/** One visit, of a browser: it is counted. */
async function untilRedirect({ child, url, shortCodes }) {
  const [{ path, headers }] = visits(1, shortCodes)
  await until(child, async () => {
    const { status } = await fetch(url + path, { headers, redirect: 'manual' })
    return status === 302
  })
}

async function until(child, isSo) {
  const giveUpAt = performance.now() + giveUpMs
  while (!(await isSo().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > giveUpAt) {
      throw new Error(
        `A server did not start:\n${child.log ? readFileSync(child.log, 'utf8') : ''}`,
      )
    }
    await pause(5)
  }
}

async function makeLinks(server, count) {
  const shortCodes = []
  for (let index = 0; index < count; index += 1) {
    const original_url = `https://example.org/articles/${index}?from=a-newsletter`
    const { data } = await call(server, 'POST', '/links', { original_url })
    shortCodes.push(data.shortCode)
  }
  return shortCodes
}

async function listFeatures(server) {
  const { data } = await call(server, 'GET', '/plugins')
  return data.filter(({ enabled }) => enabled).map(({ feature }) => feature)
}

async function countVisits(server) {
  const { data } = await call(server, 'GET', '/analytics?interval=all')
  return data.totals.visits
}

export async function call({ url, token }, method, path, body) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
