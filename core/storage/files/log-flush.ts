import { fstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { caught } from '../../lib/caught.ts'

/**
 * Makes durable what a connection commits without flushing, as SQLite does with `synchronous = NORMAL`: another
 * thread flushes the write-ahead log, once for everybody who waits.
 */
export interface LogFlush {
  /**
   * Resolves when everything committed before the call is durable. Rejects if that fails; then everybody can see what
   * was committed, and yet a power cut may undo it. Many can wait for one flush; each continues in its own turn of
   * the event loop, and a lone one at once. `sharing` is how many share the commit.
   */
  flush(sharing?: number): Promise<void>
  /**
   * Whether the log must be mended before anything is committed: after a failed flush, and at first, because the
   * state that the previous process left is not known.
   */
  needsMending(): boolean
  /** Make the whole log durable. The caller must hold the write lock, so that nobody writes meanwhile. */
  mend(): Promise<void>
  /** Calls the listener when a flush has failed. */
  onFailed(listener: () => void): void
  /** Waits for the flush under way and closes the file. */
  close(): Promise<void>
}

/** Opens the log to flush; the file system's own unless a test passes another. */
export type OpenLog = (path: string) => Promise<LogFile>
export type LogFile = Pick<FileHandle, 'fd' | 'datasync' | 'read' | 'write' | 'close'>

/** How many bytes to mend at a time. */
const chunkBytes = 1024 * 1024

/** Flushes the log of the database in `file`. The log is opened when it is first needed, and stays open. */
export function createLogFlush(
  file: string,
  openLog: OpenLog = path => open(path, 'r+'),
): LogFlush {
  const path = `${file}-wal`
  const listeners: (() => void)[] = []
  let opening: Promise<LogFile> | undefined
  let underWay: Promise<number> | undefined
  let following: Promise<number> | undefined
  /** How many wait for the following flush. */
  let waiting = 0
  let isInDoubt = true

  /**
   * The descriptor stays open: an error that the system met while it wrote pages back by itself, or for another
   * connection, is reported once to each descriptor that was open at that time.
   */
  async function openOnce(): Promise<LogFile> {
    opening ??= openLog(path)
    try {
      return await opening
    } catch (error) {
      opening = undefined
      throw error
    }
  }

  /** Resolves to the number of those who wait for it. */
  async function flushAfter(before: Promise<number> | undefined): Promise<number> {
    await before?.catch(() => undefined)
    const waited = waiting
    waiting = 0
    underWay = following
    following = undefined
    try {
      // What was written after a failure comes after pages that may be missing on the disk.
      if (isInDoubt) throw brokenOff(`${path} may not be written to the disk`)
      const log = await openOnce()
      await log.datasync()
      checkInPlace(log)
      return waited
    } catch (error) {
      isInDoubt = true
      for (const listener of listeners) listener()
      throw ofDisk(error)
    } finally {
      underWay = undefined
    }
  }

  /** SQLite creates no new log while it has one open. If somebody else did, the next start would not find ours. */
  function checkInPlace({ fd }: LogFile): void {
    if (fstatSync(fd).nlink > 0) return
    throw brokenOff(`${path} was deleted or replaced`)
  }

  return {
    async flush() {
      waiting += 1
      following ??= flushAfter(underWay)
      const isAlone = (await following) === 1
      if (!isAlone) await yieldToRedirects()
    },
    needsMending: () => isInDoubt,

    async mend() {
      try {
        const log = await openOnce()
        checkInPlace(log)
        await writeAgain(log)
        await log.datasync()
      } catch (error) {
        throw ofDisk(error)
      }
      isInDoubt = false
    },

    onFailed(listener) {
      listeners.push(listener)
    },

    async close() {
      await (following ?? underWay)?.catch(() => undefined)
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}

/** The error that SQLite reports for a failing disk. */
function brokenOff(why: string): Error {
  return new BetterSqlite3.SqliteError(why, 'SQLITE_IOERR')
}

/** Each file system has numbers of its own for a failing disk, such as `ESTALE` and `EUCLEAN`. */
function ofDisk(error: unknown): Error {
  if (error instanceof BetterSqlite3.SqliteError) return error
  return Object.assign(brokenOff(caught(error).message), { cause: error })
}

/**
 * The system marks pages that a flush could not write as written, and no later flush writes them: write all of them
 * again. https://wiki.postgresql.org/wiki/Fsync_Errors
 */
async function writeAgain(log: LogFile): Promise<void> {
  const chunk = Buffer.alloc(chunkBytes)
  for (let at = 0; ; ) {
    const { bytesRead } = await log.read(chunk, 0, chunkBytes, at)
    if (bytesRead === 0) return
    await log.write(chunk, 0, bytesRead, at)
    at += bytesRead
  }
}

/** For connections that flush each commit themselves, and for databases in memory. */
export const flushedBySqlite: LogFlush = {
  flush: async (sharing = 1) => {
    if (sharing > 1) await yieldToRedirects()
  },
  needsMending: () => false,
  mend: async () => undefined,
  onFailed: () => undefined,
  close: async () => undefined,
}
