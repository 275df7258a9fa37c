import { statSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { createBackups } from '../storage/backups/backups.ts'
import { bytesAsText } from './bytes-as-text.ts'
import { type Finding, fine, problem, warning } from './finding.ts'

/** The log is put into the database when it is longer than a few megabytes: one like this is kept from that. */
const longLogBytes = 256e6

/** Bytes of the database and of its write-ahead log. */
export function databaseBytes(file: string): { readonly file: number; readonly log: number } {
  const bytesOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return { file: bytesOf(file), log: bytesOf(`${file}-wal`) }
}

/** How large the database is; `isWhole` looks at every page of it, which takes seconds a gigabyte. */
export function examineDatabase(file: string, isWhole?: (file: string) => string): Finding {
  const { file: bytes, log } = databaseBytes(file)
  const says = `${file} has ${bytesAsText(bytes)}, and its write-ahead log ${bytesAsText(log)}.`
  const verdict = isWhole?.(file)
  if (verdict !== undefined && verdict !== 'ok') {
    return problem(
      'database',
      `${says} It is damaged: ${verdict}.`,
      'Stop Linnet and put a copy from the folder backups in its place: linnet restore <copy>',
    )
  }
  if (log > longLogBytes) {
    return warning(
      'database',
      says,
      'Look for a program that keeps the database open, as a backup tool: end it, or restart Linnet.',
    )
  }
  return fine('database', verdict === undefined ? says : `${says} Every page of it is whole.`)
}

/** What SQLite says of all pages: `ok`, or the first thing that is wrong. */
export function integrityOf(file: string): string {
  const connection = new BetterSqlite3(file, { readonly: true, fileMustExist: true })
  try {
    return String(connection.pragma('integrity_check(1)', { simple: true })).replace(/\s+/g, ' ')
  } catch (error) {
    return (error as Error).message
  } finally {
    connection.close()
  }
}

/** A night, and a morning to look. */
const dueMs = 36 * 3_600_000

/** Whether there is a copy of last night; copies are checked from end to end before they get their names. */
export async function examineBackups(file: string, kept: number, now: Date): Promise<Finding> {
  const backups = createBackups({
    file,
    copy: () => Promise.reject(new Error('Copies are looked at here, and not made.')),
    now: () => now,
    signal: AbortSignal.abort(),
  })
  const list = await backups.list()
  const [newest] = list
  const says = newest
    ? `Of ${list.length} checked copies of the database the newest was made at ${newest.createdAt.toISOString()}.`
    : 'There is no copy of the database yet.'
  if (kept === 0) {
    return warning(
      'backups',
      says,
      'None is made each night: set LINNET_BACKUPS_KEPT, or copy it otherwise.',
    )
  }
  const since = newest?.createdAt.getTime() ?? statSync(file).birthtimeMs
  return now.getTime() - since > dueMs
    ? warning(
        'backups',
        says,
        'See why the job of the night fails, under Admin → Jobs; or type: linnet backup',
      )
    : fine('backups', says)
}
