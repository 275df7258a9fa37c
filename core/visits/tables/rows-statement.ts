import type { CompiledQuery } from 'kysely'
import { inChunks } from '../../lib/chunks.ts'
import { kindOf } from '../../lib/compile-once.ts'
import type { Tx } from '../../storage/database.ts'

/** Runs a statement for rows, a chunk of them at a time; gives what it returns. */
export type RowsStatement<Row, Result> = (
  tx: Tx,
  rows: readonly Row[],
) => Promise<readonly Result[]>

/**
 * Makes a statement that goes by its number of rows: it is built once for each, for building one costs as
 * much as running it. `parametersOf` gives those of a row in the order that the statement has.
 */
export function rowsStatement<Row, Result = unknown>(
  compile: (tx: Tx, rows: readonly Row[]) => CompiledQuery<Result>,
  parametersOf: (row: Row) => readonly unknown[],
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
      for (const row of chunk) parameters.push(...parametersOf(row))
      const { rows: found } = await tx.executeQuery<Result>({ ...query, parameters })
      for (const result of found) results.push(result)
    }
    return results
  }
}
