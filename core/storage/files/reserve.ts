import { randomBytes } from 'node:crypto'
import { statSync, truncateSync } from 'node:fs'
import { rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../lib/sync-folder.ts'
import type { Log } from '../../plugin.ts'
import { isOfFullDisk, isOutOfReach } from './out-of-reach.ts'

/**
 * Space for the index of the log, without which a database cannot be opened on a full disk: 32 KiB for
 * every 4,096 pages of log, https://sqlite.org/walformat.html#the_wal_index_file_format
 */
export const reserveBytes = 1024 * 1024

/**
 * A file next to the database that keeps space free for a start on a full disk, which empties it when it needs the
 * space. While it is empty nothing may be written, or the log would grow into its space and the next start would
 * fail; all threads and processes see that by its length.
 */
export interface Reserve {
  isSpent(): boolean
  /** Whether an error may come from a full disk: of its kind, or any other while the disk has less room than the reserve. */
  helps(error: unknown): Promise<boolean>
  /** Free its space; false if it has none. */
  spend(): boolean
  /** Fill it if it is empty or missing; false if there is no space for it, or nothing can be written. */
  fill(): Promise<boolean>
}

/** The reserve of a database. */
export function reserveOf(file: string): Reserve {
  const path = join(dirname(file), 'linnet.reserve')
  const bytes = () => statSync(path, { throwIfNoEntry: false })?.size
  const room = async () => {
    const { bavail, bsize } = await statfs(dirname(path))
    return bavail * bsize
  }

  return {
    isSpent: () => bytes() === 0,

    async helps(error) {
      if (isOfFullDisk(error)) return true
      return isOutOfReach(error) && (await room()) < reserveBytes
    },

    spend() {
      if (!bytes()) return false
      try {
        truncateSync(path, 0)
        return true
      } catch (error) {
        // On a read-only disk there is nothing to free.
        if (isOutOfReach(error)) return false
        throw error
      }
    },

    async fill() {
      if (bytes() === reserveBytes) return true
      // Require the same amount again for the next writes, or it would be spent and filled by turns.
      if ((await room()) < 2 * reserveBytes) return false
      const unfinished = `${path}.new`
      try {
        await writeFile(unfinished, ballast(), { flush: true })
        await rename(unfinished, path)
        await syncFolder(dirname(path))
        return true
      } catch (error) {
        await rm(unfinished, { force: true })
        // Another process filled it meanwhile, with the file that this one was writing.
        if (bytes() === reserveBytes) return true
        if (isOutOfReach(error)) return false
        throw error
      }
    },
  }
}

/**
 * Random bytes, so that no file system compresses them away; and only the letters G to V, so that nobody who searches
 * the folder for traces of visitors finds one by chance.
 */
function ballast(): Buffer {
  const bytes = randomBytes(reserveBytes)
  // A loop takes a tenth of the time of `map`, and every first start waits for it.
  for (let place = 0; place < bytes.length; place += 1)
    bytes[place] = 71 + (Number(bytes[place]) & 15)
  return bytes
}

/** How often to check whether a full disk has space again, in milliseconds. */
const lookMs = 2_000

/** Fill the reserve of a database now or, if the disk is full, as soon as there is space. */
export async function keepReserve(file: string, log: Log): Promise<{ stop(): void }> {
  const reserve = reserveOf(file)
  const wasSpent = reserve.isSpent()
  let isSaid = wasSpent
  if (wasSpent) log.error('The disk is full. Links keep working, but nothing is written.')
  if (await tryToFill()) return { stop: () => undefined }

  const timer = setInterval(async () => {
    if (await tryToFill()) clearInterval(timer)
  }, lookMs).unref()
  return { stop: () => clearInterval(timer) }

  async function tryToFill(): Promise<boolean> {
    try {
      const isFilled = await reserve.fill()
      if (isFilled && wasSpent) log.info('The disk has free space again: writing continues.')
      if (!isFilled && !isSaid) {
        log.warn('The disk is too full to reserve the space for a start on a full disk')
        isSaid = true
      }
      return isFilled
    } catch (error) {
      log.warn('The space reserved for a start on a full disk could not be allocated', { error })
      return false
    }
  }
}
