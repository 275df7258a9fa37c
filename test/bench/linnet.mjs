import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import BetterSqlite3 from 'better-sqlite3'
import { codeOf, urlOf } from './links.mjs'
import { launch, stop, untilPort } from './processes.mjs'
import { visitHeaders } from './visitors.mjs'

/** The build of this working tree. */
export const builtProgram = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
/** The features that creating links with given short codes needs; any other feature would cost time. */
const toMakeLinks = { PLUGINS: 'developer.apiKeys,link.customShortCode' }
/** The most links that the API creates at once. */
const bulk = 100

/** Creates a data folder with links, over the API, once; servers start on copies of it. */
export async function makeInstance(links, program = builtProgram) {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  const token = `lnt_${randomBytes(32).toString('base64url')}`
  const settings = {
    LINNET_HOST: '127.0.0.1',
    LINNET_ADMIN_EMAIL: 'bench@example.org',
    LINNET_ADMIN_PASSWORD: randomBytes(16).toString('hex'),
    LINNET_BOOTSTRAP_TOKEN: token,
  }
  const instance = {
    ...{ program, folder, token, settings },
    remove: () => rmSync(folder, { recursive: true }),
  }
  try {
    await makeAllLinks(instance, links)
    return { ...instance, features: await listFeatures(instance) }
  } catch (error) {
    instance.remove()
    throw error
  }
}

async function makeAllLinks(instance, links) {
  const server = await serve(instance, instance.folder, toMakeLinks)
  for (let first = 0; first < links; first += bulk) await makeLinks(server, first, links)
  await server.stop()
}

/** All features, if every plugin is on. */
async function listFeatures(instance) {
  const server = await serve(instance, instance.folder)
  const { data } = await call(server, 'GET', '/plugins')
  await server.stop()
  return data.map(({ feature }) => feature)
}

/**
 * Starts Linnet on a copy of an instance with these features (by default all) and additional settings. It has
 * made its first redirect, so one visit is counted.
 */
export async function startLinnet(instance, { features = ['all'], settings = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  cpSync(instance.folder, folder, { recursive: true })
  const startedAt = performance.now()
  const server = await serve(instance, folder, { PLUGINS: features.join(','), ...settings })
  await redirectOnce(server)
  const { LINNET_ADMIN_EMAIL: email, LINNET_ADMIN_PASSWORD: password } = instance.settings
  return {
    ...server,
    firstRedirectMs: performance.now() - startedAt,
    admin: { email, password },
    databaseBytes: () => databaseBytes(join(folder, 'linnet.db')),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Starts Linnet with every plugin on a database that `fill` has filled, given its file. */
export async function startFilled(fill) {
  const instance = await makeInstance(0)
  const filled = fill(join(instance.folder, 'linnet.db'))
  const server = await serve(instance, instance.folder)
  return {
    ...server,
    filled,
    async stop() {
      await server.stop()
      instance.remove()
    },
  }
}

/** The size of a database that a server uses, with what has not been copied from its WAL yet. */
function databaseBytes(file) {
  const database = new BetterSqlite3(file, { readonly: true })
  try {
    const [pages, pageBytes] = ['page_count', 'page_size'].map(name =>
      database.pragma(name, { simple: true }),
    )
    return pages * pageBytes
  } finally {
    database.close()
  }
}

/** The number of links. */
export async function countLinks(server) {
  const { meta } = await call(server, 'GET', '/links?per_page=1')
  return meta.total
}

async function serve({ program, token, settings }, folder, more = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(LINNET_|PLUGINS$|PORT$|DATABASE_URL$)/.test(name),
  )
  const logFile = join(folder, 'log')
  const output = openSync(logFile, 'w')
  const child = launch(process.execPath, [program, 'serve'], {
    env: {
      ...Object.fromEntries(inherited),
      ...{ LINNET_DATA_DIR: folder, LINNET_PORT: '0' },
      // As in the image and under systemd.
      MALLOC_ARENA_MAX: '1',
      ...settings,
      ...more,
    },
    stdio: ['ignore', output, output],
  })
  const log = () => readFileSync(logFile, 'utf8')
  const port = await untilPort(child, log, /"port":(\d+),.*"Linnet is ready /)
  return { url: `http://127.0.0.1:${port}`, child, token, stop: () => stop(child) }
}

async function redirectOnce({ url }) {
  const [headers] = visitHeaders(1)
  const { status } = await fetch(`${url}/${codeOf(0)}`, { headers, redirect: 'manual' })
  if (status !== 302) throw new Error(`The first redirect was answered ${status}.`)
}

async function makeLinks(server, first, end) {
  const count = Math.min(bulk, end - first)
  let links = Array.from({ length: count }, (_, index) => ({
    original_url: urlOf(first + index),
    short_code: codeOf(first + index),
  }))
  while (links.length > 0) {
    const { data } = await call(server, 'POST', '/links/bulk', { links })
    const refused = data.find(({ status }) => status !== 201 && status !== 503)
    if (refused) throw new Error(`A link was refused: ${JSON.stringify(refused)}`)
    // Links that the server had no time for are sent again.
    links = links.filter((_, index) => data[index].status === 503)
  }
}

/** Sends a request to the API; throws if it fails. */
export async function call({ url, token }, method, path, body) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
