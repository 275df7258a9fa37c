import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createBoundedQueue } from '../../lib/async/bounded-queue.ts'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { isRefusal, type Refusal } from '../../plugin/outcomes.ts'
import { currentLane } from '../../storage/acting.ts'
import {
  type Database,
  inTransactionUnlessRefused,
  type Tx,
  undone,
} from '../../storage/database.ts'
import type { Link } from '../link.ts'

/** Writes the links of a request to see what becomes of them, and undoes all of it. */
export interface Trial {
  /**
   * Does work in a transaction that is undone. That begins once all links of the request wait for it or have ended, so that what
   * one of them takes, such as a short code, is taken for the next.
   */
  write<T>(work: Work<T>): Promise<T | Refusal>
  /** Called in that transaction with links as they would be. */
  look(tx: Tx, links: readonly Link[]): Promise<void>
  /** Says that one of the links has its result. */
  ended(): void
}

type Work<T> = (tx: Tx) => Promise<T | Refusal>

interface Waiting {
  readonly work: Work<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** `count` is how many links the request is about. */
export function createTrial(db: Database, count: number, look: Trial['look']): Trial {
  let left = count
  let waiting: readonly Waiting[] = []

  function begin(): void {
    if (waiting.length === 0 || waiting.length < left) return
    const all = waiting
    waiting = []
    const trying = all.length === 1 ? tryAll(db, all) : tryInTurn(db, all)
    trying.catch(error => {
      for (const { reject } of all) reject(error)
    })
  }

  return {
    look,
    write: <T>(work: Work<T>) =>
      new Promise<T | Refusal>((resolve, reject) => {
        waiting = [...waiting, { work, resolve: result => resolve(result as T), reject }]
        begin()
      }),
    ended() {
      left -= 1
      begin()
    },
  }
}

/** A transaction of a hundred links lasts: others write at least as long before the next one begins. */
const trials = createBoundedQueue({ atOnce: 1, maxWaiting: 4, maxWaitMs: 5_000 })

function tryInTurn(db: Database, all: readonly Waiting[]): Promise<void> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const whole = async () => {
    const begun = performance.now()
    await tryAll(db, all).then(resolve, reject)
    await delay(performance.now() - begun, undefined, { ref: false })
  }
  trials(whole, { lane: currentLane(), rank: 0 }).catch(reject)
  return ended
}

/** Does one after another in the same transaction; what is refused or fails is undone alone. */
async function tryAll(db: Database, all: readonly Waiting[]): Promise<void> {
  const ends: (() => void)[] = []
  await inTransactionUnlessRefused(db, async tx => {
    for (const { work, resolve, reject } of all) {
      await yieldToRedirects()
      await sql`savepoint tried`.execute(tx)
      const result = await work(tx).catch(error => new Failed(error))
      if (result instanceof Failed || isRefusal(result)) {
        await sql`rollback to savepoint tried`.execute(tx)
      }
      await sql`release savepoint tried`.execute(tx)
      ends.push(() => (result instanceof Failed ? reject(result.error) : resolve(result)))
    }
    return undone
  })
  for (const end of ends) end()
}

class Failed {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}
