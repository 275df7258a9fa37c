import { setTimeout as delay } from 'node:timers/promises'
import type { Folded } from '../fold/fold.ts'
import type { RetryState } from '../upkeep/retry-state.ts'

/** Folds what is stored while there is time for it, or at once when somebody waits for the counts. */
export interface Folder {
  /** A batch was stored as this row. */
  stored(batchId: number): void
  /** Fold all that was stored before; rejects when that fails. */
  foldNow(): Promise<void>
  /** Fold what there is time for in so many milliseconds; the rest is for the next run. */
  close(withinMs: number): Promise<void>
}

export interface FolderOptions {
  fold(): Promise<Folded>
  /** Whether visits come in so fast that folding would be in their way. */
  isBusy(): boolean
  readonly retries: RetryState
  /** Other servers store visits in the same database, and do not say so here. */
  readonly isShared?: boolean
}

/**
 * Batches gather for so long: what they have in common is then written once. Nobody sees older counts
 * for it, for whoever reads them has them folded first.
 */
const gatherMs = 5_000

/** Between two slices other writers get their turn with the database. */
const breathMs = 2

/** Where another server folds the same, who waits for the counts looks that much later how far it is. */
const elsewhereMs = 200

/** When it is busy, folding rests so many times as long as it works. */
const restFactor = 9

/** So many batches are not left to wait, however busy it is: an analytics query waits for them. */
const manyBatches = 500

/** Begins with what an earlier run left behind. */
export function foldWhenIdle({ fold, isBusy, retries, isShared = false }: FolderOptions): Folder {
  let newest = Number.MAX_SAFE_INTEGER
  /** How often something was stored, and as of when all of it is folded. */
  let stores = 1
  let folded = 0
  let foldedUpTo = 0
  let turn: Promise<unknown> = Promise.resolve()
  let isOpen = true
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
    // Whoever else folds them goes on: only one gets by, and to begin anew costs as much as a slice.
    if (isElsewhere) return wakeIn(gatherMs)
    foldedUpTo = Math.max(foldedUpTo, upTo)
    const isUrgent = !isBusy() || newest - foldedUpTo > manyBatches
    if (!done) wakeIn(isUrgent ? breathMs : (performance.now() - startedAt) * restFactor)
  }

  function wakeIn(ms: number): void {
    if (!isOpen) return
    // A failure is noted where it happens, and wakes us again.
    timer ??= setTimeout(() => foldOn().catch(() => undefined), ms)
  }

  async function foldNow(): Promise<void> {
    const target = isShared ? Number.MAX_SAFE_INTEGER : newest
    let isDone = !isShared
    while (folded < stores || !isDone) {
      const { done, upTo, isElsewhere } = await foldSlice()
      isDone ||= done
      if (upTo >= target) return
      await delay(isElsewhere ? elsewhereMs : breathMs)
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
    },
  }
}
