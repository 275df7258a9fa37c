import type { Database } from './database.ts'
import { foreignKeysOf } from './database-kind.ts'

/** A column that refers to another table. */
export interface ForeignKey {
  readonly table: string
  readonly column: string
  readonly toTable: string
  readonly toColumn: string
}

/** All foreign keys of one column, of the core's tables and those of plugins. */
export async function readForeignKeys(db: Database): Promise<readonly ForeignKey[]> {
  const rows = await db
    .selectFrom(foreignKeysOf(db).as('keys'))
    .select(['keys.of_table', 'keys.of_column', 'keys.to_table', 'keys.to_column'])
    .execute()
  return rows.map(({ of_table, of_column, to_table, to_column }) => ({
    table: of_table,
    column: of_column,
    toTable: to_table,
    toColumn: to_column,
  }))
}
