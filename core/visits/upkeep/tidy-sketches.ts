import { setTimeout as delay } from 'node:timers/promises'
import { type Database, inTransaction } from '../../storage/database.ts'
import { deleteSketches, type SketchesTable, sketchesTables } from '../tables/sketches-table.ts'
import { pauseBetweenWindowsMs } from './count-windows.ts'

const windowRows = 500

/**
 * Removes the sketches of days before this one, the oldest first, one window per transaction. A sketch covers a whole
 * day already, so there is nothing to compact.
 */
export async function removeSketches(
  db: Database,
  beforeDay: number,
  signal: AbortSignal,
): Promise<void> {
  for (const sketches of sketchesTables) {
    for (const dimension of await dimensionsIn(db, sketches)) {
      let removed = windowRows
      while (removed === windowRows && !signal.aborted) {
        removed = await inTransaction(db, tx =>
          deleteSketches(tx, sketches, all =>
            all
              .where('dimension', '=', dimension)
              .where('day', '<', beforeDay)
              .orderBy('day')
              .limit(windowRows),
          ),
        )
        await delay(pauseBetweenWindowsMs)
      }
    }
  }
}

/** The ids of all dimensions with sketches; takes one step in the index for each. */
export async function dimensionsInSketches(db: Database): Promise<readonly number[]> {
  const found = await Promise.all(sketchesTables.map(sketches => dimensionsIn(db, sketches)))
  return found.flat()
}

async function dimensionsIn(db: Database, { table }: SketchesTable): Promise<readonly number[]> {
  const found: number[] = []
  let after = 0
  for (;;) {
    const row = await db
      .selectFrom(table)
      .select('dimension')
      .where('dimension', '>', after)
      .orderBy('dimension')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return found
    after = row.dimension
    found.push(after)
  }
}
