import type { Kysely } from 'kysely'
import type { Tx } from '../database.ts'
import type { Schema } from '../schema.ts'
import type { CoreMigration, DialectTraits } from './migrations.ts'

/** How a database stores the version of its schema. */
export interface VersionKeeper {
  readonly traits: DialectTraits
  version(): Promise<number>
  /** Called inside the transaction of the step that leads to this version. */
  setVersion(version: number, tx: Tx): Promise<void>
}

/**
 * Run the steps that this database has not seen, each in one transaction or several: if interrupted at any moment,
 * the next run continues. `say` is called with the progress of a long step.
 */
export async function migrate(
  db: Kysely<Schema>,
  steps: readonly CoreMigration[],
  keeper: VersionKeeper,
  say: (progress: string) => void,
): Promise<void> {
  for (let version = await keeper.version(); version < steps.length; ) {
    const step = steps[version]
    if (!step) return
    const progress = await db.transaction().execute(async tx => {
      const progress = (await step(tx as unknown as Kysely<unknown>, keeper.traits)) ?? undefined
      if (progress === undefined) await keeper.setVersion(version + 1, tx)
      return progress
    })
    if (progress === undefined) version += 1
    else say(progress)
  }
}
