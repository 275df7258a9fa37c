import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

/** A position in a list: the sort keys of the row before it. */
export type Position = readonly (string | number)[]

/** A part of a list: at most `limit` rows, after skipping `offset`. */
export interface Slice {
  readonly offset: number
  readonly limit: number
  /** The position after which it begins. Default: the beginning of the list. */
  readonly after?: Position
}

/** The rows of a page, and where the next page begins; null if this is the last. */
export interface Part<Row> {
  readonly rows: readonly Row[]
  readonly next: Position | null
}

/**
 * The order of a list. The last key must be unique.
 *
 * @example
 * const newestFirst: Order = { by: ['created_at', 'id'], descending: true }
 */
export interface Order {
  /** Columns or expressions, none of which may be null. */
  readonly by: readonly (string | Expression<unknown>)[]
  readonly descending?: boolean
}

/**
 * Read a part of a list. With `after` it continues from the last row that was shown, so that no row is repeated or left
 * out when other rows are added or deleted in between. `query` must have neither an order nor a limit.
 *
 * @example
 * const things = db.selectFrom('acme_things').selectAll()
 * const { rows, next } = await readSlice(things, { by: ['name', 'id'] }, sliceOf(query))
 *
 * @param total The number of rows of `query`, if known. A page of the second half is then read from the end, because a
 * database sorts all rows that it skips.
 */
export async function readSlice<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { by, descending = false }: Order,
  { offset, limit, after }: Slice,
  total = 0,
): Promise<Part<Row>> {
  const fromEnd = !after && offset > total / 2 && offset < total
  // One more row tells whether there is a next page. When reading from the end, `total` tells.
  const taken = fromEnd ? Math.min(limit, total - offset) : limit + 1
  const keys = by.map((key): Expression<unknown> => (typeof key === 'string' ? sql.ref(key) : key))
  const rest = after ? query.where(isPast(keys, after, descending)) : query
  const sorted = keys.reduce<typeof query>(
    (it, key) => it.orderBy(key, descending === fromEnd ? 'asc' : 'desc'),
    rest,
  )
  const found = await sorted
    .select(keys.map((key, index) => sql<string | number>`${key}`.as(`key_${index}`)))
    .limit(taken)
    .offset(fromEnd ? total - offset - taken : offset)
    .execute()
  if (fromEnd) found.reverse()
  const hasMore = fromEnd ? offset + taken < total : found.length > limit
  const last = hasMore ? found[limit - 1] : undefined
  return {
    rows: found.slice(0, limit) as readonly Row[],
    next: last ? keys.map((_, index) => (last as Keys)[`key_${index}`] ?? 0) : null,
  }
}

/** Compares the first key by itself too, because only that makes the database use an index on an expression. */
function isPast(keys: readonly Expression<unknown>[], after: Position, descending: boolean) {
  const past = sql.raw(descending ? '<' : '>')
  const begins = sql`${keys[0]} ${past}= ${after[0]}`
  return sql<SqlBool>`(${begins} and (${sql.join(keys)}) ${past} (${sql.join(after)}))`
}

type Keys = Readonly<Record<string, string | number>>
