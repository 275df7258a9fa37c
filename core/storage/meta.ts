import { createHash, randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** The key of the schema version, in databases that have no place of their own for it. */
export const versionKey = 'schema'

/** The key of the run-time settings, if they are in the database and not in `settings.json`. */
export const settingsKey = 'settings'

/** The key of the secret that signs what visitors carry, which also tells one instance from another. */
const secretKey = 'secret'

/** A table that exists only while a database is being moved to; the last step of the move removes it. */
export const tableOfMove = 'linnet_move'

/**
 * The instance's own secret, 32 bytes, created at the first start: it signs what visitors carry. Later it is only
 * read, because on a full disk nothing else is possible.
 */
export async function instanceSecret(db: Database): Promise<Buffer> {
  const found = await readMeta(db, secretKey)
  if (found !== undefined) return Buffer.from(found, 'base64url')
  const fresh = randomBytes(32).toString('base64url')
  await addMeta(db, secretKey, fresh)
  return Buffer.from((await readMeta(db, secretKey)) ?? fresh, 'base64url')
}

/** A name that tells one instance from another, and stays the same when the instance moves to another database. */
export async function nameOfInstance(db: Database): Promise<string> {
  return digestOf((await readMeta(db, secretKey)) ?? '')
}

/** Whether a database belongs to the instance with this name. One without a secret belongs to none yet. */
export async function belongsTo(db: Database, name: string): Promise<boolean> {
  const secret = await readMeta(db, secretKey)
  return secret !== undefined && digestOf(secret) === name
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The value of a key in `meta`; undefined if there is none. */
export async function readMeta(db: Database, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

/** Sets the value of a key in `meta`. */
export async function writeMeta(db: Database, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Sets the value of a key in `meta` that has none; false if it has one, which stays. */
export async function addMeta(db: Database, key: string, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}
