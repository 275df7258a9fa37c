import { setTimeout as delay } from 'node:timers/promises'
import { isTaken } from '../../lib/files/lock-file.ts'

/**
 * How long a write waits before it fails, in milliseconds: first for its turn in this process, then for another
 * process or thread that has the lock.
 */
const lockWaitMs = 5_000

/** A write whose turn comes late still waits this long for the lock, in milliseconds. */
const leastLockWaitMs = 100

/** The thread that counts frees the lock for a few milliseconds at a time while visits come fast. */
const longestPauseMs = 2

/** Retries while another process or thread holds the write lock; `askedAt` is a time of `performance.now`. */
export async function whenFree<T>(askedAt: number, work: () => T): Promise<T> {
  const giveUpAt = Math.max(askedAt + lockWaitMs, performance.now() + leastLockWaitMs)
  for (let waitMs = 1; ; waitMs = longestPauseMs) {
    try {
      return work()
    } catch (error) {
      if (!isTaken(error) || performance.now() > giveUpAt) throw error
      await delay(waitMs)
    }
  }
}
