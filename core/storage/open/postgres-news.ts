import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { UnusableDatabase } from '../files/inspect-file.ts'
import { type Listener, type News, trustMs } from '../news.ts'
import { connectionOfServer } from '../servers.ts'
import { newsChannel } from '../tables.ts'

/** A connection that hears news until it is closed. */
export interface HeardNews extends News {
  close(): Promise<void>
}

interface Hearing {
  readonly url: string
  /** The version of the server that hears. */
  readonly version: string
  /** Its base URL. */
  readonly baseUrl: string
  onSilence(): void
}

/** How often to test whether news arrive, and how long the test may take, in milliseconds. */
const echoMs = 5_000

const retryMs = 500

/** How many bytes one NOTIFY can carry: https://www.postgresql.org/docs/current/sql-notify.html */
const mostBytes = 7_999

/** The detail begins after the first space, so a topic must have none. */
function nameOf(topic: string): string {
  return topic.replaceAll(' ', '/')
}

/** For processes that do not listen, such as a command. */
export const tell: News['tell'] = async (db, topic, detail = '') => {
  const name = nameOf(topic)
  const whole = `${name} ${detail}`
  const payload = Buffer.byteLength(whole) > mostBytes ? name : whole
  await db
    .selectNoFrom(({ fn, val }) => fn('pg_notify', [val(newsChannel), val(payload)]).as('told'))
    .execute()
}

/**
 * Hears what servers on the same database tell, on a connection of its own that is restored when it is lost. Silence
 * alone proves nothing, so each server sends itself a message every few seconds; `onSilence` is called if that does
 * not arrive, and if the connection is lost.
 */
export async function hearNews({ url, version, baseUrl, onSilence }: Hearing): Promise<HeardNews> {
  const listeners = new Map<string, Set<Listener>>()
  const watchers: ((isHeard: boolean) => void)[] = []
  /** Topics that were told so far. */
  const toldTopics = new Set<string>()
  let wasDeaf = false
  const closing = new AbortController()
  const echo = randomUUID()
  let echoed = Promise.withResolvers<void>()
  let isHeard = true
  let forgetting: NodeJS.Timeout | undefined

  function hear(payload: string, teller: number): void {
    if (payload === echo) {
      echoed.resolve()
      return
    }
    const space = payload.indexOf(' ')
    const [topic = '', detail] =
      space === -1 ? [payload] : [payload.slice(0, space), payload.slice(space + 1)]
    toldTopics.add(topic)
    for (const listener of listeners.get(topic) ?? []) {
      listener(detail || undefined, teller)
    }
  }

  function anythingMayHaveChanged(): void {
    for (const all of listeners.values()) {
      for (const listener of all) listener()
    }
  }

  function become(now: boolean): void {
    if (now === isHeard) return
    isHeard = now
    wasDeaf = true
    clearTimeout(forgetting)
    if (now) anythingMayHaveChanged()
    else forgetting = setTimeout(anythingMayHaveChanged, trustMs).unref()
    for (const watch of watchers) watch(now)
  }

  async function connect() {
    const lost = new AbortController()
    const client = new pg.Client({
      connectionString: url,
      application_name: connectionOfServer(version, baseUrl),
      connectionTimeoutMillis: echoMs,
      query_timeout: echoMs,
      keepAlive: true,
    })
    const lose = () => lost.abort()
    client.on('error', lose).on('end', lose)
    client.on('notification', ({ payload = '', processId }) => hear(payload, processId))
    const end = () => client.end().catch(() => undefined)
    try {
      await client.connect()
      await client.query(`listen ${newsChannel}`)
    } catch (error) {
      void end()
      throw error
    }
    return { client, signal: AbortSignal.any([lost.signal, closing.signal]), end }
  }

  /** Rejects if the message does not arrive in time. */
  async function tryEcho({ client, signal }: Awaited<ReturnType<typeof connect>>): Promise<void> {
    echoed = Promise.withResolvers()
    const arrived = new AbortController()
    const ended = AbortSignal.any([signal, arrived.signal])
    // Wait one turn more: if this process was blocked, the message may have arrived unread.
    const tooLate = delay(echoMs, undefined, { signal: ended, ref: false }).then(() => turn(true))
    client.query('select pg_notify($1, $2)', [newsChannel, echo]).catch(() => undefined)
    try {
      if (!(await Promise.race([echoed.promise, tooLate]))) return
    } finally {
      arrived.abort()
    }
    onSilence()
    throw new Error('No messages arrive.')
  }

  async function listen(connection: Awaited<ReturnType<typeof connect>>): Promise<void> {
    try {
      for (;;) {
        await delay(echoMs, undefined, { signal: connection.signal, ref: false })
        await tryEcho(connection)
      }
    } catch {
      if (!closing.signal.aborted) {
        // Who waits for an answer of that server notices nothing by itself.
        if (connection.signal.aborted) onSilence()
        become(false)
      }
      void connection.end()
    }
  }

  async function listenOn(first: Awaited<ReturnType<typeof connect>>): Promise<void> {
    await listen(first)
    while (!closing.signal.aborted) {
      try {
        const connection = await connect()
        await tryEcho(connection)
        become(true)
        await listen(connection)
      } catch {
        await delay(retryMs, undefined, { signal: closing.signal, ref: false }).catch(
          () => undefined,
        )
      }
    }
  }

  const first = await connect()
  try {
    await tryEcho(first)
  } catch (cause) {
    void first.end()
    throw new UnusableDatabase(
      `Messages between servers do not arrive over DATABASE_URL within ${echoMs / 1_000} seconds. Check whether PostgreSQL is overloaded, and start Linnet again.`,
      { cause },
    )
  }
  const listening = listenOn(first)

  return {
    tell,
    isHeard: () => isHeard,
    onHeard: watcher => void watchers.push(watcher),
    on(topic, listener, signal) {
      const name = nameOf(topic)
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(listener))
      // The listener's data may have been read before that was told.
      if (wasDeaf || toldTopics.has(name)) setImmediate(() => all.has(listener) && listener())
      signal?.addEventListener('abort', () => all.delete(listener), { once: true })
    },
    async close() {
      clearTimeout(forgetting)
      closing.abort()
      await listening
    },
  }
}
