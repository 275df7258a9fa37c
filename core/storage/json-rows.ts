import { type RawBuilder, sql } from 'kysely'

/** Columns of a table by their kind, in the order in which `rowsOf` selects them. */
export interface Columns<Name extends string> {
  readonly texts: readonly Name[]
  readonly numbers: readonly Name[]
}

/** The names of the columns, in that order. */
export function namesOf<Name extends string>({ texts, numbers }: Columns<Name>): Name[] {
  return [...texts, ...numbers]
}

/**
 * Rows as one text, for `rowsOf`. Half a character, which no database can store, becomes U+FFFD, as in any other
 * parameter.
 */
export function asJson<Name extends string>(
  rows: readonly Readonly<Record<Name, string | number | null>>[],
  columns: Columns<Name>,
): string {
  const names = namesOf(columns)
  const values = rows.map(row => names.map(name => wellFormed(row[name])))
  return JSON.stringify({ ...values })
}

function wellFormed(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/**
 * Selects the rows of a text that `asJson` made: one parameter for any number of rows, so that the statement is
 * prepared once and never has thousands of placeholders. SQLite and PostgreSQL both read it.
 */
export function rowsOf(json: RawBuilder<string>, columns: Columns<string>) {
  const selected = namesOf(columns).map((_, at) => {
    const value = sql`given.value ->> ${sql.lit(at)}`
    return at < columns.texts.length ? value : sql`cast(${value} as bigint)`
  })
  // SQLite would take `on conflict` for a part of the join.
  return sql<never>`select ${sql.join(selected)} from json_each(${json}) as given where true`
}
