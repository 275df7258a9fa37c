import { compileOnce, type Places } from '../lib/compile-once.ts'
import {
  type Database,
  inTransaction,
  inUnflushedTransaction,
  type Tx,
} from '../storage/database.ts'

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

/**
 * Take a key for a request, so that no other has it; undefined, or by whom it was taken before. Done
 * `inUnflushedTransaction` it is durable with what the request writes: who wrote nothing has no need of it.
 */
export function takeKey(
  db: Database,
  of: KeyOf,
  request: string,
  at: number,
  transact = inTransaction,
): Promise<TakenKey | undefined> {
  return transact(db, async tx => {
    const take = async () => {
      const { numAffectedRows } = await insertUnlessThere(tx, { ...of, request, at })
      return numAffectedRows === 1n
    }
    if (await take()) return undefined
    const { numDeletedRows } = await tx
      .deleteFrom('idempotency_keys')
      .where('account_id', '=', of.accountId)
      .where('key', '=', of.key)
      .where('created_at', '<=', at - keptMs)
      .executeTakeFirst()
    if (numDeletedRows === 1n && (await take())) return undefined
    const row = await tx
      .selectFrom('idempotency_keys')
      .select(['request', 'started_at', 'answer'])
      .where('account_id', '=', of.accountId)
      .where('key', '=', of.key)
      .executeTakeFirstOrThrow()
    return { request: row.request, startedAt: row.started_at, answer: row.answer ?? undefined }
  })
}

const insertUnlessThere = compileOnce(
  (
    db: Database,
    {
      accountId,
      key,
      request,
      at,
    }: Places<{ accountId: number; key: string; request: string; at: number }>,
  ) =>
    db
      .insertInto('idempotency_keys')
      .values({ account_id: accountId, key, request, created_at: at, started_at: at })
      .onConflict(conflict => conflict.columns(['account_id', 'key']).doNothing()),
)

/** Take over from an attempt that ended without an answer; false when somebody else did. */
export function takeOver(db: Database, of: KeyOf, startedAt: number, at: number): Promise<boolean> {
  return startAt(db, of, startedAt, at)
}

/**
 * Keep the answer of an attempt; false when another attempt took over. Outside of a transaction it is not
 * waited for that it is durable: what was made is, and tells the next attempt.
 */
export function keepAnswer(
  db: Database | Tx,
  of: KeyOf,
  startedAt: number,
  answer: Buffer,
): Promise<boolean> {
  return inUnflushedTransaction(db, async tx => {
    const { numAffectedRows } = await setAnswer(tx, { ...of, startedAt, answer })
    return numAffectedRows === 1n
  })
}

const setAnswer = compileOnce(
  (
    db: Database,
    {
      accountId,
      key,
      startedAt,
      answer,
    }: Places<{ accountId: number; key: string; startedAt: number; answer: Buffer }>,
  ) =>
    db
      .updateTable('idempotency_keys')
      .set({ answer })
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .where('started_at', '=', startedAt)
      .where('answer', 'is', null),
)

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
      await startAt(tx, of, startedAt, 0)
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
  const { numAffectedRows } = await insertMade(tx, { ...of, part, made })
  return numAffectedRows === 1n
}

const insertMade = compileOnce(
  (
    db: Database,
    {
      accountId,
      key,
      part,
      made,
    }: Places<{ accountId: number; key: string; part: number; made: string }>,
  ) =>
    db
      .insertInto('idempotency_made')
      .values({ account_id: accountId, key, part, made })
      .onConflict(conflict => conflict.columns(['account_id', 'key', 'part']).doNothing()),
)

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

/** Say when an attempt that has no answer began, unless another one took over. */
async function startAt(
  db: Database | Tx,
  of: KeyOf,
  startedAt: number,
  to: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ started_at: to })
    .where('account_id', '=', of.accountId)
    .where('key', '=', of.key)
    .where('started_at', '=', startedAt)
    .where('answer', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
