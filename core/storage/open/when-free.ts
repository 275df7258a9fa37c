import { setTimeout as delay } from 'node:timers/promises'

/**
 * How long a write waits for others before it fails, in milliseconds: for those of this process, whose turn
 * comes first, and for another process or thread that has the lock.
 */
const lockWaitMs = 5_000

/** Whose turn comes late still waits so long for a lock that is held for a moment. */
const leastLockWaitMs = 100

/** Try again while another process or thread holds the write lock; `askedAt` by `performance.now`. */
export async function whenFree<T>(askedAt: number, work: () => T): Promise<T> {
  const giveUpAt = Math.max(askedAt + lockWaitMs, performance.now() + leastLockWaitMs)
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 20)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error
      await delay(waitMs)
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('SQLITE_BUSY')
  )
}
