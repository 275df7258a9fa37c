import type { SelectQueryBuilder } from 'kysely'
import type { Tx } from '../../storage/database.ts'
import type { Schema } from '../../storage/schema.ts'

/** A table of sketches, and the column with the owner of a sketch. */
export interface SketchesTable {
  readonly table: 'link_sketches'
  readonly owner: 'link_id'
}

export const sketchesOfLinks: SketchesTable = { table: 'link_sketches', owner: 'link_id' }

/** The same apart from the names: to the type checker it is the other table, so that statements serve both. */
export const sketchesOfAccounts = {
  table: 'account_sketches',
  owner: 'account_id',
} as unknown as SketchesTable

export const sketchesTables: readonly SketchesTable[] = [sketchesOfLinks, sketchesOfAccounts]

type Sketches = SelectQueryBuilder<Schema, SketchesTable['table'], object>

/** Deletes the sketches that `choose` selects from a table, and returns how many. */
export async function deleteSketches(
  tx: Tx,
  { table, owner }: SketchesTable,
  choose: (all: Sketches) => Sketches,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple(owner, 'dimension', 'day'),
        'in',
        choose(selectFrom(table))
          .select([owner, 'dimension', 'day'])
          .$asTuple(owner, 'dimension', 'day'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
