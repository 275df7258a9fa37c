import type { Database } from '../../storage/database.ts'
import { readMeta, writeMeta } from '../../storage/meta.ts'

/**
 * The number of the last batch that a recorder stored, written together with the batch: a batch that is sent again,
 * because its thread died before it could confirm it, is recognised and not counted twice.
 */
export async function lastSequence(db: Database, run: string): Promise<number> {
  const mark = await readMeta(db, keyOf(run))
  return mark === undefined ? 0 : readMark(mark).sequence
}

/** Call this only in the transaction that stores the batch. */
export function saveSequence(db: Database, run: string, sequence: number): Promise<void> {
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
