import type { RunTimeSettings, SettingsStore } from '../core/settings/settings.ts'
import { createSettingsStore } from '../core/settings/settings-store.ts'
import type { Storage } from '../core/storage/database.ts'
import { openSqliteInMemory } from '../core/storage/open/sqlite.ts'

/** Whether databases of tests are on a PostgreSQL server. */
export const isOnServer = Boolean(process.env.LINNET_TEST_DATABASE_URL)

/**
 * An empty database: in memory, or, where `LINNET_TEST_DATABASE_URL` is that of a PostgreSQL server for tests, one of
 * its own there.
 */
export async function openStorage(): Promise<Storage> {
  const server = process.env.LINNET_TEST_DATABASE_URL
  if (!server) return openSqliteInMemory()
  const { openOnServer } = await import('./open-on-server.ts')
  return openOnServer(server)
}

/** Run-time settings as in a file, but without one. */
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
