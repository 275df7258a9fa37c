import type { Kysely } from 'kysely'
import type { CoreMigration, DialectTraits } from './migrations.ts'
import type { Schema } from './schema.ts'

/** How a database tells and remembers the version of its schema. */
export interface VersionKeeper {
  readonly traits: DialectTraits
  version(): Promise<number>
  /** Called inside the transaction of the step that makes this version. */
  setVersion(version: number): Promise<void>
}

/** Run the steps that this database has not seen, each in a transaction of its own. */
export async function migrate(
  db: Kysely<Schema>,
  steps: readonly CoreMigration[],
  keeper: VersionKeeper,
): Promise<void> {
  for (let version = await keeper.version(); version < steps.length; version++) {
    const step = steps[version]
    if (!step) return
    await db.transaction().execute(async tx => {
      await step(tx as unknown as Kysely<unknown>, keeper.traits)
      await keeper.setVersion(version + 1)
    })
  }
}
