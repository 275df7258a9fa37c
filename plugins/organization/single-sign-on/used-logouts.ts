import { createHash } from 'node:crypto'
import type { Context, Fields, Migration } from '../../../core/plugin.ts'

const table = 'organization_single_sign_on_logouts'

export interface Tables {
  /** Logout tokens that have done their work, by SHA-256 of their ids, until none of their age counts. */
  readonly [table]: { readonly id_hash: string; readonly ends_at: number }
}

type OwnContext = Pick<Context<Fields, unknown, Tables>, 'db' | 'now'>

export const makeTables: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('id_hash', 'text', it => it.primaryKey())
    .addColumn('ends_at', 'bigint', it => it.notNull())
    .execute()
}

export async function isUsed(id: string, { db }: Pick<OwnContext, 'db'>): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id_hash')
    .where('id_hash', '=', hash(id))
    .executeTakeFirst()
  return row !== undefined
}

export async function noteUsed(id: string, lifeMs: number, { db, now }: OwnContext): Promise<void> {
  const at = now().getTime()
  await db.deleteFrom(table).where('ends_at', '<', at).execute()
  await db
    .insertInto(table)
    .values({ id_hash: hash(id), ends_at: at + lifeMs })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

function hash(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
