import type { Database } from '../storage/database.ts'
import { inTransaction } from '../storage/database.ts'

/** How many links each feature guards, by feature. */
export async function countGuardedLinks(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('links')
    .select(({ fn }) => ['guarded_by', fn.countAll<number>().as('links')])
    .where('guarded_by', '!=', '[]')
    .groupBy('guarded_by')
    .execute()
  const counts = new Map<string, number>()
  for (const { guarded_by, links } of rows) {
    for (const feature of JSON.parse(guarded_by) as string[]) {
      counts.set(feature, (counts.get(feature) ?? 0) + Number(links))
    }
  }
  return counts
}

/** Open the links that a feature guards while it is off; gives how many. */
export function releaseGuard(db: Database, feature: string): Promise<number> {
  return inTransaction(db, async tx => {
    const sets = await tx
      .selectFrom('links')
      .select('guarded_by')
      .distinct()
      .where('guarded_by', '!=', '[]')
      .execute()
    let released = 0
    for (const { guarded_by } of sets) {
      const features = JSON.parse(guarded_by) as string[]
      if (!features.includes(feature)) continue
      const { numUpdatedRows } = await tx
        .updateTable('links')
        .set({ guarded_by: JSON.stringify(features.filter(it => it !== feature)) })
        .where('guarded_by', '=', guarded_by)
        .executeTakeFirstOrThrow()
      released += Number(numUpdatedRows)
    }
    return released
  })
}
