import { fstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'
import { ownTurn } from '../../lib/async/own-turn.ts'

/**
 * Makes durable what a connection commits without a flush of its own, as SQLite does at `synchronous =
 * NORMAL`: the write-ahead log is flushed beside it, on another thread, once for all who wait.
 */
export interface LogFlush {
  /**
   * Resolves when all is durable that was committed before it was called. Rejects when that failed; what was
   * committed can then be seen by everybody, and a power cut may undo it. Many wait for one flush: each goes
   * on in a turn of its own. `sharing` is how many share the commit.
   */
  flush(sharing?: number): Promise<void>
  /**
   * Whether nothing may be committed before the log is mended: since a flush failed, and at first, for nobody
   * knows what the process before has left.
   */
  needsMending(): boolean
  /** Make the whole log durable. Nobody may write meanwhile: whoever calls has the write lock. */
  mend(): Promise<void>
  /** Called when a flush has failed. */
  onFailed(listener: () => void): void
  /** Wait for the flush under way and let go of the file. */
  close(): Promise<void>
}

/** What a flush does to a file; of the system unless a test gives another. */
export type OpenLog = (path: string) => Promise<LogFile>
export type LogFile = Pick<FileHandle, 'fd' | 'datasync' | 'read' | 'write' | 'close'>

/** Mended so many bytes at a time. */
const chunkBytes = 1024 * 1024

/** Flush the log of the database in `file`. It is opened when it is first needed, and kept open. */
export function createLogFlush(
  file: string,
  openLog: OpenLog = path => open(path, 'r+'),
): LogFlush {
  const path = `${file}-wal`
  const listeners: (() => void)[] = []
  let opening: Promise<LogFile> | undefined
  let underWay: Promise<void> | undefined
  let following: Promise<void> | undefined
  let isInDoubt = true

  /**
   * The descriptor stays open: an error that the system met when it wrote pages back by itself, or for
   * another connection, is told once to each descriptor that was open then.
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

  async function flushAfter(before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => undefined)
    underWay = following
    following = undefined
    try {
      // What was written after a failure lies behind pages that may be missing on the disk.
      if (isInDoubt) throw brokenOff(`${path} may not be written to the disk`)
      const log = await openOnce()
      await log.datasync()
      checkInPlace(log)
    } catch (error) {
      isInDoubt = true
      for (const listener of listeners) listener()
      throw error
    } finally {
      underWay = undefined
    }
  }

  /** SQLite makes no new log while it has one open. If somebody else did, a start would not find ours. */
  function checkInPlace({ fd }: LogFile): void {
    if (fstatSync(fd).nlink > 0) return
    throw brokenOff(`${path} was deleted or replaced`)
  }

  return {
    async flush() {
      following ??= flushAfter(underWay)
      await following
      await ownTurn()
    },
    needsMending: () => isInDoubt,

    async mend() {
      const log = await openOnce()
      checkInPlace(log)
      await writeAgain(log)
      await log.datasync()
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

/** As SQLite says it of a disk that fails. */
function brokenOff(why: string): Error {
  return new BetterSqlite3.SqliteError(why, 'SQLITE_IOERR')
}

/**
 * Pages that a flush could not write count as written afterwards, and no later flush writes them: give the
 * system all of them once more. https://wiki.postgresql.org/wiki/Fsync_Errors
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

/** For connections that flush each commit by themselves, and databases in memory. */
export const flushedBySqlite: LogFlush = {
  flush: async (sharing = 1) => {
    if (sharing > 1) await ownTurn()
  },
  needsMending: () => false,
  mend: async () => undefined,
  onFailed: () => undefined,
  close: async () => undefined,
}
