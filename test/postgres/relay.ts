import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A network between Linnet and a database that can slow down, stall, and lose commits. */
export interface Relay {
  /** The address of the database through the relay. */
  readonly url: string
  /** Delays everything by this many milliseconds from now on, each way. */
  slowDown(ms: number): void
  /** Lets nothing pass until the returned function is called. */
  stall(): () => void
  /**
   * Breaks the connection of the next commit: before the server receives it, or after the server has committed and
   * before it answers.
   */
  loseCommit(when: 'before' | 'after'): void
  /** Lets each connection that is open now break when something is sent on it: until then nobody notices. */
  breakWhenUsed(): void
  /**
   * Stops a connection for good when it brings a message with all these words for the given time: that one does not pass
   * any more. Resolves then.
   */
  stopAt(words: readonly string[], time?: number): Promise<void>
  /** How many commits were lost. */
  lost(): number
}

/** The message to PostgreSQL that ends a transaction. */
const commit = Buffer.from('commit\0')

/** Starts a relay to the database at `url`, whose server listens on a socket in `folder`. */
export async function startRelay(folder: string, url: string): Promise<Relay> {
  let slowMs = 0
  let stall = Promise.resolve()
  let losing: 'before' | 'after' | undefined
  let lost = 0
  let isStop: (bytes: Buffer) => boolean = () => false
  const sockets = new Set<Socket>()
  const breaking = new WeakSet<Socket>()

  /** Carries everything in order, each piece after its delay; `pass` says whether a piece goes on. */
  function carry(from: Socket, to: Socket, pass: (bytes: Buffer) => boolean): void {
    let before = Promise.resolve()
    from.on('data', bytes => {
      const due = performance.now() + slowMs
      before = before.then(async () => {
        const wait = due - performance.now()
        if (wait > 0) await delay(wait)
        await stall
        if (pass(bytes) && !to.destroyed) to.write(bytes)
      })
    })
    from.on('close', () => before.then(() => to.destroy()))
    from.on('error', () => undefined)
  }

  const server = createServer(client => {
    const database = connect(`${folder}/.s.PGSQL.5432`)
    for (const socket of [client, database]) {
      sockets.add(socket.once('close', () => sockets.delete(socket)))
    }
    let isCommitted = false
    const cut = () => {
      lost += 1
      client.destroy()
      database.destroy()
      return false
    }
    let isStopped = false
    carry(client, database, bytes => {
      if (breaking.has(client)) return cut()
      isStopped ||= isStop(bytes)
      if (isStopped) return false
      if (losing === undefined || !bytes.includes(commit)) return true
      const when = losing
      losing = undefined
      isCommitted = when === 'after'
      return isCommitted || cut()
    })
    carry(database, client, () => !isCommitted || cut())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port.')
  return {
    url: url.replace(/@[^/]*/, `@127.0.0.1:${address.port}`),
    slowDown(ms) {
      slowMs = ms
    },
    stall() {
      const { promise, resolve } = Promise.withResolvers<void>()
      stall = promise
      return resolve
    },
    loseCommit(when) {
      losing = when
    },
    breakWhenUsed() {
      for (const socket of sockets) breaking.add(socket)
    },
    stopAt(words, time = 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      let left = time
      isStop = bytes => {
        if (left === 0 || !words.every(word => bytes.includes(word))) return false
        left -= 1
        if (left === 0) resolve()
        return left === 0
      }
      return promise
    },
    lost: () => lost,
  }
}
