import { type Compilable, type CompiledQuery, type Kysely, type QueryResult, sql } from 'kysely'

/** Values that a query is run with, by name. */
type Values = Readonly<Record<string, unknown>>

/** Stands for the values in the query. */
export type Places<V extends Values> = {
  readonly [Name in keyof V]: ReturnType<typeof sql.val<V[Name]>>
}

/**
 * A query that is built and compiled when it is first run, and from then on only run, each time with other
 * values: for those that most requests ask. `build` must not look at what the values are.
 *
 *     const findName = compileOnce((db: Database, { id }: Places<{ id: number }>) =>
 *       db.selectFrom('accounts').select('name').where('id', '=', id))
 *     const { rows } = await findName(db, { id: 1 })
 */
export function compileOnce<DB, V extends Values, Row>(
  build: (db: Kysely<DB>, places: Places<V>) => Compilable<Row>,
): (db: Kysely<DB>, values: V) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined
  return (db, values) => {
    compiled ??= build(db, placesOf(values)).compile()
    const { parameters } = compiled
    return db.executeQuery({
      ...compiled,
      parameters: parameters.map(it => (it instanceof Place ? values[it.name] : it)),
    })
  }
}

/** What a value is put in the place of. */
class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

function placesOf<V extends Values>(values: V): Places<V> {
  const names = Object.keys(values)
  return Object.fromEntries(names.map(name => [name, sql.val(new Place(name))])) as Places<V>
}
