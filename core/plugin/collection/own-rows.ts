import type { SelectQueryBuilder } from 'kysely'
import { newRowId } from '../../lib/public-id.ts'
import type { Context } from '../context.ts'
import type { Tables } from '../plugin-tables.ts'

type Db = Context['db']

/** A row of a collection. */
export interface CollectionRow {
  readonly id: number
}

/** A query for rows of a collection. */
export type CollectionRows = SelectQueryBuilder<Tables, string, object>

/** Values by column. */
export type Columns = Readonly<Record<string, unknown>>

interface Kept {
  readonly table: string
  /** Columns that together are different in each row of an account. */
  readonly unique?: readonly string[] | undefined
  /** All rows of all accounts. */
  all(db: Db): CollectionRows
}

/** Reads and writes the rows of a table with `id` and `account_id`. Every function sees those of one account. */
export function ownRows<Row extends CollectionRow>({ table, unique, all }: Kept) {
  const of = (db: Db, accountId: number) => all(db).where(`${table}.account_id`, '=', accountId)

  return {
    of,

    async find(db: Db, accountId: number, id: number): Promise<Row | undefined> {
      const found = of(db, accountId).where(`${table}.id`, '=', id)
      return (await found.executeTakeFirst()) as Row | undefined
    },

    /** Adds a row. Returns its id; undefined if it would not be unique. */
    async add(db: Db, accountId: number, columns: Columns): Promise<number | undefined> {
      const id = newRowId()
      const adding = db.insertInto(table).values({ ...columns, id, account_id: accountId })
      const added = unique
        ? adding.onConflict(on => on.columns(['account_id', ...unique]).doNothing())
        : adding
      return (await added.returning('id').executeTakeFirst()) && id
    },

    /** Changes a row. False if it would not be unique. */
    async change(db: Db, accountId: number, before: Row, columns: Columns): Promise<boolean> {
      const changing = db.updateTable(table).set(columns).where('id', '=', before.id)
      const after: Columns = { ...before, ...columns }
      const others = db
        .selectFrom(table)
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', '!=', before.id)
      const twins = unique?.reduce((rows, name) => rows.where(name, '=', after[name]), others)
      // Checked in the same statement, so that no other request can come in between.
      const changed = twins ? changing.where(({ exists, not }) => not(exists(twins))) : changing
      return (await changed.executeTakeFirstOrThrow()).numUpdatedRows > 0n
    },

    async remove(db: Db, { id }: Row): Promise<void> {
      await db.deleteFrom(table).where('id', '=', id).execute()
    },
  }
}

/** How many rows a query finds. */
export async function countRows(rows: CollectionRows): Promise<number> {
  const { all } = await rows
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('all'))
    .executeTakeFirstOrThrow()
  return Number(all)
}

/** The values that a row has not yet; undefined if there are none. Undefined values are ignored. */
export function changedIn(values: Columns, row: object): Columns | undefined {
  const has: Columns = { ...row }
  const changed = Object.entries(values).filter(
    ([name, it]) => it !== undefined && it !== has[name],
  )
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}
