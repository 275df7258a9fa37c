import { causesOf } from '../lib/caught.ts'
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
export function readForeignKeys(db: Database): Promise<readonly ForeignKey[]> {
  return db
    .selectFrom(foreignKeysOf(db).as('keys'))
    .select(({ ref }) => [
      ref('keys.of_table').as('table'),
      ref('keys.of_column').as('column'),
      ref('keys.to_table').as('toTable'),
      ref('keys.to_column').as('toColumn'),
    ])
    .execute()
}

/** Of SQLite and of PostgreSQL. */
const dangling = /^(SQLITE_CONSTRAINT_FOREIGNKEY|23503)$/

/** Whether an error says that what a new row refers to is not there any more. */
export function isDangling(error: unknown): boolean {
  return causesOf(error).some(it => 'code' in it && dangling.test(String(it.code)))
}
