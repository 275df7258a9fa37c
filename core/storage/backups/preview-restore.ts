import { existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import { boundPages } from '../files/bound-pages.ts'
import { isDamage } from '../files/damage.ts'
import { damaged, inspectFile, onBackup } from '../files/inspect-file.ts'
import { expectSchema } from './expect-schema.ts'
import { settingsBeside, settingsInBackup } from './settings-beside.ts'

/** What a restore would change. */
export interface RestorePreview {
  /** Versions of the schema; the next start migrates an older one. */
  readonly schema: Compared
  readonly accounts: Difference
  readonly links: Difference
  /** Visits of the existing links, as far as they are added up. */
  readonly visits: Compared
  /**
   * The parts of the settings that differ, such as `plans`; null if the backup has no settings, so that they would stay as
   * they are.
   */
  readonly settings: readonly string[] | null
}

/** A number in the backup, and now; `now` is null if the current database cannot be read or does not exist. */
export interface Compared {
  readonly backup: number
  readonly now: number | null
}

/** How the backup and the database differ in accounts or links. */
export interface Difference extends Compared {
  /** Created since the backup: would be lost. */
  readonly lost: number
  /** Deleted since the backup: would return. */
  readonly returned: number
  /** Changed since the backup: would be changed back. */
  readonly reverted: number
}

/** Compares a backup with the database that it would replace. */
export type PreviewRestore = (from: string, file: string) => Promise<RestorePreview>

/**
 * Compare a backup with the database that it would replace, which may be in use, damaged or missing. Changes neither.
 * Throws `UnusableDatabase` for anything that `restoreDatabase` would refuse.
 */
export function previewRestore(
  from: string,
  file: string,
  expected: Parameters<typeof inspectFile>[1],
): RestorePreview {
  const { version } = inspectFile(from, expected, onBackup)
  const backup = new BetterSqlite3(from, { readonly: true, fileMustExist: true })
  const compareWith = (now: Attached): RestorePreview => ({
    schema: { backup: version, now: now ? inspectFile(file, expected).version : null },
    accounts: difference(backup, now, 'accounts', 'updated_at'),
    links: difference(backup, now, 'links', 'version'),
    visits: compare(backup, now, 'select total(visits) from DB.link_totals'),
    settings: differingSettings(settingsInBackup(backup), settingsBeside(file)),
  })
  try {
    boundPages(backup)
    expectSchema(backup, from, { version, newest: expected.newest })
    return compareWith(attach(backup, file))
  } catch (error) {
    // SQLite does not say which of the two is damaged: it is the backup if that cannot be read alone.
    if (!isDamage(error)) throw error
    return readAlone(from, () => compareWith(undefined))
  } finally {
    backup.close()
  }
}

function readAlone<T>(from: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw isDamage(error) ? damaged(from, (error as Error).message, onBackup) : error
  }
}

type Attached = 'current' | undefined

/** Attaches a second database to the connection of the first; undefined if it cannot be read. */
function attach(backup: BetterSqlite3.Database, file: string): Attached {
  if (!existsSync(file)) return undefined
  try {
    backup.prepare('attach ? as current').run(file)
    boundPages(backup, 'current')
    backup.prepare('select count(*) from current.accounts').get()
    return 'current'
  } catch {
    return undefined
  }
}

function compare(backup: BetterSqlite3.Database, now: Attached, select: string): Compared {
  const count = (name: string) => Number(backup.prepare(select.replace('DB', name)).pluck().get())
  return { backup: count('main'), now: now ? count(now) : null }
}

function difference(
  backup: BetterSqlite3.Database,
  now: Attached,
  table: 'accounts' | 'links',
  version: string,
): Difference {
  const count = (sql: string) => (now ? Number(backup.prepare(sql).pluck().get()) : 0)
  const only = (a: string, b: string) =>
    `select count(*) from ${a}.${table} a where not exists (select 1 from ${b}.${table} b where b.id = a.id)`
  return {
    ...compare(backup, now, `select count(*) from DB.${table}`),
    lost: count(only('current', 'main')),
    returned: count(only('main', 'current')),
    reverted: count(
      `select count(*) from main.${table} a join current.${table} b using (id) where a.${version} <> b.${version}`,
    ),
  }
}

/** The names of the parts that differ; an empty part counts as absent. */
function differingSettings(inBackup: string | undefined, path: string): readonly string[] | null {
  if (inBackup === undefined) return null
  const [before, now] = [
    parts(inBackup),
    parts(existsSync(path) ? readFileSync(path, 'utf8') : '{}'),
  ]
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    name => !isDeepStrictEqual(before[name] ?? {}, now[name] ?? {}),
  )
}

/** Settings that are not JSON have no parts; the next start reports what is wrong with them. */
function parts(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) }
  } catch {
    return {}
  }
}
