import { statSync } from 'node:fs'
import { isTaken, lockFile as lock } from '../../lib/files/lock-file.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Log } from '../../plugin.ts'
import { UnusableDatabase } from './inspect-file.ts'

/** Another server is running on this data folder. */
export class FolderInUse extends UserError {
  override readonly name = 'FolderInUse'
}

/** A lock that keeps other servers out of a data folder until it is released or the process ends. */
export interface FolderLock {
  readonly file: string
  /** False if its file was deleted or replaced: then it keeps nobody out. True while a disk that fails does not say. */
  isHeld(): boolean
  release(): void
}

/**
 * Locks a data folder for one server, by an empty file next to the database. Waits up to `waitMs` for a server that is
 * just stopping, and blocks this thread meanwhile.
 */
export function lockFolder(lockFile: string, { waitMs = 1_000 } = {}): FolderLock {
  const { release } = lockOrSay(lockFile, waitMs)
  const locked = identityOf(lockFile)
  return {
    file: lockFile,
    isHeld() {
      try {
        return identityOf(lockFile) === locked
      } catch {
        return true
      }
    },
    release,
  }
}

function lockOrSay(file: string, waitMs: number) {
  try {
    return lock(file, waitMs)
  } catch (cause) {
    throw whyNot(file, cause)
  }
}

/** Tells a file from another one with the same name. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

function whyNot(lockFile: string, cause: unknown): Error {
  const { code = '', message = '' } = cause as { code?: string; message?: string }
  if (isTaken(cause)) {
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

/** How often the lock is checked, in milliseconds. */
const lookMs = 10_000

/** Keeps others out even after somebody deleted the file of a lock, or logs that it is too late for that. */
export function watchLock(taken: FolderLock, log: Log): FolderLock {
  let lock = taken
  let isAlone = true
  const timer = setInterval(look, lookMs).unref()

  function look(): void {
    if (lock.isHeld()) return
    try {
      const again = lockFolder(lock.file, { waitMs: 0 })
      lock.release()
      lock = again
      isAlone = true
      log.warn(
        `${lock.file} was deleted or replaced while Linnet was running. It was created and locked again.`,
      )
    } catch (error) {
      if (!(error instanceof FolderInUse)) log.error('The data folder is not locked', { error })
      else if (isAlone)
        log.error(
          `${lock.file} was deleted or replaced, and another Linnet now uses this data folder. Stop one of them.`,
        )
      isAlone = false
    }
  }

  return {
    file: taken.file,
    isHeld: () => lock.isHeld(),
    release() {
      clearInterval(timer)
      lock.release()
    },
  }
}
