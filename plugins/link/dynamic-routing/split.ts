import { createHmac, randomBytes } from 'node:crypto'
import type { Context, Migration, Visit } from '../../../core/plugin.ts'

/** Returns where a visitor falls in a split of a link: evenly distributed from 0 up to 100. `split` counts from 0. */
export type Draw = (visit: Visit, split: number) => number

const table = 'link_dynamic_routing_keys'

export const makeKeyTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('id', 'integer', c => c.primaryKey())
    .addColumn('key', 'text', c => c.notNull())
    .execute()
}

/**
 * Draws by a keyed hash of the visitor and the link. The same visitor falls on the same place each time, even after a
 * restart, without a cookie and without storing anything about the visitor.
 */
export async function openDraw(db: Context['db']): Promise<Draw> {
  const key = (await readKey(db)) ?? (await makeKey(db))
  return ({ visitor, userAgent, link }, split) => {
    const who = [link.id, split, visitor, userAgent].join('\n')
    return (createHmac('sha256', key).update(who).digest().readUInt32BE() / 2 ** 32) * 100
  }
}

async function readKey(db: Context['db']): Promise<string | undefined> {
  const row = await db.selectFrom(table).select('key').executeTakeFirst()
  return row?.key
}

/** If two processes start at once, both use the key that was stored first. */
async function makeKey(db: Context['db']): Promise<string> {
  await db
    .insertInto(table)
    .values({ id: 1, key: randomBytes(32).toString('base64url') })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
  const { key } = await db.selectFrom(table).select('key').executeTakeFirstOrThrow()
  return key
}
