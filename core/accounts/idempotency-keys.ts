import { yieldToRedirects } from '../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../lib/compile-once.ts'
import {
  type Database,
  inTransaction,
  inUnflushedTransaction,
  type Tx,
} from '../storage/database.ts'

/** How long a key is remembered, in milliseconds. */
const keptMs = 86_400_000

/** Each, and what it made, is on a page of its own: so many take some milliseconds. */
const keysAtOnce = 200

/** Whose key it is, and its digest. */
export interface KeyOf {
  readonly accountId: number
  /** SHA-256, hexadecimal: somebody who reads the database does not learn the key. */
  readonly key: string
}

/** A key that an earlier request took. */
export interface TakenKey {
  /** Digest of what that request asked for, keyed by the key. */
  readonly request: string
  /** When its latest attempt began, in milliseconds since 1970 UTC. */
  readonly startedAt: number
  /** Undefined if the request was not answered, or its answer was not kept. */
  readonly answer: Buffer | undefined
}

/**
 * Take a key for a request, so that no other request has it. Returns undefined, or the earlier request that
 * took the key. With `inUnflushedTransaction`, the key becomes durable with what the request writes; a request
 * that writes nothing does not need it.
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
    { accountId, key, request, at }: Places<KeyOf & { request: string; at: number }>,
  ) =>
    db
      .insertInto('idempotency_keys')
      .values({ account_id: accountId, key, request, created_at: at, started_at: at })
      .onConflict(conflict => conflict.columns(['account_id', 'key']).doNothing()),
)

/**
 * Keep the answer of an attempt; false if another attempt took over. Outside a transaction, this does not wait
 * until the answer is durable: what the attempt made is durable, and the next attempt finds it.
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
  (db: Database, it: Places<KeyOf & { startedAt: number; answer: Buffer }>) =>
    db
      .updateTable('idempotency_keys')
      .set({ answer: it.answer })
      .where('account_id', '=', it.accountId)
      .where('key', '=', it.key)
      .where('started_at', '=', it.startedAt)
      .where('answer', 'is', null),
)

/**
 * Release the key of an attempt that failed. If the attempt made something, the key stays for another attempt
 * to take over.
 */
export async function releaseKey(db: Database, of: KeyOf, startedAt: number): Promise<void> {
  await inTransaction(db, async tx => {
    const hasMade = await tx
      .selectFrom('idempotency_made')
      .select('part')
      .where('account_id', '=', of.accountId)
      .where('key', '=', of.key)
      .executeTakeFirst()
    if (hasMade) {
      await takeOver(tx, of, startedAt, 0)
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

/** Note what a part of a request made, in the same transaction; false if another attempt has made it. */
export async function noteMade(tx: Tx, of: KeyOf, part: number, made: string): Promise<boolean> {
  const { numAffectedRows } = await insertMade(tx, { ...of, part, made })
  return numAffectedRows === 1n
}

const insertMade = compileOnce(
  (db: Database, { accountId, key, part, made }: Places<KeyOf & { part: number; made: string }>) =>
    db
      .insertInto('idempotency_made')
      .values({ account_id: accountId, key, part, made })
      .onConflict(conflict => conflict.columns(['account_id', 'key', 'part']).doNothing()),
)

/** What an earlier attempt made for a part of a request. */
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

/** Forget keys that are a day old, some at a time in the order of their index; `at` is now. */
export async function forgetKeys(db: Database, at: number): Promise<void> {
  let after = { account_id: 0, key: '' }
  for (;;) {
    await yieldToRedirects()
    const { account_id, key } = after
    const next = await db
      .selectFrom('idempotency_keys')
      .select(['account_id', 'key'])
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('account_id', 'key'), '>', tuple(account_id, key)),
      )
      .orderBy('account_id')
      .orderBy('key')
      .limit(keysAtOnce)
      .execute()
    const last = next.at(-1)
    if (!last) return
    await db
      .deleteFrom('idempotency_keys')
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('account_id', 'key'), '>', tuple(account_id, key)),
      )
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('account_id', 'key'), '<=', tuple(last.account_id, last.key)),
      )
      .where('created_at', '<=', at - keptMs)
      .execute()
    after = last
  }
}

/** Take over from an attempt that ended without an answer, as an attempt that began `at`; false if another did. */
export async function takeOver(
  db: Database,
  of: KeyOf,
  startedAt: number,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ started_at: at })
    .where('account_id', '=', of.accountId)
    .where('key', '=', of.key)
    .where('started_at', '=', startedAt)
    .where('answer', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
