import { statSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { UnusableDatabase } from './inspect-file.ts'

/** A server is running on this data folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** Keeps a data folder to one server until it is released or the process ends. */
export interface FolderLock {
  readonly file: string
  /** False when its file was deleted or replaced: then it keeps nobody out. */
  isHeld(): boolean
  release(): void
}

/**
 * Keep a data folder to one server. The lock is SQLite's own on an empty file beside the database:
 * the operating system drops it when the process ends, however it ends, so it is never stale. Waits so
 * long for one that is just ending; nothing else runs meanwhile.
 */
export function lockFolder(lockFile: string, { waitMs = 1_000 } = {}): FolderLock {
  let holder: BetterSqlite3.Database | undefined
  try {
    holder = new BetterSqlite3(lockFile, { timeout: waitMs })
    holder.pragma('journal_mode = MEMORY')
    holder.exec('begin exclusive')
  } catch (cause) {
    holder?.close()
    throw whyNot(lockFile, cause)
  }
  const locked = identityOf(lockFile)
  return {
    file: lockFile,
    isHeld: () => identityOf(lockFile) === locked,
    release: () => holder.close(),
  }
}

/** Another file of the same name is another one. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

function whyNot(lockFile: string, cause: unknown): Error {
  const { code = '', message = '' } = cause as { code?: string; message?: string }
  if (code.startsWith('SQLITE_BUSY')) {
    return new FolderInUse(
      `Another Linnet is running on this data folder (${lockFile} is locked). ` +
        'Stop it first, or set LINNET_DATA_DIR to another folder.',
      { cause },
    )
  }
  return new UnusableDatabase(
    code === 'SQLITE_NOTADB'
      ? `${lockFile} was not written by Linnet. Remove it; it contains no data.`
      : `${lockFile} cannot be locked: ${message}. Check whether its disk is read-only or a network file system.`,
    { cause },
  )
}
