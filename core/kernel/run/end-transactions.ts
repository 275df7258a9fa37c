import type { Kysely, Transaction } from 'kysely'
import { within } from '../../lib/async/within.ts'
import type { Tables } from '../../plugin.ts'

/** How long a plugin may have a transaction that it began by itself: nobody else can write meanwhile. */
const transactionMs = 10_000

/**
 * Has each transaction that is begun with this database undone if it takes longer. After one that did, the next ones get a tenth
 * of the time each, until one ends by itself: many that wait for ever would keep everybody from writing, one after another.
 */
export function endTransactions(db: Kysely<Tables>, ms = transactionMs): Kysely<Tables> {
  let allowedMs = ms
  const begin = db.transaction.bind(db)
  const transaction: typeof begin = () => {
    const builder = begin()
    const execute = builder.execute.bind(builder)
    return Object.assign(builder, {
      execute: <T>(work: (tx: Transaction<Tables>) => Promise<T>) =>
        execute(async tx => {
          const answer = await within(allowedMs, work(tx), late)
          if (answer === late) {
            const seconds = allowedMs / 1_000
            allowedMs = ms / 10
            throw new Error(`its transaction was undone after ${seconds} s`)
          }
          allowedMs = ms
          return answer as T
        }),
    })
  }
  return Object.assign(db, { transaction })
}

const late = Symbol('late')
