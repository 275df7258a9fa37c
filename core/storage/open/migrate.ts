import { type Kysely, sql } from 'kysely'
import type { Tx } from '../database.ts'
import type { Schema } from '../schema.ts'
import { newestOf, type SchemaHistory } from '../tables.ts'

/** How a database stores the version of its schema. */
export interface VersionKeeper {
  /** 0 if there are no tables yet. */
  version(): Promise<number>
  /** Called inside the transaction that leads to this version. */
  setVersion(version: number, tx: Tx): Promise<void>
}

/**
 * Makes the tables of a new database, or runs the steps that an older one has not seen, each in one transaction: if
 * interrupted at any moment, the next run goes on.
 */
export async function migrate(
  db: Kysely<Schema>,
  history: SchemaHistory,
  { version, setVersion }: VersionKeeper,
): Promise<void> {
  const newest = newestOf(history)
  while ((await version()) < newest) {
    await db.transaction().execute(async tx => {
      // Another process may have been here while this one waited for its turn to write.
      const before = await version()
      if (before >= newest) return
      if (before === 0) for (const statement of history.tables) await sql.raw(statement).execute(tx)
      else await history.steps[before - 1]?.(tx as unknown as Kysely<unknown>)
      await setVersion(before === 0 ? newest : before + 1, tx)
    })
  }
}
