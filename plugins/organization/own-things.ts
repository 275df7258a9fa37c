import { sql } from 'kysely'
import {
  type Context,
  isRefusal,
  type Part,
  type Refusal,
  readSlice,
  type Slice,
} from '../../core/plugin.ts'
import { isPartOf } from './is-part-of.ts'
import { foldName, nextColor } from './name-and-color.ts'
import { type Kept, type NamedRow, namedRows } from './named-rows.ts'

type Db = Context['db']

/** A row of a tag or a campaign: something that links are put into. Moments in ms since 1970 UTC. */
export interface Thing extends NamedRow {
  readonly color: string
  readonly created_at: number
  readonly updated_at: number
  /** How many links are in it. */
  readonly links_count: number
}

/** Where things of one kind are stored, and the links in them. */
interface KeptThings extends Kept {
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
export function ownThings<Row extends Thing>({ linksTable, linksKey, ...kept }: KeptThings) {
  const { table } = kept
  const { ownedBy, withId, countIn, count, remove, ...rows } = namedRows<Row>(kept)

  const withLinksCount = (query: ReturnType<typeof ownedBy>) =>
    query.selectAll(table).select(({ selectFrom }) =>
      selectFrom(linksTable)
        .whereRef(`${linksTable}.${linksKey}`, '=', `${table}.id`)
        .select(({ fn }) => fn.countAll().as('links'))
        .as('links_count'),
    )

  return {
    count,

    /** Finds one by its public id; undefined for those of other accounts and for any other text. */
    async find(db: Db, accountId: number, id: string): Promise<Row | undefined> {
      return (await withLinksCount(withId(db, accountId, id)).executeTakeFirst()) as Row | undefined
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
      const color = values.color ?? nextColor(await count(db, accountId))
      const columns = { ...values, color, created_at: at.getTime(), updated_at: at.getTime() }
      const row = await rows.add(db, accountId, columns)
      return isRefusal(row) ? row : { ...row, links_count: 0 }
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
      const columns = { ...values, updated_at: at.getTime() }
      return rows.change(db, accountId, before, columns)
    },

    /** Deletes one, but not its links. False if there is no such thing. */
    remove,
  }
}
