import { sql } from 'kysely'
import {
  type Context,
  newRowId,
  type Part,
  type Refusal,
  readPublicId,
  readSlice,
  refuse,
  type Slice,
} from '../../core/plugin.ts'
import { isPartOf } from './is-part-of.ts'
import { foldName, nextColor } from './name-and-color.ts'

type Db = Context['db']

/** A row of a tag or a campaign: something with a name that links are put into. Moments in ms since 1970 UTC. */
export interface Thing {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly created_at: number
  readonly updated_at: number
  /** How many links are in it. */
  readonly links_count: number
}

/** Where things of one kind are stored, and what they are called. */
interface Kept {
  /** Such as `tag`. */
  readonly word: string
  /** Kind of its public id. */
  readonly idKind: string
  readonly table: string
  /** The table that says which links are in which thing. */
  readonly linksTable: string
  /** The column of that table with the id of the thing. */
  readonly linksKey: string
}

/** The columns that can be set. */
type Values<Row extends Thing> = Omit<Row, 'id' | 'created_at' | 'updated_at' | 'links_count'>

type Changes<Row extends Thing> = {
  readonly [Key in keyof Values<Row>]?: Values<Row>[Key] | undefined
}

/** Reads and writes things of one kind. Every function sees only those of one account. */
export function ownThings<Row extends Thing>(kept: Kept) {
  const { word, idKind, table, linksTable, linksKey } = kept

  const ownedBy = (db: Db, accountId: number) =>
    db.selectFrom(table).where('account_id', '=', accountId)

  const countIn = async (query: ReturnType<typeof ownedBy>) => {
    const counting = query.select(({ fn }) => fn.countAll().as('things'))
    const { things } = await counting.executeTakeFirstOrThrow()
    return Number(things)
  }

  const withLinksCount = (query: ReturnType<typeof ownedBy>) =>
    query.selectAll(table).select(({ selectFrom }) =>
      selectFrom(linksTable)
        .whereRef(`${linksTable}.${linksKey}`, '=', `${table}.id`)
        .select(({ fn }) => fn.countAll().as('links'))
        .as('links_count'),
    )

  const taken = () =>
    refuse('name_taken', `You already have a ${word} with this name.`, 409, 'name')

  return {
    count: (db: Db, accountId: number) => countIn(ownedBy(db, accountId)),

    /** Finds one by its public id; undefined for those of other accounts and for any other text. */
    async find(db: Db, accountId: number, id: string): Promise<Row | undefined> {
      const rowId = readPublicId(idKind, id)
      if (rowId === undefined) return undefined
      const found = ownedBy(db, accountId).where('id', '=', rowId)
      return (await withLinksCount(found).executeTakeFirst()) as Row | undefined
    },

    /** Lists them by name. `search` is a part of the name, in upper or lower case. */
    async list(
      db: Db,
      accountId: number,
      { search = '', ...page }: Slice & { readonly search?: string | undefined },
    ): Promise<Part<Row> & { readonly total: number }> {
      const pattern = `%${foldName(search).replace(/[\\%_]/g, '\\$&')}%`
      const isFound = sql<boolean>`${sql.ref('folded_name')} like ${pattern} escape '\\'`
      const found = ownedBy(db, accountId).where(isFound)
      const { rows, next } = await readSlice(withLinksCount(found), { by: ['folded_name'] }, page)
      return { rows: rows as Row[], next, total: await countIn(found) }
    },

    /** Adds one, in the next colour of the palette if none was chosen. Refuses a name that is taken. */
    async add(
      db: Db,
      accountId: number,
      values: Omit<Values<Row>, 'color'> & { readonly color: string | undefined },
      at: Date,
    ): Promise<Row | Refusal> {
      const row = await db
        .insertInto(table)
        .values({
          ...values,
          id: newRowId(),
          account_id: accountId,
          folded_name: foldName(values.name),
          color: values.color ?? nextColor(await countIn(ownedBy(db, accountId))),
          created_at: at.getTime(),
          updated_at: at.getTime(),
        })
        .onConflict(conflict => conflict.columns(['account_id', 'folded_name']).doNothing())
        .returningAll()
        .executeTakeFirst()
      return row ? ({ ...row, links_count: 0 } as Row) : taken()
    },

    /** Absent values stay. A change without effect leaves `updated_at` as it is. Refuses a name that is taken. */
    async change(
      db: Db,
      accountId: number,
      before: Row,
      values: Changes<Row>,
      at: Date,
    ): Promise<Row | Refusal> {
      if (isPartOf(before, values)) return before
      const foldedName = foldName(values.name ?? before.name)
      const namesakes = ownedBy(db, accountId)
        .select('id')
        .where('folded_name', '=', foldedName)
        .where('id', '!=', before.id)
      // Checked in the same statement, so that no other request can come in between.
      const row = await db
        .updateTable(table)
        .set({ ...values, folded_name: foldedName, updated_at: at.getTime() })
        .where('id', '=', before.id)
        .where(({ exists, not }) => not(exists(namesakes)))
        .returningAll()
        .executeTakeFirst()
      return row ? ({ ...before, ...row } as Row) : taken()
    },

    /** Deletes one, but not its links. False if there is no such thing. */
    async remove(db: Db, accountId: number, id: string): Promise<boolean> {
      const rowId = readPublicId(idKind, id)
      if (rowId === undefined) return false
      const removed = await db
        .deleteFrom(table)
        .where('account_id', '=', accountId)
        .where('id', '=', rowId)
        .executeTakeFirstOrThrow()
      return removed.numDeletedRows > 0n
    },
  }
}
