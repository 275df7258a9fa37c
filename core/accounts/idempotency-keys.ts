import { type Database, inTransaction, type Tx } from '../storage/database.ts'

/** How long a key is remembered, in milliseconds. */
const keptMs = 86_400_000

/** Whose key it is, and its digest. */
export interface KeyOf {
  readonly accountId: number
  /** SHA-256, hexadecimal: who reads the database does not learn a key. */
  readonly key: string
}

/** A key that a request before took. */
export interface TakenKey {
  /** Digest of what that request asked, keyed by the key. */
  readonly request: string
  /** When its latest attempt began, in milliseconds since 1970 UTC. */
  readonly startedAt: number
  /** Undefined: it has not been answered, or not been seen to be. */
  readonly answer: Buffer | undefined
}

/** Take a key for a request, so that no other has it; undefined, or by whom it was taken before. */
export function takeKey(
  db: Database,
  of: KeyOf,
  request: string,
  at: number,
): Promise<TakenKey | undefined> {
  return inTransaction(db, async tx => {
    await tx
      .deleteFrom('idempotency_keys')
      .where('account_id', '=', of.accountId)
      .where('key', '=', of.key)
      .where('created_at', '<=', at - keptMs)
      .execute()
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('idempotency_keys')
      .values({ account_id: of.accountId, key: of.key, request, created_at: at, started_at: at })
      .onConflict(conflict => conflict.columns(['account_id', 'key']).doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) return undefined
    const row = await tx
      .selectFrom('idempotency_keys')
      .select(['request', 'started_at', 'answer'])
      .where('account_id', '=', of.accountId)
      .where('key', '=', of.key)
      .executeTakeFirstOrThrow()
    return { request: row.request, startedAt: row.started_at, answer: row.answer ?? undefined }
  })
}

/** Take over from an attempt that ended without an answer; false when somebody else did. */
export function takeOver(db: Database, of: KeyOf, startedAt: number, at: number): Promise<boolean> {
  return change(db, of, startedAt, { started_at: at })
}

/** Keep the answer of an attempt; false when another attempt took over. */
export function keepAnswer(
  db: Database | Tx,
  of: KeyOf,
  startedAt: number,
  answer: Buffer,
): Promise<boolean> {
  return change(db, of, startedAt, { answer })
}

/** Let go of the key of an attempt that failed; but what it made, if anything, stays noted. */
export async function releaseKey(db: Database, of: KeyOf, startedAt: number): Promise<void> {
  await inTransaction(db, async tx => {
    const hasMade = await tx
      .selectFrom('idempotency_made')
      .select('part')
      .where('account_id', '=', of.accountId)
      .where('key', '=', of.key)
      .executeTakeFirst()
    if (hasMade) {
      await change(tx, of, startedAt, { started_at: 0 })
      return
    }
    await tx
      .deleteFrom('idempotency_keys')
      .where('account_id', '=', of.accountId)
      .where('key', '=', of.key)
      .where('started_at', '=', startedAt)
      .where('answer', 'is', null)
      .execute()
  })
}

/** Note what a part of a request made, where it is made; false when another attempt has made it. */
export async function noteMade(tx: Tx, of: KeyOf, part: number, made: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_made')
    .values({ account_id: of.accountId, key: of.key, part, made })
    .onConflict(conflict => conflict.columns(['account_id', 'key', 'part']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** What an attempt before made of a part. */
export async function findMade(db: Database, of: KeyOf, part: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('idempotency_made')
    .select('made')
    .where('account_id', '=', of.accountId)
    .where('key', '=', of.key)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.made
}

/** Forget the keys of yesterday and before; `at` is now. */
export async function forgetKeys(db: Database, at: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', at - keptMs)
    .execute()
}

/** Change an attempt that has no answer, unless another one took over. */
async function change(
  db: Database | Tx,
  of: KeyOf,
  startedAt: number,
  to: { readonly started_at: number } | { readonly answer: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set(to)
    .where('account_id', '=', of.accountId)
    .where('key', '=', of.key)
    .where('started_at', '=', startedAt)
    .where('answer', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
