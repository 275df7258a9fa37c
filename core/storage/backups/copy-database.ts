import { rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { syncFolder } from '../../lib/sync-folder.ts'
import { UserError } from '../../lib/user-error.ts'
import { boundPages } from '../files/bound-pages.ts'
import { isOutOfReach } from '../files/out-of-reach.ts'

/** More than a database can have, https://sqlite.org/limits.html#max_page_count */
const allPages = 2 ** 31 - 1

/** Nothing was copied; the message says why. */
export class CopyFailed extends UserError {
  override readonly name = 'CopyFailed'
}

interface CopyOptions {
  /** Whether the source must be opened read-only, because nothing can be written where it is. */
  readonly readonly?: boolean
  /** Changes the copy before it is verified. */
  alter?(copy: BetterSqlite3.Database): void
}

/**
 * Copy a database as it is at one moment, even while others write to it. The copy is verified before it gets its
 * name: a file with that name is complete and durable, and on failure there is none.
 */
export async function copyDatabase(
  from: string,
  to: string,
  { readonly = false, alter = () => undefined }: CopyOptions = {},
): Promise<void> {
  const unfinished = unfinishedName(to)
  try {
    await copyTo(unfinished, from, readonly)
    finish(unfinished, alter)
    await rename(unfinished, to)
    await syncFolder(dirname(to))
  } catch (cause) {
    removeUnfinished(to)
    const why = (cause as Error).message
    const remedy = isOutOfReach(cause) ? '. Check whether its disk is full or read-only.' : ''
    throw new CopyFailed(`${from} could not be copied to ${to}: ${why}${remedy}`, { cause })
  }
}

/** The name of a copy until it is complete. */
export function unfinishedName(copy: string): string {
  return `${copy}.unfinished`
}

/** Remove what an interrupted copy left. */
export function removeUnfinished(copy: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) {
    rmSync(unfinishedName(copy) + suffix, { force: true })
  }
}

async function copyTo(unfinished: string, from: string, readonly: boolean): Promise<void> {
  const source = new BetterSqlite3(from, { fileMustExist: true, readonly })
  try {
    boundPages(source)
    // All in one step: a write between two steps would make it start over, maybe for ever.
    await source.backup(unfinished, { progress: () => allPages })
  } finally {
    source.close()
  }
}

function finish(file: string, alter: (copy: BetterSqlite3.Database) => void): void {
  const copy = new BetterSqlite3(file)
  try {
    boundPages(copy)
    alter(copy)
    const verdict = copy.pragma('integrity_check', { simple: true })
    if (verdict !== 'ok') {
      const why = String(verdict).replace(/\s+/g, ' ')
      throw new BetterSqlite3.SqliteError(`the copy is incomplete: ${why}`, 'SQLITE_CORRUPT')
    }
    copy.pragma('journal_mode = DELETE')
  } finally {
    copy.close()
  }
}
