import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { type Answer, type Server, serve } from './server.ts'

/** A request to create a link, and the answer that the client got before the server was killed. */
export interface Sent {
  readonly key: string
  readonly original_url: string
  /** Undefined if the connection broke. */
  readonly answer: Answer | undefined
}

/** The results of requests that were repeated after a crash. */
export interface Repeated {
  /** Links that exist although no client was told. */
  readonly madeUnheard: number
  /** Requests that broke off before a link was created. */
  readonly unmade: number
  /** Answers that are missing or differ from the first. */
  readonly wrong: readonly string[]
  /** Original URLs with no link or more than one. */
  readonly twice: readonly string[]
}

const clients = 4

/** How many of the answered requests a client repeats. */
const answeredRepeats = 10

/**
 * Lets clients create links as fast as they can, kills the server after this many milliseconds, starts it again ten
 * seconds later, and lets clients repeat unanswered requests: with the same idempotency keys, or without keys.
 */
export async function repeatAfterKill(
  server: Server,
  afterMs: number,
  { keyed }: { readonly keyed: boolean },
): Promise<Repeated & { readonly server: Server }> {
  const sent = await makeLinksUntilKilled(server, afterMs)
  const before = linksByUrl(server)
  letTenSecondsPass(server)
  const restarted = await serve({ dataDir: server.dataDir })

  const unheard = sent.filter(({ answer }) => answer === undefined)
  const heard = sent.filter(({ answer }) => answer !== undefined).slice(-answeredRepeats)
  const wrong: string[] = []
  for (const first of [...unheard, ...(keyed ? heard : [])]) {
    const again = await post(restarted, first, keyed)
    if (!isSameAnswer(first, again)) wrong.push(`${first.original_url}: ${again.text}`)
  }
  const after = linksByUrl(server)
  const isMade = ({ original_url }: Sent) => before.has(original_url)
  return {
    server: restarted,
    madeUnheard: unheard.filter(isMade).length,
    unmade: unheard.filter(it => !isMade(it)).length,
    wrong,
    twice: sent.map(it => it.original_url).filter(url => after.get(url) !== 1),
  }
}

async function makeLinksUntilKilled(server: Server, afterMs: number): Promise<readonly Sent[]> {
  const sent: Sent[] = []

  async function makeLinks(client: number): Promise<void> {
    for (let number = 0; ; number += 1) {
      const key = `${server.pid}-${client}-${number}`
      const original_url = `https://example.com/${key}`
      const answer = await post(server, { key, original_url }, true).catch(() => undefined)
      sent.push({ key, original_url, answer })
      if (answer?.status !== 201) return
    }
  }

  const done = Promise.all(Array.from({ length: clients }, (_, client) => makeLinks(client)))
  await delay(afterMs)
  await server.kill('SIGKILL')
  await done
  return sent
}

function post(
  server: Server,
  { key, original_url }: Pick<Sent, 'key' | 'original_url'>,
  keyed: boolean,
): Promise<Answer> {
  return server.api('POST', '/links', { original_url }, keyed ? { 'idempotency-key': key } : {})
}

/** The same bytes if the first answer is known; else an answer for the same link. */
function isSameAnswer({ answer, original_url }: Sent, again: Answer): boolean {
  if (answer) return again.status === answer.status && again.text === answer.text
  return again.status === 201 && again.body.data.originalUrl === original_url
}

function linksByUrl({ dataDir }: Server): ReadonlyMap<string, number> {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'))
  const rows = database
    .prepare<[], { url: string; links: number }>(
      'select original_url as url, count(*) as links from links group by original_url',
    )
    .all()
  database.close()
  return new Map(rows.map(({ url, links }) => [url, links]))
}

/** Makes ten seconds pass without waiting: an unanswered attempt counts as dead after that time. */
function letTenSecondsPass({ dataDir }: Server): void {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'))
  database.prepare('update idempotency_keys set started_at = started_at - 10000').run()
  database.close()
}
