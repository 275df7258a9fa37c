import type { StoredFields } from '../../links/link.ts'
import { countGuardedLinks, releaseGuard } from '../../links/read/guarded-links.ts'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import { isOwnName, tablePrefix } from '../load/names.ts'

/** What a plugin left in the database. */
export interface Remains {
  readonly tables: readonly string[]
  /** Links that carry fields of it. */
  readonly links: number
  /** Values that it keeps by key. */
  readonly values: number
}

/** The features that left something in the database, installed or not. */
export async function featuresWithRemains(db: Database): Promise<readonly string[]> {
  const migrated = await db.selectFrom('plugin_migrations').select('feature').distinct().execute()
  const storing = await db.selectFrom('plugin_store').select('feature').distinct().execute()
  const guarding = await countGuardedLinks(db)
  const stored = await db.selectFrom('links').select('fields').distinct().execute()
  const features = [
    ...[...migrated, ...storing].map(({ feature }) => feature),
    ...guarding.keys(),
    ...stored.flatMap(({ fields }) => Object.keys(JSON.parse(fields) as StoredFields)),
  ]
  return [...new Set(features)].sort()
}

/** What purging a plugin would drop. */
export async function findRemains(db: Database, feature: string): Promise<Remains> {
  const tables = await db.introspection.getTables()
  const prefix = tablePrefix(feature)
  const { values } = await db
    .selectFrom('plugin_store')
    .where('feature', '=', feature)
    .select(({ fn }) => fn.countAll<number>().as('values'))
    .executeTakeFirstOrThrow()
  return {
    tables: tables.map(({ name }) => name).filter(name => isOwnName(name, prefix)),
    links: (await linksWithFields(db, feature)).length,
    values: Number(values),
  }
}

/** Drop a plugin's tables, its fields on links and its guards: there is no way back. */
export async function purgePlugin(db: Database, feature: string): Promise<Remains> {
  const remains = await findRemains(db, feature)
  await inTransaction(db, async tx => {
    for (const table of remains.tables) await tx.schema.dropTable(table).execute()
    for (const { id, fields } of await linksWithFields(tx, feature)) {
      const { [feature]: _, ...kept } = JSON.parse(fields) as StoredFields
      await tx
        .updateTable('links')
        .set(({ eb }) => ({ fields: JSON.stringify(kept), version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    }
    await tx.deleteFrom('plugin_store').where('feature', '=', feature).execute()
    await tx.deleteFrom('plugin_migrations').where('feature', '=', feature).execute()
    await releaseGuard(tx, feature)
  })
  return remains
}

function linksWithFields(db: Database | Tx, feature: string) {
  return db
    .selectFrom('links')
    .select(['id', 'fields'])
    .where('fields', 'like', `%${JSON.stringify(feature)}:%`)
    .execute()
}
