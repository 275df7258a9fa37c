import type { Selectable } from 'kysely'
import { countRequiredSteps } from '../../accounts/access/account-steps.ts'
import type { StoredFields } from '../../links/link.ts'
import { countGuardedLinks, releaseGuard } from '../../links/read/guarded-links.ts'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import { dropListener } from '../../storage/outbox.ts'
import type { LinksTable } from '../../storage/schema.ts'
import { isOwnName, tablePrefix } from '../load/names.ts'

/** The data that a plugin left in the database. */
export interface Remains {
  readonly tables: readonly string[]
  /** The number of links that have fields of the plugin. */
  readonly links: number
  /** The number of values in its store. */
  readonly values: number
}

/** The features that left data in the database, whether they are installed or not. */
export async function featuresWithRemains(db: Database): Promise<readonly string[]> {
  const migrated = await db.selectFrom('plugin_migrations').select('feature').distinct().execute()
  const storing = await db.selectFrom('plugin_store').select('feature').distinct().execute()
  const guarding = await countGuardedLinks(db)
  const asking = await countRequiredSteps(db)
  const stored = await db.selectFrom('links').select('fields').distinct().execute()
  const features = [
    ...[...migrated, ...storing].map(({ feature }) => feature),
    ...guarding.keys(),
    ...asking.keys(),
    ...stored.flatMap(({ fields }) => Object.keys(JSON.parse(fields) as StoredFields)),
  ]
  return [...new Set(features)].sort()
}

/** The data that purging a plugin would delete. */
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

/** Deletes a plugin's tables, its fields of links, its guards, its store, and which accounts need its second steps. This cannot be undone. */
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
    await purgeDeletedLinks(tx, feature, remains.tables)
    await tx.deleteFrom('plugin_store').where('feature', '=', feature).execute()
    await tx.deleteFrom('plugin_migrations').where('feature', '=', feature).execute()
    await tx.deleteFrom('account_steps').where('feature', '=', feature).execute()
    await dropListener(tx, feature)
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

/** What a link that was deleted would bring back, too. */
async function purgeDeletedLinks(
  tx: Tx,
  feature: string,
  tables: readonly string[],
): Promise<void> {
  const all = await tx.selectFrom('deleted_links').select(['id', 'link', 'rows']).execute()
  for (const { id, link, rows } of all) {
    const row = JSON.parse(link) as Selectable<LinksTable>
    const { [feature]: _, ...fields } = JSON.parse(row.fields) as StoredFields
    const guards = (JSON.parse(row.guarded_by) as string[]).filter(it => it !== feature)
    const kept = Object.entries(JSON.parse(rows) as object).filter(([it]) => !tables.includes(it))
    await tx
      .updateTable('deleted_links')
      .set({
        link: JSON.stringify({
          ...row,
          fields: JSON.stringify(fields),
          guarded_by: JSON.stringify(guards),
        }),
        rows: JSON.stringify(Object.fromEntries(kept)),
      })
      .where('id', '=', id)
      .execute()
  }
}
