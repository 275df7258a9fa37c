import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { pauseBetweenWindowsMs } from './count-windows.ts'
import { removeSlice } from './remove-counts.ts'
import { trackRetries } from './retry-state.ts'

/** Removes the counts of deleted links and accounts, a slice at a time. */
export interface Remover {
  /** Call this when something was deleted, but not all of its counts. */
  wake(): void
  /** Resolves when nothing is left; rejects if that fails, and it is retried automatically. */
  catchUp(): Promise<void>
  /** Stops after the current slice: the rest is noted, and the next run removes it. */
  close(): Promise<void>
}

/** How long to wait before removing what an earlier run left: a start has better things to do. */
const startMs = 5_000

export function removeWhenIdle({ db, log }: { readonly db: Database; readonly log: Log }): Remover {
  const retries = trackRetries(
    log,
    'The counts of deleted links cannot be removed. This is retried.',
    'The counts of deleted links are removed again.',
  )
  let isLeft = true
  let isOpen = true
  let working: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined = wakeIn(startMs)

  function wakeIn(ms: number): NodeJS.Timeout {
    // Failures are noted where they happen, and schedule the next attempt.
    return setTimeout(() => removeAll().catch(() => undefined), ms).unref()
  }

  function removeAll(): Promise<void> {
    working ??= removeOn().finally(() => {
      working = undefined
    })
    return working
  }

  async function removeOn(): Promise<void> {
    clearTimeout(timer)
    try {
      while (isOpen && isLeft) {
        isLeft = false
        if (!(await removeSlice(db))) isLeft = true
        if (isLeft) await delay(pauseBetweenWindowsMs)
      }
      retries.over()
    } catch (error) {
      isLeft = true
      const pauseMs = retries.failed(error)
      if (isOpen) timer = wakeIn(pauseMs)
      throw error
    }
  }

  return {
    wake() {
      isLeft = true
      clearTimeout(timer)
      if (isOpen) timer = wakeIn(pauseBetweenWindowsMs)
    },
    async catchUp() {
      if (isLeft || working) await removeAll()
    },
    async close() {
      isOpen = false
      clearTimeout(timer)
      await working?.catch(() => undefined)
    },
  }
}
