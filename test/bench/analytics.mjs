import { statSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { fillCounts } from './fill-counts.mjs'
import { processorMs } from './measure.mjs'
import { call, startFilled } from './servers.mjs'

/**
 * `npm run bench -- analytics [--links 1000000] [--visits 100000000] [--requests 200]`: how long
 * questions about visits take over HTTP, one after the other, on a database of a year. Making it takes
 * minutes and gigabytes in the temporary folder.
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    links: { type: 'string', default: '1000000' },
    visits: { type: 'string', default: '100000000' },
    requests: { type: 'string', default: '200' },
  },
})
const links = Number(values.links)
const visits = Number(values.visits)
const requests = Number(values.requests)

const startedAt = performance.now()
const { url, child, filled, stop } = await startFilled(file => {
  const { accounts, rows } = fillCounts(file, { links, visits, now: Date.now() })
  return { accounts, rows, bytes: statSync(file).size }
})
const seconds = Math.round((performance.now() - startedAt) / 1_000)
const { visit_counts, account_counts } = filled.rows
const [{ model }] = cpus()
console.log(`${model}, ${cpus().length} cores, Node ${process.version}, ${process.platform}`)
console.log(
  `${links} links, ${visits} visits, ${visit_counts} counts of links, ${account_counts} of accounts, ` +
    `${(filled.bytes / 2 ** 30).toFixed(1)} GiB, made in ${seconds} s`,
)

const withToken = filled.accounts.filter(({ token }) => token)
const big = withToken.filter(({ isBig }) => isBig)
const zoned = 'interval=90d&timezone=Australia%2FLord_Howe&compare=previous'
const questions = [
  // What the connection, the credential and the JSON take.
  {
    name: 'the profile, to compare with',
    paths: bigTurns().map(({ token }) => ({ token, path: '/profile' })),
  },
  { name: 'a link, 30 days', paths: linkPaths(''), promisedMs: 10 },
  { name: 'a link, all time', paths: linkPaths('interval=all'), promisedMs: 10 },
  { name: 'a link, 90 days in a zone, compared', paths: linkPaths(zoned), promisedMs: 10 },
  { name: '10,000 links, 30 days', paths: accountPaths(''), promisedMs: 150 },
  { name: '10,000 links, 12 months', paths: accountPaths('interval=12mo'), promisedMs: 150 },
  { name: '10,000 links, all time', paths: accountPaths('interval=all'), promisedMs: 150 },
  {
    name: '10,000 links, 90 days in a zone, compared',
    paths: accountPaths(zoned),
    promisedMs: 150,
  },
  { name: 'list of 10,000 links by visits', paths: listPaths('sort=-visits') },
  { name: 'list of 10,000 links by last visit', paths: listPaths('sort=-last_visit_at') },
]
const rows = []
for (const { name, paths, promisedMs } of questions)
  rows.push({ name, promisedMs, ...(await time(paths)) })
await stop()

console.table(
  Object.fromEntries(
    rows.map(({ name, p50, p95, max, processor }) => [
      name,
      { 'p50 ms': p50, 'p95 ms': p95, 'max ms': max, 'CPU ms': processor },
    ]),
  ),
)
for (const { name, p95, promisedMs } of rows) {
  if (promisedMs === undefined) continue
  console.log(`${p95 <= promisedMs ? 'ok  ' : 'MISS'} ${name}: ${p95} ms; promised: ${promisedMs}`)
}

/** Ask them all, one after the other. */
async function time(paths) {
  const asked = await paths
  const took = []
  const usedBefore = processorMs(child.pid)
  for (const { token, path } of asked) {
    const begun = performance.now()
    await call({ url, token }, 'GET', path)
    took.push(performance.now() - begun)
  }
  const processor = (processorMs(child.pid) - usedBefore) / asked.length
  took.sort((a, b) => a - b)
  const at = part => Number(took[Math.ceil(took.length * part) - 1].toFixed(1))
  return { p50: at(0.5), p95: at(0.95), max: at(1), processor: Number(processor.toFixed(1)) }
}

/** Of links taken at random from many accounts, as often visited as they happen to be. */
async function linkPaths(query) {
  const paths = []
  for (let left = requests; left > 0; left -= 1) {
    const { token, first, size } = withToken[Math.floor(Math.random() * withToken.length)]
    const code = `bench${first + Math.floor(Math.random() * size)}`
    const { data } = await call({ url, token }, 'GET', `/links/lookup?short_code=${code}`)
    paths.push({ token, path: `/links/${data.id}/analytics?${query}` })
  }
  return paths
}

function accountPaths(query) {
  return bigTurns().map(({ token }) => ({ token, path: `/analytics?${query}` }))
}

function listPaths(query) {
  return bigTurns().map(({ token }) => ({ token, path: `/links?per_page=100&${query}` }))
}

function bigTurns() {
  return Array.from({ length: requests }, (_, turn) => big[turn % big.length])
}
