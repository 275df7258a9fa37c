import { type Context, newRowId, type Refusal, readPublicId, refuse } from '../../core/plugin.ts'
import { foldName } from './name-and-color.ts'

type Db = Context['db']

/** A row with a name that no other row of its account has, in upper or lower case. */
export interface NamedRow {
  readonly id: number
  readonly name: string
}

/** Values of columns. */
type Named = Pick<NamedRow, 'name'>

/** Where rows of one kind are stored, and what they are called. */
export interface Kept {
  /** Such as `tag`. */
  readonly word: string
  /** Kind of its public id. */
  readonly idKind: string
  readonly table: string
}

/** Reads and writes rows of one kind. Every function sees only those of one account. */
export function namedRows<Row extends NamedRow>({ word, idKind, table }: Kept) {
  const ownedBy = (db: Db, accountId: number) =>
    db.selectFrom(table).where('account_id', '=', accountId)

  const withId = (db: Db, accountId: number, id: string) =>
    // Rows are numbered from 1: 0 matches none.
    ownedBy(db, accountId).where('id', '=', readPublicId(idKind, id) ?? 0)

  const countIn = async (query: ReturnType<typeof ownedBy>) => {
    const counting = query.select(({ fn }) => fn.countAll().as('rows'))
    const { rows } = await counting.executeTakeFirstOrThrow()
    return Number(rows)
  }

  const taken = refuse('name_taken', `You already have a ${word} with this name.`, 409, 'name')

  return {
    ownedBy,
    /** The row with a public id; none for those of other accounts and for any other text. */
    withId,
    countIn,
    count: (db: Db, accountId: number) => countIn(ownedBy(db, accountId)),

    /** Adds one. Refuses a name that is taken. */
    async add(db: Db, accountId: number, values: Named): Promise<Row | Refusal> {
      const row = await db
        .insertInto(table)
        .values({
          ...values,
          id: newRowId(),
          account_id: accountId,
          folded_name: foldName(values.name),
        })
        .onConflict(conflict => conflict.columns(['account_id', 'folded_name']).doNothing())
        .returningAll()
        .executeTakeFirst()
      return row ? (row as Row) : taken
    },

    /** Absent values stay. Refuses a name that is taken. */
    async change(
      db: Db,
      accountId: number,
      before: Row,
      values: { readonly name?: string | undefined },
    ): Promise<Row | Refusal> {
      const folded_name = foldName(values.name ?? before.name)
      const namesakes = ownedBy(db, accountId)
        .select('id')
        .where('folded_name', '=', folded_name)
        .where('id', '!=', before.id)
      // Checked in the same statement, so that no other request can come in between.
      const row = await db
        .updateTable(table)
        .set({ ...values, folded_name })
        .where('id', '=', before.id)
        .where(({ exists, not }) => not(exists(namesakes)))
        .returningAll()
        .executeTakeFirst()
      return row ? { ...before, ...(row as Row) } : taken
    },

    /** Deletes one. False if there is no such row. */
    async remove(db: Db, accountId: number, id: string): Promise<boolean> {
      const removed = await db
        .deleteFrom(table)
        .where('id', 'in', withId(db, accountId, id).select('id'))
        .executeTakeFirstOrThrow()
      return removed.numDeletedRows > 0n
    },
  }
}
