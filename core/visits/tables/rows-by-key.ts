import { type CompiledQuery, sql } from 'kysely'
import { inChunks } from '../../lib/chunks.ts'
import { kindOf } from '../../lib/compile-once.ts'
import type { Tx } from '../../storage/database.ts'
import type { Schema } from '../../storage/schema.ts'

/** Runs a statement for rows, a chunk at a time, and returns its results. */
export type RowsStatement<Row, Result> = (
  tx: Tx,
  rows: readonly Row[],
) => Promise<readonly Result[]>

/**
 * Creates a statement that depends on its number of rows: it is compiled once for each number, because compiling
 * costs as much as running. A row has its parameters in the order of the statement.
 */
export function rowsStatement<Row extends readonly unknown[], Result>(
  compile: (tx: Tx, rows: readonly Row[]) => CompiledQuery<Result>,
): RowsStatement<Row, Result> {
  const compiled = new Map<number, CompiledQuery<Result>>()
  let compiledFor: unknown
  return async (tx, rows) => {
    const kind = kindOf(tx)
    if (kind !== compiledFor) compiled.clear()
    compiledFor = kind
    const results: Result[] = []
    for (const chunk of inChunks(rows)) {
      const query = compiled.get(chunk.length) ?? compile(tx, chunk)
      compiled.set(chunk.length, query)
      const parameters: unknown[] = []
      for (const row of chunk) parameters.push(...row)
      const { rows: found } = await tx.executeQuery<Result>({ ...query, parameters })
      for (const result of found) results.push(result)
    }
    return results
  }
}

/** The columns of a table: those of its key, in their order there, and all others. */
export interface Columns<Table extends keyof Schema> {
  readonly table: Table
  readonly key: readonly (keyof Schema[Table] & string)[]
  readonly others: readonly (keyof Schema[Table] & string)[]
}

/** The values of the columns of a key. */
export type Key = readonly number[]

/** Reads the rows with these keys, in the order of the key. */
export function readRows<Table extends keyof Schema>(
  columns: Columns<Table>,
): RowsStatement<Key, Schema[Table]> {
  const { key, others } = columns
  return rowsStatement((tx, keys) =>
    sql<Schema[Table]>`
      select ${refs([...key, ...others])} ${fromKeys(columns, keys)} order by ${refs(key)}
    `.compile(tx),
  )
}

/** Deletes the rows with these keys, and returns them. */
export function takeRows<Table extends keyof Schema>(
  columns: Columns<Table>,
): RowsStatement<Key, Schema[Table]> {
  const all = refs([...columns.key, ...columns.others])
  return rowsStatement((tx, keys) =>
    sql<Schema[Table]>`delete ${fromKeys(columns, keys)} returning ${all}`.compile(tx),
  )
}

/** Writes rows, whose values are in the order of the columns, in the place of those with the same keys. */
export function writeRows<Table extends keyof Schema>({
  table,
  key,
  others,
}: Columns<Table>): RowsStatement<readonly unknown[], unknown> {
  const changes = others.map(column => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  return rowsStatement((tx, rows) =>
    sql`
      insert into ${sql.table(table)} (${refs([...key, ...others])})
      values ${sql.join(rows.map(tuple))}
      on conflict (${refs(key)}) do update set ${sql.join(changes)}
    `.compile(tx),
  )
}

function fromKeys<Table extends keyof Schema>(
  { table, key }: Columns<Table>,
  keys: readonly Key[],
) {
  return sql`from ${sql.table(table)} where (${refs(key)}) in (${sql.join(keys.map(tuple))})`
}

function refs(columns: readonly string[]) {
  return sql.join(columns.map(column => sql.ref(column)))
}

function tuple(values: readonly unknown[]) {
  return sql`(${sql.join(values)})`
}
