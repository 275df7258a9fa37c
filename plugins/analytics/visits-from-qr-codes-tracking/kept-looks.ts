import type { Context, Migration } from '../../../core/plugin.ts'
import { type Look, type LookPart, usualLook, withPart } from './look.ts'

type Db = Context['db']

const prefix = 'analytics_visits_from_qr_codes_tracking'

/** The owners of looks. The look of an account applies to all its links without one of their own. */
export const ofAccount = { table: `${prefix}_account_looks`, owner: 'account_id' } as const
export const ofLink = { table: `${prefix}_link_looks`, owner: 'link_id' } as const

type Keeper = typeof ofAccount | typeof ofLink

export const makeLookTables: Migration = async ({ schema }) => {
  for (const [{ table, owner }, key] of [
    [ofAccount, 'accounts.id'],
    [ofLink, 'links.id'],
  ] as const) {
    await schema
      .createTable(table)
      .addColumn(owner, 'bigint', c => c.primaryKey().references(key).onDelete('cascade'))
      .addColumn('look', 'text', c => c.notNull())
      .execute()
  }
}

/** The stored look; undefined if there is none. */
export async function readLook(
  db: Db,
  { table, owner }: Keeper,
  rowId: number,
): Promise<Look | undefined> {
  const row = await db.selectFrom(table).select('look').where(owner, '=', rowId).executeTakeFirst()
  return row && withPart(usualLook, JSON.parse(String(row.look)) as LookPart)
}

export async function keepLook(
  db: Db,
  { table, owner }: Keeper,
  rowId: number,
  look: Look,
): Promise<void> {
  const text = JSON.stringify(look)
  await db
    .insertInto(table)
    .values({ [owner]: rowId, look: text })
    .onConflict(conflict => conflict.column(owner).doUpdateSet({ look: text }))
    .execute()
}

export async function forgetLook(db: Db, { table, owner }: Keeper, rowId: number): Promise<void> {
  await db.deleteFrom(table).where(owner, '=', rowId).execute()
}
