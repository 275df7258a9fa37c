import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** Under which the version of the schema is kept where the database has no place of its own for it. */
export const versionKey = 'schema'

/** Under which settings of run time are, where they are in the database and not in `settings.json`. */
export const settingsKey = 'settings'

/** A table that is there while a database is moved to, and goes with the last step of that. */
export const tableOfMove = 'linnet_move'

/**
 * The instance's own secret, 32 bytes, made at the first start: it signs what visitors carry. Once it is
 * there it is only read, as on a full disk nothing else can be done.
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
