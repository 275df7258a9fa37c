import type { CompiledQuery } from 'kysely'
import { inChunks } from '../../lib/chunks.ts'
import { kindOf } from '../../lib/compile-once.ts'
import type { Tx } from '../../storage/database.ts'

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
