import { existsSync } from 'node:fs'
import { parseSettings, type RunTimeSettings, type SettingsStore } from '../settings/settings.ts'
import { readSettingsFile } from '../settings/settings-file.ts'
import { createSettingsStore } from '../settings/settings-store.ts'
import { settingsBeside } from '../storage/backups/settings-beside.ts'
import { type Database, inTransaction, type Storage } from '../storage/database.ts'
import { addMeta, readMeta, settingsKey, writeMeta } from '../storage/meta.ts'
import { joinDatabase } from '../storage/open/open-database.ts'
import { databaseFile } from './find-instance.ts'
import type { ServerSettings } from './settings-from-env.ts'

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

/** The topic of messages to other servers that the settings have changed. */
export const settingsTopic = 'settings'

/** Where the settings are, for people. */
const place = 'The row settings of meta in the database'

/**
 * Opens the run-time settings that all servers on a database share. If there are none yet, copies those in `file` into
 * the database. Throws `UnusableSettings`.
 */
export async function openSettingsInDatabase(
  { db, news }: Pick<Storage, 'db' | 'news'>,
  file: string,
  say: (text: string) => void,
): Promise<SettingsStore> {
  if ((await settingsIn(db)) === undefined) await takeOver(db, file, say)
  const read = async () => (await settingsIn(db)) ?? {}
  return createSettingsStore(
    {
      read,
      change: change =>
        inTransaction(db, async tx => {
          const before = (await settingsIn(tx)) ?? {}
          const after = change(before)
          if (after === before) return before
          await writeMeta(tx, settingsKey, JSON.stringify(after))
          await news.tell(tx, settingsTopic)
          return after
        }),
    },
    await read(),
  )
}

/** The settings in the database. Undefined if nobody has changed any. */
export async function settingsIn(db: Database): Promise<RunTimeSettings | undefined> {
  const text = await readMeta(db, settingsKey)
  return text === undefined ? undefined : parseSettings(place, text)
}

/** Copies settings from the file into the database. The file stays for a return to the database beside it. */
async function takeOver(db: Database, file: string, say: (text: string) => void): Promise<void> {
  if (!existsSync(file)) return
  const settings = await readSettingsFile(file)
  if (!(await addMeta(db, settingsKey, JSON.stringify(settings)))) return
  say(
    `The settings of ${file} are in the database now. The file stays as it is, and is not read while DATABASE_URL is set.`,
  )
}
