import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drive, driveCalmly } from './drive.mjs'
import { residentMebibytes } from './measure.mjs'
import { printReport } from './report.mjs'
import { startLinnet, startRaw } from './servers.mjs'
import { driveByWrk, hasWrk } from './wrk.mjs'

/**
 * `npm run bench -- [--rounds 5] [--seconds 8] [--connections 32]`: redirects of raw `node:http` and of
 * plain links with few plugins, with every dimension counted, and with every plugin on, in turn: first as
 * fast as they can, then at a pace that they can keep. The driver, which is wrk where it is installed, and
 * the recorder share the machine with the server, so the ratios say more than the numbers.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    // Longer than the recorder lets visits gather, so that folding them is in what is measured.
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '32' },
  },
})
const rounds = wholeNumber('rounds')
const seconds = wholeNumber('seconds')
const connections = wholeNumber('connections')
const linkCount = 1_000
/** Many for a link shortener, and few for any of these servers. */
const calmPerSecond = 1_000
/** The feature that lets the benchmark use the API. */
const tokens = 'developer.apiKeys'
/** After some seconds without work V8 gives back the memory that the start took. */
const idleMs = 30_000

const everything = await startLinnet('every plugin', linkCount)
// Visits are counted by routing rule only where links can be routed.
const counting = everything.features.filter(
  feature => feature.startsWith('analytics.') && feature !== 'analytics.visitsByRoutingRule',
)
const servers = [
  await startRaw('raw node:http', linkCount),
  await startRaw('raw, a tick kept', linkCount, 'keep-tick'),
  await startLinnet('totals only', linkCount, ['analytics.visitsTracking', tokens]),
  await startLinnet('every dimension', linkCount, [...counting, tokens]),
  everything,
]
await pause(idleMs)
const idle = servers.map(({ child }) => residentMebibytes(child.pid))
const driveFast = hasWrk ? driveByWrk : drive
const warmUp = await inTurn(1, server => driveFast(server, { seconds, connections }))
const fast = await inTurn(rounds, server => driveFast(server, { seconds, connections }))
const calm = await inTurn(rounds, server =>
  driveCalmly(server, { perSecond: calmPerSecond, seconds, connections }),
)
const rows = await Promise.all(
  servers.map(async (server, index) => ({
    ...server,
    rounds: fast[index],
    calmRounds: calm[index],
    idleMebibytes: idle[index],
    busyMebibytes: residentMebibytes(server.child.pid),
    // One more than driven: the first redirect after the start.
    redirects: 1 + sum([...warmUp[index], ...fast[index], ...calm[index]], it => it.answered),
    cutOff: sum([...warmUp[index], ...fast[index]], it => it.cutOff),
    counted: await server.countedVisits?.(),
  })),
)
for (const server of servers) await server.stop()

const [{ model }] = cpus()
console.log(`${model}, ${cpus().length} cores, Node ${process.version}, ${process.platform}`)
const driver = hasWrk ? 'wrk' : 'a driver in Node'
console.log(
  `${rounds} rounds of ${seconds} s by ${driver}, ${connections} connections, ${linkCount} links`,
)
console.log(`then ${rounds} rounds of ${seconds} s at ${calmPerSecond} requests/s: "at ease"`)
printReport(rows)

/** One server after the other, round after round, so that a slow moment of the machine meets all. */
async function inTurn(times, driveOne) {
  const results = servers.map(() => [])
  for (let round = 0; round < times; round += 1) {
    for (const [index, server] of servers.entries()) {
      results[index].push(await driveOne(server))
      await rest(server)
    }
  }
  return results
}

/** Until every visit is in the counts: what a server does afterwards must not slow the next one down. */
async function rest({ countedVisits }) {
  let before = -1
  let counted = await countedVisits?.()
  while (counted !== undefined && counted !== before) {
    await pause(250)
    before = counted
    counted = await countedVisits()
  }
}

function wholeNumber(option) {
  const number = Number(values[option])
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`--${option} is "${values[option]}": give a whole number above 0.`)
}

function sum(all, numberOf) {
  return all.reduce((total, one) => total + numberOf(one), 0)
}
