import { setTimeout as pause } from 'node:timers/promises'
import { drive, driveCalmly } from './drive.mjs'
import { countLinks } from './linnet.mjs'
import { processorMs, residentMebibytes } from './measure.mjs'
import { untilCounted } from './until-counted.mjs'
import { variants } from './variants.mjs'
import { driveByWrk, hasWrk } from './wrk.mjs'

/** How long it takes until all hot code is compiled, in seconds. */
const warmUpSeconds = 2

/**
 * Starts the servers of a part and drives one row after the other, round after round, so that a slow moment of
 * the machine affects all of them; then measures their memory at rest. Throws unless exactly the answered
 * visits were counted, apart from those that Linnet reports as dropped. `instanceOf` returns the data folder
 * for a program and a number of links.
 */
export async function measurePart(part, { rounds, seconds, restSeconds, instanceOf }) {
  const servers = new Map()
  const rows = []
  try {
    for (const row of part.rows) {
      const key = `${row.variant} ${row.program}`
      const server = servers.get(key) ?? (await startServer(row, part, instanceOf))
      servers.set(key, server)
      rows.push({ ...row, server, rounds: [] })
    }
    const driven = rows.filter(({ load }) => load)
    for (const row of driven) await warmUp(row, Math.min(seconds, warmUpSeconds))
    for (let round = 0; round < rounds; round += 1) {
      for (const row of inTurn(driven, round)) {
        const { lasts = seconds } = row.load
        // A row with its own, longer duration runs only in the first round.
        if (round === 0 || lasts === seconds) row.rounds.push(await measure(row, lasts))
      }
    }
    await pause(restSeconds * 1000)
    return rows.map(({ server, ...row }) => ({
      ...row,
      countsVisits: server.countsVisits,
      visits: server.visits,
      dropped: server.dropped,
      firstRedirectMs: server.firstRedirectMs,
      mebibytes: residentMebibytes(server.child.pid),
      bytesPerVisit: server.countsVisits
        ? (server.databaseBytes() - server.databaseBytesAtFirst) / server.visits
        : undefined,
    }))
  } finally {
    for (const server of servers.values()) await server.stop()
  }
}

/**
 * Each round starts with another row. Otherwise what a server does after its turn would always burden the same
 * next one.
 */
function inTurn(rows, round) {
  const first = round % Math.max(1, rows.length)
  return [...rows.slice(first), ...rows.slice(0, first)]
}

async function startServer({ variant, program }, { links }, instanceOf) {
  const { start, isLinnet } = variants[variant]
  const instance = isLinnet ? await instanceOf(links, program) : undefined
  const server = await start({ links, instance })
  // The one visit is the first redirect after the start. Visits of requests that were cut off may be counted or not.
  const databaseBytesAtFirst = server.databaseBytes?.()
  return { ...server, databaseBytesAtFirst, visits: 1, dropped: 0, links, cutOff: 0 }
}

/**
 * At full speed, even if the row is then driven calmly: with few requests, compiling would continue into the
 * rounds.
 */
function warmUp(row, seconds) {
  return measure({ ...row, load: { ...row.load, perSecond: undefined } }, seconds)
}

/** One round, with the processor time of all threads until everything that it caused is done. */
async function measure({ server, load, name }, seconds) {
  const { pid } = server.child
  const options = { ...load, requests: load.requests(server.token), seconds }
  const usedBefore = processorMs(pid)
  const memory = watchMemory(pid)
  const found = await driverOf(options)(server.url, options).finally(memory.stop)
  const answeredAt = performance.now()
  await checkCounts(server, load, found, name)
  const foldedMs = performance.now() - answeredAt
  const done = found.answered * (load.linksEach ?? 1)
  const processorMicroseconds = ((processorMs(pid) - usedBefore) * 1000) / done
  return { ...found, ...memory.most(), foldedMs, processorMicroseconds }
}

/** The memory of a process while it is driven: the maximum in the first half of that time, and in the second. */
function watchMemory(pid) {
  const seen = [residentMebibytes(pid)]
  const timer = setInterval(() => seen.push(residentMebibytes(pid)), 250)
  return {
    stop: () => clearInterval(timer),
    most() {
      const middle = Math.ceil(seen.length / 2)
      const first = Math.max(...seen.slice(0, middle))
      return { mostAtFirst: first, mostLater: Math.max(...seen.slice(middle - 1)) }
    },
  }
}

function driverOf({ perSecond, seconds }) {
  if (perSecond) return driveCalmly
  return hasWrk && Number.isInteger(seconds) ? driveByWrk : drive
}

async function checkCounts(server, { status, linksEach = 0 }, { answered, cutOff }, name) {
  server.cutOff += cutOff * Math.max(linksEach, 1)
  server.links += answered * linksEach
  if (status === 302) server.visits += answered
  if (server.countsVisits && status === 302) {
    const { counted, dropped } = await untilCounted(server, server.visits)
    server.dropped = dropped
    check(name, 'visits', counted + dropped, server)
  }
  if (linksEach > 0) check(name, 'links', await countLinks(server), server)
}

function check(name, what, counted, server) {
  const least = server[what]
  if (counted >= least && counted <= least + server.cutOff) return
  throw new Error(
    `${name}: ${least} ${what} were answered, up to ${server.cutOff} were cut off, and ${counted} are there.`,
  )
}
