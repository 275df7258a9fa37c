import { setTimeout as delay } from 'node:timers/promises'
import type { Folded } from '../fold/fold.ts'
import { pauseBetweenWindowsMs } from '../upkeep/count-windows.ts'
import type { RetryState } from '../upkeep/retry-state.ts'

/** Folds stored visits when there is time for it, or at once if somebody waits for the counts. */
export interface Folder {
  /** Call this when a batch was stored in the row with this id. */
  stored(batchId: number): void
  /** Folds everything stored so far; rejects if that fails. */
  foldNow(): Promise<void>
  /** Folds as much as `withinMs` milliseconds allow; the rest is for the next run. Returns whether that was all. */
  close(withinMs: number): Promise<boolean>
}

export interface FolderOptions {
  fold(): Promise<Folded>
  /** Whether visits come in so fast that folding would be in their way. */
  isBusy(): boolean
  readonly retries: RetryState
  /** Whether other servers store visits in the same database, without notice. */
  readonly isShared?: boolean
}

/**
 * How long batches gather, in milliseconds, so that what they have in common is written once. Nobody sees stale
 * counts because of it: whoever reads counts has the batches folded first.
 */
const gatherMs = 5_000

/** If another server folds the same batches, how long a caller of `foldNow` waits before it checks again. */
const elsewhereMs = 200

/** When visits come in fast, folding pauses for this many times as long as it worked. */
const restFactor = 9

/** This many batches are folded however busy it is: analytics queries have to wait for them. */
const manyBatches = 500

/** Begins with what an earlier run left unfolded. */
export function foldWhenIdle({ fold, isBusy, retries, isShared = false }: FolderOptions): Folder {
  let newest = Number.MAX_SAFE_INTEGER
  /** The number of stores so far, and the number of stores up to which everything is folded. */
  let stores = 1
  let folded = 0
  let foldedUpTo = 0
  let turn: Promise<unknown> = Promise.resolve()
  let isOpen = true
  /** Nothing can be folded any more, and that is no failure. */
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  wakeIn(gatherMs)

  async function foldSlice(): Promise<Folded> {
    const slice = turn.then(takeTurn, takeTurn)
    turn = slice
    try {
      const result = await slice
      retries.over()
      return result
    } catch (error) {
      if (isOver) throw error
      wakeIn(retries.failed(error))
      throw error
    }
  }

  async function takeTurn(): Promise<Folded> {
    const storesBefore = stores
    const result = await fold()
    if (result.done) folded = storesBefore
    return result
  }

  async function foldOn(): Promise<void> {
    timer = undefined
    const startedAt = performance.now()
    const { done, upTo, isElsewhere } = await foldSlice()
    // Leave it to the other process: only one succeeds, and starting over costs as much as a slice.
    if (isElsewhere) return wakeIn(gatherMs)
    foldedUpTo = Math.max(foldedUpTo, upTo)
    const isUrgent = !isBusy() || newest - foldedUpTo > manyBatches
    if (!done)
      wakeIn(isUrgent ? pauseBetweenWindowsMs : (performance.now() - startedAt) * restFactor)
  }

  function wakeIn(ms: number): void {
    if (!isOpen) return
    // Failures are noted where they happen, and schedule the next attempt.
    timer ??= setTimeout(() => foldOn().catch(() => undefined), ms)
  }

  async function foldNow(): Promise<void> {
    const target = isShared ? Number.MAX_SAFE_INTEGER : newest
    let isDone = !isShared
    while (!isOver && (folded < stores || !isDone)) {
      const { done, upTo, isElsewhere } = await foldSlice()
      isDone ||= done
      if (upTo >= target) return
      await delay(isElsewhere ? elsewhereMs : pauseBetweenWindowsMs)
    }
  }

  return {
    stored(batchId) {
      newest = batchId
      stores += 1
      wakeIn(gatherMs)
    },
    foldNow,
    async close(withinMs) {
      isOpen = false
      clearTimeout(timer)
      const last = foldNow().catch(() => undefined)
      await Promise.race([last, delay(withinMs, undefined, { ref: false })])
      isOver = true
      return folded === stores
    },
  }
}
