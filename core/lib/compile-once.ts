import { type Compilable, type CompiledQuery, type Kysely, type QueryResult, sql } from 'kysely'

/** Values of a query, by name. A list is for `in`. */
type Values = Readonly<Record<string, unknown>>

/** Placeholders of the values in a query. */
export type Places<V extends object> = {
  readonly [Name in keyof V]: V[Name] extends readonly (infer Item)[]
    ? readonly ReturnType<typeof sql.val<Item>>[]
    : ReturnType<typeof sql.val<V[Name]>>
}

/**
 * A query that is built and compiled only when it is first run, for queries that run often. `build` gets
 * placeholders and must not depend on the values. A list is filled up with its last value to the next of 1, 2,
 * 4, 8 and so on, and the query is compiled once for each of these lengths. Queries compiled for another kind
 * of database are forgotten: a program seldom uses two.
 *
 * @example
 * const findNames = compileOnce((db: Database, { ids }: Places<{ ids: readonly number[] }>) =>
 *   db.selectFrom('accounts').select('name').where('id', 'in', ids))
 * const { rows } = await findNames(db, { ids: [1, 2, 3] })
 */
export function compileOnce<DB, V extends object, Row>(
  build: (db: Kysely<DB>, placeholders: Places<V>) => Compilable<Row>,
): CompiledOnce<DB, V, Row> {
  const compiled = new Map<string, CompiledQuery<Row>>()
  let compiledFor: unknown
  const withValues = (db: Kysely<DB>, values: V & Values): CompiledQuery<Row> => {
    const kind = kindOf(db)
    if (kind !== compiledFor) compiled.clear()
    compiledFor = kind
    const lengths = lengthsOf(values)
    const query = compiled.get(lengths) ?? build(db, placeholdersOf(values)).compile()
    compiled.set(lengths, query)
    const parameters = query.parameters.map(it =>
      it instanceof Placeholder ? it.valueIn(values) : it,
    )
    return { ...query, parameters }
  }
  const run = async (db: Kysely<DB>, values: V & Values) => {
    const query = withValues(db, values)
    return readAtOnce(db, query) ?? (await db.executeQuery(query))
  }
  return Object.assign(run, { withValues })
}

/** A query that is compiled once, and runs when it is called. */
export interface CompiledOnce<DB, V extends object, Row> {
  (db: Kysely<DB>, values: V & Values): Promise<QueryResult<Row>>
  /** The query with these values, without running it. */
  withValues(db: Kysely<DB>, values: V & Values): CompiledQuery<Row>
}

/** What a dialect may have whose database answers at once: Kysely would wait a dozen times for each read. */
export interface ReadsAtOnce {
  /** Undefined if the query is no read, or has to wait. */
  readAtOnce<Row>(query: CompiledQuery<Row>): QueryResult<Row> | undefined
}

function readAtOnce<DB, Row>(
  db: Kysely<DB>,
  query: CompiledQuery<Row>,
): QueryResult<Row> | undefined {
  const { adapter } = db.getExecutor()
  // A transaction reads what it has written.
  return db.isTransaction || !('readAtOnce' in adapter)
    ? undefined
    : (adapter as ReadsAtOnce).readAtOnce(query)
}

/** The same value for all databases that understand the same SQL. */
export function kindOf<DB>(db: Kysely<DB>): unknown {
  return db.getExecutor().adapter.constructor
}

/** The number of placeholders of each list among the values, as text. */
function lengthsOf(values: Values): string {
  let lengths = ''
  for (const name in values) {
    const length = lengthOf(values[name])
    if (length !== undefined) lengths += `${length} `
  }
  return lengths
}

/** Stands for a value, or for one item of a list. */
class Placeholder {
  readonly #name: string
  readonly #index: number

  constructor(name: string, index = 0) {
    this.#name = name
    this.#index = index
  }

  valueIn(values: Values): unknown {
    const value = values[this.#name]
    return Array.isArray(value) ? value[Math.min(this.#index, value.length - 1)] : value
  }
}

function placeholdersOf<V extends Values>(values: V): Places<V> {
  const placeholders = Object.entries(values).map(([name, value]) => {
    const length = lengthOf(value)
    const one = (index?: number) => sql.val(new Placeholder(name, index))
    return [name, length === undefined ? one() : Array.from({ length }, (_, at) => one(at))]
  })
  return Object.fromEntries(placeholders) as Places<V>
}

/** How many placeholders a list has, or undefined if the value is not a list. */
function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? 2 ** Math.ceil(Math.log2(value.length)) : undefined
}
