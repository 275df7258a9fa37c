import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chance } from './chance.mjs'
import { fillCampaigns } from './fill-campaigns.mjs'
import { fillCounts } from './fill-counts.mjs'
import { call, startFilled } from './linnet.mjs'
import { machine, processorMs } from './measure.mjs'
import { markdownTable, say } from './report.mjs'

/**
 * `npm run bench -- analytics [--links 1000000] [--visits 100000000] [--requests 200] [--now 2026-11-22T03:00Z]`:
 * how long questions about visits take over HTTP, one after the other, on a database of a year, which ends
 * now unless another moment is given. Making it takes minutes and gigabytes in the temporary folder.
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    links: { type: 'string', default: '1000000' },
    visits: { type: 'string', default: '100000000' },
    requests: { type: 'string', default: '200' },
    now: { type: 'string', default: new Date().toISOString() },
  },
})
const links = Number(values.links)
const visits = Number(values.visits)
const requests = Number(values.requests)
const now = Date.parse(values.now)
const random = chance(2)

const startedAt = performance.now()
const { url, child, filled, stop } = await startFilled(file => {
  const { accounts, rows } = fillCounts(file, { links, visits, now })
  fillCampaigns(file, accounts, now)
  return { accounts, rows, bytes: statSync(file).size }
})
const seconds = Math.round((performance.now() - startedAt) / 1_000)
const { link_counts, account_counts } = filled.rows
console.log(`${machine()}\n`)
console.log(
  `${links} links, ${visits} visits, ${link_counts} rows of counts of links, ${account_counts} of accounts, ` +
    `${(filled.bytes / 2 ** 30).toFixed(1)} GiB, made in ${seconds} s\n`,
)

const withToken = filled.accounts.filter(({ token }) => token)
const big = withToken.filter(({ isBig }) => isBig)
const [{ size }] = big
const many = `${size.toLocaleString('en')} links`
const zoned = 'interval=90d&timezone=Australia%2FLord_Howe&compare=previous'
const questions = [
  // The cost of the connection, the credential and the JSON.
  {
    name: 'the profile, to compare with',
    paths: bigTurns().map(({ token }) => ({ token, path: '/profile' })),
  },
  { name: 'a link, 30 days', paths: linkPaths(''), promisedMs: 10 },
  { name: 'a link, all time', paths: linkPaths('interval=all'), promisedMs: 10 },
  { name: 'a link, 90 days in a zone, compared', paths: linkPaths(zoned), promisedMs: 10 },
  { name: `${many}, 30 days`, paths: accountPaths(''), promisedMs: 150 },
  { name: `${many}, 12 months`, paths: accountPaths('interval=12mo'), promisedMs: 150 },
  { name: `${many}, all time`, paths: accountPaths('interval=all'), promisedMs: 150 },
  {
    name: `${many}, 90 days in a zone, compared`,
    paths: accountPaths(zoned),
    promisedMs: 150,
  },
  { name: `campaign of ${many}, 30 days`, paths: campaignPaths(''), promisedMs: 300 },
  {
    name: `campaign of ${many}, 12 months`,
    paths: campaignPaths('interval=12mo'),
    promisedMs: 300,
  },
  {
    name: `links of ${many}, 30 days, compared`,
    paths: topPaths('compare=previous'),
    promisedMs: 150,
  },
  { name: `links of ${many}, 7 days`, paths: topPaths('interval=7d'), promisedMs: 150 },
  {
    name: `links of ${many}, 12 months, compared`,
    paths: topPaths('interval=12mo&compare=previous'),
    promisedMs: 150,
  },
  {
    name: `links of ${many} with visits from Germany, 30 days, compared`,
    paths: topPaths('dimension=visitsByCountry&value=DE&compare=previous'),
    promisedMs: 150,
  },
  { name: `list of ${many} by visits`, paths: listPaths('sort=-visits') },
  { name: `list of ${many} by last visit`, paths: listPaths('sort=-last_visit_at') },
  { name: `list of ${many}, a word that none has`, paths: listPaths('search=nowhere') },
  { name: `list of ${many}, a word that each has`, paths: listPaths('search=products') },
  {
    name: `list of ${many}, a word that each has, by visits`,
    paths: listPaths('search=products&sort=-visits'),
  },
]
const rows = []
for (const { name, paths, promisedMs } of questions)
  rows.push({ name, promisedMs, ...(await time(paths)) })
await stop()

console.log(
  markdownTable(
    ['', 'p50 ms', 'p95 ms', 'max ms', 'CPU ms'],
    rows.map(({ name, p50, p95, max, processor }) => [name, p50, p95, max, processor]),
  ),
)
for (const { name, p95, promisedMs } of rows) {
  if (promisedMs !== undefined)
    say(p95 <= promisedMs, `${name}: ${p95} ms; promised: ${promisedMs}`)
}

/** Times all requests, one after the other. */
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

/** Paths for random links of many accounts, however often they happen to be visited. */
async function linkPaths(query) {
  const paths = []
  for (let left = requests; left > 0; left -= 1) {
    const { token, first, size } = withToken[Math.floor(random() * withToken.length)]
    const code = `bench${first + Math.floor(random() * size)}`
    const { data } = await call({ url, token }, 'GET', `/links/lookup?short_code=${code}`)
    paths.push({ token, path: `/links/${data.id}/analytics?${query}` })
  }
  return paths
}

function accountPaths(query) {
  return bigTurns().map(({ token }) => ({ token, path: `/analytics?${query}` }))
}

function topPaths(query) {
  return bigTurns().map(({ token }) => ({ token, path: `/analytics/links?${query}` }))
}

async function campaignPaths(query) {
  const paths = []
  for (const { token } of big) {
    const { data } = await call({ url, token }, 'GET', '/campaigns')
    paths.push({ token, path: `/campaigns/${data[0].id}/analytics?${query}` })
  }
  return Array.from({ length: requests }, (_, turn) => paths[turn % paths.length])
}

function listPaths(query) {
  return bigTurns().map(({ token }) => ({ token, path: `/links?per_page=100&${query}` }))
}

function bigTurns() {
  return Array.from({ length: requests }, (_, turn) => big[turn % big.length])
}
