import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { removeSlice } from './remove-counts.ts'
import { trackRetries } from './retry-state.ts'

/** Removes what was counted of what is deleted, a slice at a time. */
export interface Remover {
  /** Something was deleted, and not all of its counts. */
  wake(): void
  /** Nothing is left when it resolves; rejects when that fails, and then it is tried again by itself. */
  catchUp(): Promise<void>
  /** End with the slice under way: what is left is noted, and the next run removes it. */
  close(): Promise<void>
}

/** What an earlier run left waits for so long: a start has better things to do. */
const startMs = 5_000

/** Between two slices others get their turn. */
const breathMs = 2

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
    // A failure is noted where it happens, and wakes us again.
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
        if (isLeft) await delay(breathMs)
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
      if (isOpen) timer = wakeIn(breathMs)
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
