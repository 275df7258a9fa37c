import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findPrograms, startServer } from '../postgres/server.mjs'
import { drive } from './drive.mjs'
import { builtProgram, makeInstance, startLinnet } from './linnet.mjs'
import { machine, processorMs } from './measure.mjs'
import { markdownTable } from './report.mjs'
import { choices, create, follow } from './requests.mjs'
import { untilCounted } from './until-counted.mjs'
import { driveByWrk, hasWrk } from './wrk.mjs'

/**
 * `npm run bench -- nodes [--most 3] [--seconds 6] [--links 1000]`: one, two and more servers on a PostgreSQL
 * server of their own, with all plugins on. Each is driven at its own address, as by a load balancer that takes
 * no processor time. Servers, database and driver share the machine, so the processor time of each per request
 * says more than the requests per second.
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '6' },
    links: { type: 'string', default: '1000' },
  },
})
const [most, seconds, links] = [values.most, values.seconds, values.links].map(Number)
const connections = 48

const programs = findPrograms()
if (!programs) throw new Error('The programs initdb and postgres are not installed here.')
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on' }
const database = await startServer(programs, { settings: durable })
const instance = await makeInstance(links)
const rows = []
try {
  for (let nodes = 1; nodes <= most; nodes += 1) await measure(nodes)
} finally {
  instance.remove()
  await database.stop()
}
console.log(`${machine()}\n`)
console.log(
  `${links} links, ${seconds} s, ${connections} connections, by ${hasWrk ? 'wrk' : 'Node'}\n`,
)
const columns = ['a second', 'servers µs', 'database µs', 'driver µs', 'cores taken']
console.log(markdownTable(['', ...columns], rows))

async function measure(count) {
  const url = await moved(`nodes_${count}`)
  const nodes = []
  for (let node = 0; node < count; node += 1) {
    nodes.push(await startLinnet(instance, { settings: { DATABASE_URL: url } }))
  }
  const named = `${count} ${count === 1 ? 'server' : 'servers'}`
  const visits = follow(100_000, links, choices.zipf)
  let followed = count
  // The first pass finds nothing in memory; the second repeats it.
  for (const what of ['links read first', 'redirects']) {
    await row(`${named}, ${what}`, nodes, async () => {
      const answered = await driveAll(nodes, visits, 302)
      const { counted, dropped } = await untilCounted(nodes[0], followed + answered)
      followed = counted + dropped
      return answered
    })
  }
  const made = create(1_000, instance.token)
  await row(`${named}, links made`, nodes, () => driveAll(nodes, made, 201))
  for (const node of nodes) await node.stop()
}

/** Moves the instance to a new database on the server; returns its address. */
async function moved(name) {
  const client = new pg.Client({ connectionString: database.url() })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const env = { PATH: process.env.PATH, LINNET_DATA_DIR: instance.folder }
  const args = [builtProgram, 'migrate-to', database.url(name)]
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return database.url(name)
}

/**
 * Drives all servers at once, each with its own driver; returns the number of answers. Some more may have been
 * cut off.
 */
async function driveAll(nodes, requests, status) {
  const driver = hasWrk && Number.isInteger(seconds) ? driveByWrk : drive
  const each = Math.ceil(connections / nodes.length)
  const load = { requests, status, seconds, connections: each }
  const measured = await Promise.all(nodes.map(({ url }) => driver(url, load)))
  return measured.reduce((sum, { answered }) => sum + answered, 0)
}

async function row(name, nodes, work) {
  const before = spent(nodes)
  const startedAt = performance.now()
  const done = await work()
  const tookMs = performance.now() - startedAt
  const after = spent(nodes)
  const [servers, db, driver] = Object.keys(after).map(part => after[part] - before[part])
  const each = ms => ((ms * 1_000) / done).toFixed(1)
  rows.push([
    name,
    Math.round(done / seconds).toLocaleString('en'),
    ...[servers, db, driver].map(each),
    ((servers + db + driver) / tookMs).toFixed(2),
  ])
  process.stderr.write(`${rows.at(-1).join('  ')}\n`)
}

/** Processor time so far, in milliseconds. */
function spent(nodes) {
  return {
    servers: nodes.reduce((sum, { child }) => sum + processorMs(child.pid), 0),
    database: ofDatabase(),
    driver: processorMs(process.pid) + ofChildren(process.pid),
  }
}

/** The main process of the database server, its running children, and the children that have ended. */
function ofDatabase() {
  const [line] = readFileSync(join(database.folder, 'data/postmaster.pid'), 'utf8').split('\n')
  const first = Number(line)
  const others = readdirSync('/proc').filter(it => /^\d+$/.test(it) && parentOf(it) === first)
  const all = [first, ...others.map(Number)]
  return all.reduce((sum, pid) => sum + (processorMs(pid) || 0), ofChildren(first))
}

/** Processor time of children that have ended, in milliseconds: proc_pid_stat(5). */
function ofChildren(pid) {
  return (Number(fieldsOf(pid)[13]) + Number(fieldsOf(pid)[14])) * 10
}

function parentOf(pid) {
  try {
    return Number(fieldsOf(pid)[1])
  } catch {
    // The process has ended.
    return undefined
  }
}

function fieldsOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
}
