import { counted } from '../../lib/text/shown.ts'
import type { Database } from '../../storage/database.ts'
import { inTransaction } from '../../storage/database.ts'

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

/** Why links that a feature guards are shut, and what opens them: it does not run, or runs and has no guard any more. */
export function whyGuardedAreShut(feature: string, links: number, isRunning: boolean): string {
  const [are, stay] = links === 1 ? ['is', 'stays'] : ['are', 'stay']
  return (
    `${counted(links, 'link')} ${are} protected by ${feature}, which ${isRunning ? 'has no guard any more' : 'does not run'}, and ${stay} shut. ` +
    `${isRunning ? 'Bring back a version that has one' : 'Switch it on or repair it'}, or open the links without it: linnet plugins release ${feature}`
  )
}

/** Note that a feature guards a link, or no longer does. This counts as a change of the link. */
export function setGuard(
  db: Database,
  rowId: number,
  feature: string,
  isGuarded: boolean,
): Promise<void> {
  return inTransaction(db, async tx => {
    const row = await tx
      .selectFrom('links')
      .select('guarded_by')
      .where('id', '=', rowId)
      .executeTakeFirst()
    const features = row ? (JSON.parse(row.guarded_by) as string[]) : []
    if (!row || features.includes(feature) === isGuarded) return
    const others = features.filter(it => it !== feature)
    await tx
      .updateTable('links')
      .set(({ eb }) => ({
        guarded_by: JSON.stringify(isGuarded ? [...others, feature] : others),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', rowId)
      .execute()
  })
}

/** Release the links that a feature guards while it is off, and return how many. */
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
        .set(({ eb }) => ({
          guarded_by: JSON.stringify(features.filter(it => it !== feature)),
          version: eb('version', '+', 1),
        }))
        .where('guarded_by', '=', guarded_by)
        .executeTakeFirstOrThrow()
      released += Number(numUpdatedRows)
    }
    return released
  })
}
