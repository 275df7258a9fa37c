import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { parseSettings } from '../settings/parse-settings.ts'
import type { RunTimeSettings, SettingsStore } from '../settings/settings.ts'
import { readSettingsFile } from '../settings/settings-file.ts'
import { createSettingsStore } from '../settings/settings-store.ts'
import { type Database, inTransaction, type Storage, type Tx } from '../storage/database.ts'
import { settingsKey } from '../storage/meta.ts'

/** Of what is told to servers on the same database when one changes the settings. */
export const settingsTopic = 'settings'

/** Where they are, for people. */
const place = 'The row settings of meta in the database'

/**
 * Open the run-time settings that all servers on a database share. Those of an instance that had them in a file are taken
 * over, once, from `file`. Throws `UnusableSettings`.
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

/** What the database has of them; undefined: nobody changed any. */
export async function settingsIn(db: Database): Promise<RunTimeSettings | undefined> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', settingsKey)
    .executeTakeFirst()
  return row && parseSettings(place, row.value)
}

/** Whoever comes first, of several servers; the file is moved away, for it says nothing any more. */
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
