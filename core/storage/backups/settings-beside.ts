import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'

/** The key in `meta` under which a copy holds the settings; the database itself never has this row. */
const row = 'settings.json'

/** The file of the run-time settings of an instance, next to its database. */
export function settingsBeside(file: string): string {
  return join(dirname(file), 'settings.json')
}

/** Store in a copy the settings next to `file`; if there is no such file, an empty object. */
export function addSettingsToBackup(copy: BetterSqlite3.Database, file: string): void {
  const path = settingsBeside(file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n'
  copy.prepare('insert or replace into meta (key, value) values (?, ?)').run(row, text)
}

/** The settings in a copy; undefined if it was made without settings. */
export function settingsInBackup(copy: BetterSqlite3.Database): string | undefined {
  const text = copy.prepare('select value from meta where key = ?').pluck().get(row)
  return text === undefined ? undefined : String(text)
}

/** Take the settings out of a copy that becomes a database; undefined if it was made without settings. */
export function takeSettingsOutOfBackup(copy: BetterSqlite3.Database): string | undefined {
  const text = settingsInBackup(copy)
  copy.prepare('delete from meta where key = ?').run(row)
  return text
}

/** Prepare settings for `replaceSettings`, or make sure that none are prepared. */
export async function prepareSettings(file: string, text: string | undefined): Promise<void> {
  if (text === undefined) await rm(prepared(file), { force: true })
  else await writeFile(prepared(file), text, { flush: true })
}

/** Put the prepared settings in place, if there are any. Needs no disk space. */
export async function replaceSettings(file: string): Promise<void> {
  if (existsSync(prepared(file))) await rename(prepared(file), settingsBeside(file))
}

function prepared(file: string): string {
  return `${settingsBeside(file)}.restoring`
}
