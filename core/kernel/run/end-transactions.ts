import type { Kysely, Transaction } from 'kysely'
import { within } from '../../lib/async/within.ts'
import type { Tables } from '../../plugin.ts'

/** How long a plugin may have a transaction that it began by itself: nobody else can write meanwhile. */
const transactionMs = 10_000

/** Has each transaction that is begun with this database undone if it takes longer. */
export function endTransactions(db: Kysely<Tables>, ms = transactionMs): Kysely<Tables> {
  const begin = db.transaction.bind(db)
  const transaction: typeof begin = () => {
    const builder = begin()
    const execute = builder.execute.bind(builder)
    return Object.assign(builder, {
      execute: <T>(work: (tx: Transaction<Tables>) => Promise<T>) =>
        execute(async tx => {
          const answer = await within(ms, work(tx), late)
          if (answer === late) throw new Error(`its transaction was undone after ${ms / 1_000} s`)
          return answer as T
        }),
    })
  }
  return Object.assign(db, { transaction })
}

const late = Symbol('late')
