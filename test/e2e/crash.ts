import { setTimeout as delay } from 'node:timers/promises'
import type { Exit } from './program.ts'
import { type Answer, createLink, type Server, serve } from './server.ts'
import { sendVisitors } from './visitors.ts'

/** Links that clients were told are made, until the server was killed. */
export interface Promised {
  readonly server: Server
  /** Original URLs by short code. */
  readonly links: ReadonlyMap<string, string>
}

const clients = 4

/** Let clients make links as fast as they can, and kill the server after so many milliseconds. */
export async function createLinksUntilKilled(server: Server, afterMs: number): Promise<Promised> {
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
  await server.kill('SIGKILL')
  await done
  return { server, links }
}

/** The links, by short code, that do not lead where they should. */
export async function lostLinks(server: Server, links: Promised['links']): Promise<string[]> {
  const lost: string[] = []
  for (const [code, url] of links) {
    const { headers } = await server.get(`/${code}`)
    if (headers.get('location') !== url) lost.push(code)
  }
  return lost
}

/** What was counted of visitors whose server was told to end. */
export interface Counted {
  readonly exit: Exit
  /** Redirects that visitors got, all and those that were there so many milliseconds before the end. */
  readonly answered: number
  answeredBefore(ms: number): number
  /** Visits that the total has after a restart. */
  readonly stored: number
  /** What each way of counting the same visits adds up to. */
  readonly sums: readonly number[]
}

/** How many visitors may be waiting for their answer at once. */
export const visitors = 10

/** Let visitors follow a link for a while, end the server with a signal, and read the numbers. */
export async function visitUntil(signal: NodeJS.Signals, afterMs: number): Promise<Counted> {
  const server = await serve()
  const { id, shortCode } = await createLink(server)
  const { answeredAt, stop } = sendVisitors(`${server.url}/${shortCode}`, { visitors })
  await delay(afterMs)
  const endedAt = performance.now()
  const exit = await server.kill(signal)
  await stop()

  const restarted = await serve({ dataDir: server.dataDir })
  const { body } = await restarted.api('GET', `/links/${id}/analytics?interval=all`)
  const link = await restarted.api('GET', `/links/${id}`)
  await restarted.kill('SIGTERM')
  return {
    exit,
    answered: answeredAt.length,
    answeredBefore: ms => answeredAt.filter(at => at < endedAt - ms).length,
    stored: link.body.data.visits.total,
    sums: sumsIn(body.data),
  }
}

/** Each of these counts every visit of a browser once. */
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
