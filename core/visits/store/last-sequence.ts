import type { Database } from '../../storage/database.ts'

/**
 * The number of the last batch that one recorder stored, written with the batch: a batch that is sent
 * again, because its thread died before it could say so, is known and not counted twice.
 */
export async function lastSequence(db: Database, run: string): Promise<number> {
  const mark = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', keyOf(run))
    .executeTakeFirst()
  return Number(mark?.value ?? 0)
}

/** Only together with the batch, in one transaction. */
export async function saveSequence(db: Database, run: string, sequence: number): Promise<void> {
  const value = String(sequence)
  await db
    .insertInto('meta')
    .values({ key: keyOf(run), value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** A recorder that ended needs its mark no more; nor do earlier ones, which had no time to say so. */
export async function removeSequences(db: Database, run: string): Promise<void> {
  await db
    .deleteFrom('meta')
    .where('key', 'like', 'recorder.%')
    .where('key', '<=', keyOf(run))
    .execute()
}

/** A name for one recorder's life; later ones sort behind earlier ones. */
export function newRun(): string {
  return `${new Date().toISOString()}.${crypto.randomUUID()}`
}

function keyOf(run: string): string {
  return `recorder.${run}`
}
