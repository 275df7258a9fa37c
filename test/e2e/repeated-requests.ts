import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { type Answer, type Server, serve } from './server.ts'

/** A request to make a link, and what the client heard of it before the server was killed. */
export interface Sent {
  readonly key: string
  readonly original_url: string
  /** Undefined: the connection broke. */
  readonly answer: Answer | undefined
}

/** What became of requests that were repeated after a crash. */
export interface Repeated {
  /** Links that were made although nobody was told. */
  readonly madeUnheard: number
  /** Requests that broke off before anything was made. */
  readonly unmade: number
  /** Answers that differ from the first one, or are none. */
  readonly wrong: readonly string[]
  /** Addresses that do not have just one link. */
  readonly twice: readonly string[]
}

const clients = 4

/** Of the requests that were answered, how many a client repeats. */
const answeredRepeats = 10

/**
 * Let clients make links with keys as fast as they can, kill the server after so many milliseconds, start
 * it again ten seconds later, and let them repeat what they do not know the end of: with the same keys,
 * or without.
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

/** Byte for byte when the first answer is known; else as it would have been. */
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

/** An attempt without an answer counts as dead after ten seconds, which nobody has to sit through. */
function letTenSecondsPass({ dataDir }: Server): void {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'))
  database.prepare('update idempotency_keys set started_at = started_at - 10000').run()
  database.close()
}
