import type { Log } from '../../plugin.ts'
import { FolderInUse, type FolderLock, lockFolder } from './lock.ts'

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
