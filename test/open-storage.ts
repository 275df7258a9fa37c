import type { RunTimeSettings, SettingsStore } from '../core/settings/settings.ts'
import { createSettingsStore } from '../core/settings/settings-store.ts'
import type { Storage } from '../core/storage/database.ts'
import { openSqliteInMemory } from '../core/storage/open/sqlite.ts'

/** Whether tests keep their databases on a PostgreSQL server. */
export const isOnServer = Boolean(process.env.LINNET_TEST_DATABASE_URL)

/** An empty database: in memory, or on the PostgreSQL server for tests at `LINNET_TEST_DATABASE_URL` if that is set. */
export async function openStorage(): Promise<Storage> {
  const server = process.env.LINNET_TEST_DATABASE_URL
  if (!server) return openSqliteInMemory()
  const { openOnServer } = await import('./open-on-server.ts')
  return openOnServer(server)
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
