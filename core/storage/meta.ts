import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** The instance's own secret, 32 bytes, made at the first start: it signs what visitors carry. */
export async function instanceSecret(db: Database): Promise<Buffer> {
  const fresh = randomBytes(32).toString('base64url')
  await db
    .insertInto('meta')
    .values({ key: 'secret', value: fresh })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
  const { value } = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'secret')
    .executeTakeFirstOrThrow()
  return Buffer.from(value, 'base64url')
}
