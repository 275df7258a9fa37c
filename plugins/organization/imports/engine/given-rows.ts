import { sql } from 'kysely'

/** The columns of rows, by what they hold. */
export interface Columns {
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
}

export type GivenRow = Readonly<Record<string, string | number | null>>

/**
 * Rows to insert, as one parameter: a statement with a thousand of them takes longer to write than to carry out. SQLite and
 * PostgreSQL both read it. Texts come first.
 */
export function givenRows(rows: readonly GivenRow[], { texts, numbers }: Columns) {
  const names = [...texts, ...numbers]
  const columns = names.map((_, at) => {
    const value = sql`given.value ->> ${sql.lit(at)}`
    return at < texts.length ? value : sql`cast(${value} as bigint)`
  })
  const values = rows.map(row => names.map(name => wellFormed(row[name] ?? null)))
  // SQLite would take `on conflict` for a part of the join.
  return sql<never>`select ${sql.join(columns)} from json_each(${asJson(values)}) as given where true`
}

/** Texts for `in`, as one parameter. */
export function givenTexts(texts: readonly string[]) {
  const values = [...new Set(texts)].map(text => [wellFormed(text)])
  return sql<string>`(select given.value ->> 0 from json_each(${asJson(values)}) as given)`
}

/** PostgreSQL takes apart objects only. */
function asJson(values: readonly unknown[]): string {
  return JSON.stringify({ ...values })
}

/** No database stores half a character. */
function wellFormed<T extends string | number | null>(value: T): T | string {
  return typeof value === 'string' ? value.toWellFormed() : value
}
