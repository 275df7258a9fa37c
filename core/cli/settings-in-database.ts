import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { parseSettings } from '../settings/parse-settings.ts'
import type { RunTimeSettings, SettingsStore } from '../settings/settings.ts'
import { readSettingsFile } from '../settings/settings-file.ts'
import { createSettingsStore } from '../settings/settings-store.ts'
import { type Database, inTransaction, type Storage, type Tx } from '../storage/database.ts'
import { settingsKey } from '../storage/meta.ts'

/** The topic of messages to other servers that the settings have changed. */
export const settingsTopic = 'settings'

/** Where the settings are, for people. */
const place = 'The row settings of meta in the database'

/**
 * Opens the run-time settings that all servers on a database share. If there are none yet, moves those in `file` into
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
          await write(tx, after)
          await news.tell(tx, settingsTopic)
          return after
        }),
    },
    await read(),
  )
}

/** The settings in the database. Undefined if nobody has changed any. */
export async function settingsIn(db: Database): Promise<RunTimeSettings | undefined> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', settingsKey)
    .executeTakeFirst()
  return row && parseSettings(place, row.value)
}

/** Moves settings from the file into the database. Of several servers, the first does so and renames the file. */
async function takeOver(db: Database, file: string, say: (text: string) => void): Promise<void> {
  if (!existsSync(file)) return
  const settings = await readSettingsFile(file)
  const isTaken = await inTransaction(db, async tx => {
    if ((await settingsIn(tx)) !== undefined) return false
    await write(tx, settings)
    return true
  })
  if (!isTaken) return
  const moved = `${file}.moved`
  try {
    await rename(file, moved)
    say(`The settings of ${file} are in the database now. The file is kept as ${moved}.`)
  } catch {
    say(`The settings of ${file} are in the database now. The file is not read any more.`)
  }
}

async function write(tx: Tx, settings: RunTimeSettings): Promise<void> {
  const value = JSON.stringify(settings)
  await tx
    .insertInto('meta')
    .values({ key: settingsKey, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
