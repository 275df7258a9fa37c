import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import { expectVisits, untilFolded } from './counted.ts'
import type { Exit } from './program.ts'
import { type Answer, browser, createLink, type Server, serve } from './server.ts'
import { sendVisitors } from './visitors.ts'

/** The links that clients were told exist: original URLs by short code. */
export type PromisedLinks = ReadonlyMap<string, string>

const clients = 4

/** Lets clients create links as fast as they can, and kills the server after this many milliseconds. */
export async function createLinksUntilKilled(
  server: Server,
  afterMs: number,
): Promise<PromisedLinks> {
  const links = new Map<string, string>()
  let isOver = false

  async function createLinks(client: number): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      const original_url = `https://example.com/${server.pid}/${client}/${number}`
      const answer = await server.api('POST', '/links', { original_url }).catch(() => undefined)
      if (answer?.status === 201) links.set(answer.body.data.shortCode, original_url)
      else isOver = true
    }
  }

  const done = Promise.all(Array.from({ length: clients }, (_, client) => createLinks(client)))
  await delay(afterMs)
  while (links.size === 0) await delay(20)
  await server.kill('SIGKILL')
  await done
  return links
}

/** The short codes of links that do not lead to their original URL. */
export async function lostLinks(server: Server, links: PromisedLinks): Promise<string[]> {
  const lost: string[] = []
  for (const [code, url] of links) {
    const { headers } = await server.get(`/${code}`)
    if (headers.get('location') !== url) lost.push(code)
  }
  return lost
}

/** The counts of visitors whose server got a signal to end. */
export interface Counted {
  readonly exit: Exit
  /** Measured from the signal. */
  readonly endedInMs: number
  readonly stderr: string
  /** Redirects that visitors received. */
  readonly answered: number
  /** How many of them came so late that their visits need not be stored yet. */
  readonly late: number
  /** The total of visits after a restart. */
  readonly stored: number
  /** The sum of each way to count the same visits. */
  readonly sums: readonly number[]
}

/**
 * Visits gather for 250 ms, and as long again is plenty to write them. On a busy machine everything takes longer; the
 * answer times of visitors show by how much.
 */
export const mostLostMs = 500
export const slownessCounts = 3

/** How many visitors may wait for an answer at once. */
export const visitors = 10

/**
 * Lets visitors follow a link for a while, ends the server with a signal, and reads the numbers. If the lock is held,
 * nothing can be written from the first visit to the end.
 */
export async function visitUntil(
  signal: NodeJS.Signals,
  afterMs: number,
  { lockIsHeld = false } = {},
): Promise<Counted> {
  const server = await serve()
  await untilVisitsAreCounted(server)
  const { id, shortCode } = await createLink(server)
  const letGo = lockIsHeld ? holdWriteLock(server) : () => undefined
  const { answeredAt, slowestMs, stop } = sendVisitors(`${server.url}/${shortCode}`, { visitors })
  const lateFrom = () => performance.now() - mostLostMs - slownessCounts * slowestMs()
  await delay(afterMs)
  // On a slow machine, the first visits and the first write take longer.
  const isTimeToEnd = () => answeredAt.some(at => lockIsHeld || at <= lateFrom())
  while (!isTimeToEnd()) await delay(20)
  const isLateFrom = lateFrom()
  const toldAt = performance.now()
  const exit = await server.kill(signal)
  const endedInMs = Math.round(performance.now() - toldAt)
  await stop()
  letGo()

  return {
    exit,
    endedInMs,
    stderr: await server.stderr,
    answered: answeredAt.length,
    late: answeredAt.filter(at => at > isLateFrom).length,
    ...(await countAfterRestart(server, id)),
  }
}

/** Lets visitors follow a link, kills the server once it has written some visits, and reads the numbers. */
export async function visitUntilWritten() {
  const server = await serve()
  const { id, shortCode } = await createLink(server)
  const { answeredAt, stop } = sendVisitors(`${server.url}/${shortCode}`, { visitors })
  await expect.poll(() => writtenIn(server)).toBeGreaterThan(100)
  const before = writtenIn(server)
  await server.kill('SIGKILL')
  await stop()
  const written = writtenIn(server)
  return { before, written, answered: answeredAt.length, ...(await countAfterRestart(server, id)) }
}

/** The number of visits in the database, whether added up to counts or not. */
function writtenIn({ dataDir }: Server): number {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'), { readonly: true })
  const visits = database.prepare('select sum(visits_tracked) from usage').pluck().get()
  database.close()
  return Number(visits)
}

async function countAfterRestart({ dataDir }: Server, id: string) {
  const restarted = await serve({ dataDir })
  await untilFolded(restarted)
  const { body } = await restarted.api('GET', `/links/${id}/analytics?interval=all`)
  const link = await restarted.api('GET', `/links/${id}`)
  await restarted.kill('SIGTERM')
  return { stored: Number(link.body.data.visits.total), sums: sumsIn(body.data) }
}

/**
 * The thread that counts starts beside the server; on a busy machine, seconds later, and a stop gives it only a moment to
 * begin.
 */
export async function untilVisitsAreCounted(server: Server): Promise<void> {
  const { id, shortCode } = await createLink(server)
  await server.get(`/${shortCode}`, { 'user-agent': browser })
  await expectVisits(server, id, 1)
}

/** Blocks all writes until the returned function is called. */
export function holdWriteLock({ dataDir }: Server): () => void {
  const holder = new BetterSqlite3(join(dataDir, 'linnet.db'))
  holder.exec('begin immediate')
  const letGo = () => {
    holder.close()
  }
  onTestFinished(letGo)
  return letGo
}

/** Each of these counts every visit by a browser once. */
const countEveryVisit = [
  'visitsOverTime',
  'visitsByBrowser',
  'visitsByOperatingSystem',
  'visitsByDeviceType',
]

function sumsIn(data: Answer['body']): readonly number[] {
  return countEveryVisit.map(name => {
    const counts: readonly { readonly visits: number }[] = data[name]
    return counts.reduce((sum, { visits }) => sum + visits, 0)
  })
}
