import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** The key of the schema version, in databases that have no place of their own for it. */
export const versionKey = 'schema'

/** The key of the run-time settings, if they are in the database and not in `settings.json`. */
export const settingsKey = 'settings'

/** A table that exists only while a database is being moved to; the last step of the move removes it. */
export const tableOfMove = 'linnet_move'

/**
 * The instance's own secret, 32 bytes, created at the first start: it signs what visitors carry. Later it is only
 * read, because on a full disk nothing else is possible.
 */
export async function instanceSecret(db: Database): Promise<Buffer> {
  const found = await readSecret(db)
  if (found !== undefined) return Buffer.from(found, 'base64url')
  const fresh = randomBytes(32).toString('base64url')
  await db
    .insertInto('meta')
    .values({ key: 'secret', value: fresh })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
  return Buffer.from((await readSecret(db)) ?? fresh, 'base64url')
}

async function readSecret(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'secret')
    .executeTakeFirst()
  return row?.value
}
