import { migratePlugin } from '../core/kernel/run/plugin-migrations.ts'
import type { Plugin } from '../core/plugin.ts'
import type { RunTimeSettings, SettingsStore } from '../core/settings/settings.ts'
import { createSettingsStore } from '../core/settings/settings-store.ts'
import type { Storage } from '../core/storage/database.ts'
import { makeSqliteInMemory, openSqliteInMemory } from '../core/storage/open/sqlite.ts'

/** Whether tests keep their databases on a PostgreSQL server. */
export const isOnServer = Boolean(process.env.LINNET_TEST_DATABASE_URL)

/**
 * An empty database: in memory, or on the PostgreSQL server for tests at `LINNET_TEST_DATABASE_URL` if that is set. In
 * memory, it has the tables of these plugins of ours: making them anew would take a third of each start.
 */
export async function openStorage(ours: readonly Plugin[] = []): Promise<Storage> {
  const server = process.env.LINNET_TEST_DATABASE_URL
  if (!server) return openSqliteInMemory(await madeWith(ours.filter(it => it.migrations)))
  const { openOnServer } = await import('./open-on-server.ts')
  return openOnServer(server)
}

/** Databases to copy, by the features of the plugins whose tables they have. */
const made = new Map<string, Promise<Buffer>>()

function madeWith(plugins: readonly Plugin[]): Promise<Buffer> {
  const key = plugins.map(({ feature }) => feature).join()
  const content =
    made.get(key) ??
    makeSqliteInMemory(async db => {
      for (const plugin of plugins) await migratePlugin(db, plugin, () => new Date())
    })
  made.set(key, content)
  return content
}

/** Run-time settings that behave as if they were in a file. */
export function settingsInMemory(settings: RunTimeSettings = {}): SettingsStore {
  let kept = settings
  return createSettingsStore(
    {
      read: async () => kept,
      change: async change => (kept = change(kept)),
    },
    settings,
  )
}
