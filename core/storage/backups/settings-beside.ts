import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'

/** Where a copy of a database keeps the settings: a row in `meta` that the database itself never has. */
const row = 'settings.json'

/** The run-time settings of an instance, beside its database. */
export function settingsBeside(file: string): string {
  return join(dirname(file), 'settings.json')
}

/** Keep in a copy what the settings beside `file` say; those that were never changed say nothing. */
export function addSettingsToBackup(copy: BetterSqlite3.Database, file: string): void {
  const path = settingsBeside(file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n'
  copy.prepare('insert or replace into meta (key, value) values (?, ?)').run(row, text)
}

/** What a copy has of them; undefined: it was made without settings. */
export function settingsInBackup(copy: BetterSqlite3.Database): string | undefined {
  const text = copy.prepare('select value from meta where key = ?').pluck().get(row)
  return text === undefined ? undefined : String(text)
}

/** Take them out of a copy that becomes a database; undefined: it was made without settings. */
export function takeSettingsOutOfBackup(copy: BetterSqlite3.Database): string | undefined {
  const text = settingsInBackup(copy)
  copy.prepare('delete from meta where key = ?').run(row)
  return text
}

/** Make settings ready to be put in place, or see to it that none are. */
export async function prepareSettings(file: string, text: string | undefined): Promise<void> {
  if (text === undefined) await rm(prepared(file), { force: true })
  else await writeFile(prepared(file), text, { flush: true })
}

/** Put the settings in place that were made ready, if any. Takes no room on the disk. */
export async function replaceSettings(file: string): Promise<void> {
  if (existsSync(prepared(file))) await rename(prepared(file), settingsBeside(file))
}

function prepared(file: string): string {
  return `${settingsBeside(file)}.restoring`
}
