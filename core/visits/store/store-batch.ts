import { type Database, inTransaction } from '../../storage/database.ts'
import { readMeta, writeMeta } from '../../storage/meta.ts'
import type { CountedVisits } from '../wire/counted-visits.ts'
import { packBatch } from '../wire/packed-batch.ts'
import { spendQuota } from './spend-quota.ts'

/** The result of storing a batch. */
export interface Stored {
  /** The row id of the batch; undefined if there was nothing to store, or it was stored before. */
  readonly batchId: number | undefined
  /** The numbers of the visits that were stored. */
  readonly kept: Uint32Array
}

/**
 * Stores counted visits: one packed row, the accounts' usage and the number of the batch in one transaction. The same
 * number again changes nothing.
 */
export async function storeBatch(
  db: Database,
  visits: CountedVisits,
  { run, sequence }: { readonly run: string; readonly sequence: number },
): Promise<Stored> {
  if (visits.size === 0) return nothing
  return inTransaction(db, async tx => {
    if ((await lastSequence(tx, run)) >= sequence) return nothing
    const kept = await spendQuota(tx, visits)
    await saveSequence(tx, run, sequence)
    if (kept.length === 0) return nothing
    const { id } = await tx
      .insertInto('visit_batches')
      .values({ packed: packBatch(visits, kept) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { batchId: id, kept }
  })
}

const nothing: Stored = { batchId: undefined, kept: Uint32Array.of() }

/** Tracked visits by the row id of the link, and who owns it. */
export type VisitedLinks = readonly {
  readonly linkId: number
  readonly accountId: number
  readonly visits: number
}[]

/** How often each link was visited, without robots. */
export function visitedLinks(visits: CountedVisits, kept: Uint32Array): VisitedLinks {
  const sums = new Map<number, { accountId: number; visits: number }>()
  for (const visit of kept) {
    if (visits.isBot(visit)) continue
    const { id, owner } = visits.linkOf(visit)
    const sum = sums.get(id)
    if (sum) sum.visits += 1
    else sums.set(id, { accountId: owner.accountId, visits: 1 })
  }
  return Array.from(sums, ([linkId, sum]) => ({ linkId, ...sum }))
}

/**
 * The number of the last batch that a recorder stored, written together with the batch: a batch that is sent again,
 * because its thread died before it could confirm it, is recognised and not counted twice.
 */
async function lastSequence(db: Database, run: string): Promise<number> {
  const mark = await readMeta(db, keyOf(run))
  return mark === undefined ? 0 : readMark(mark).sequence
}

/** Call this only in the transaction that stores the batch. */
function saveSequence(db: Database, run: string, sequence: number): Promise<void> {
  return writeMeta(db, keyOf(run), `${sequence} ${Date.now()}`)
}

/** How long a number is kept, in milliseconds: a batch is not sent again after that. */
const keptMs = 7 * 86_400_000

/**
 * Removes the number of a recorder that ended, and old ones of recorders that could not remove theirs. Recorders with
 * recent numbers may still be writing, on another server.
 */
export async function removeSequences(db: Database, run: string): Promise<void> {
  const marks = await db.selectFrom('meta').selectAll().where('key', 'like', 'recorder.%').execute()
  const old = marks.filter(({ value }) => !(readMark(value).at > Date.now() - keptMs))
  await db
    .deleteFrom('meta')
    .where('key', 'in', [keyOf(run), ...old.map(({ key }) => key)])
    .execute()
}

/** A name for one run of a recorder. */
export function newRun(): string {
  return `${new Date().toISOString()}.${crypto.randomUUID()}`
}

function keyOf(run: string): string {
  return `recorder.${run}`
}

/** The number, and when it was written. */
function readMark(value: string): { readonly sequence: number; readonly at: number } {
  const [sequence, at] = value.split(' ').map(Number)
  return { sequence: sequence ?? 0, at: at ?? 0 }
}
