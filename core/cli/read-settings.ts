import type { RunTimeSettings } from '../settings/settings.ts'
import { readSettingsFile } from '../settings/settings-file.ts'
import { settingsBeside } from '../storage/backups/settings-beside.ts'
import { joinDatabase } from '../storage/open/open-database.ts'
import { databaseFile } from './find-instance.ts'
import type { ServerSettings } from './settings-from-env.ts'
import { settingsIn } from './settings-in-database.ts'

/** Reads the settings from the file or the database, without creating or changing a database. */
export async function readSettings(
  server: Pick<ServerSettings, 'dataDir' | 'databaseUrl'>,
): Promise<RunTimeSettings> {
  const { databaseUrl: url } = server
  const fromFile = () => readSettingsFile(settingsBeside(databaseFile(server)))
  if (url === undefined) return fromFile()
  const { db, close } = await joinDatabase({ url })
  try {
    const tables = await db.introspection.getTables()
    const kept = tables.some(({ name }) => name === 'meta') ? await settingsIn(db) : undefined
    // The next start moves them into the database.
    return kept ?? (await fromFile())
  } finally {
    await close()
  }
}
