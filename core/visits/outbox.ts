import { setTimeout as delay } from 'node:timers/promises'
import type { Trouble } from './trouble.ts'

/** Items that wait to be sent on in batches, in their order, until they are known to have arrived. */
export interface Outbox<T> {
  /** Never throws and never waits; past the bound the item is dropped and counted. */
  add(item: T): void
  /** Send all that was added before, now. Rejects when a batch fails; it is kept and tried again. */
  flush(): Promise<void>
  /** How many have not arrived yet. */
  waiting(): number
  dropped(): number
  /** Items come in so fast that batches are full before their time. */
  isBusy(): boolean
  /** Take no more, send what is left for so many milliseconds, and give up: gives how many are lost. */
  close(withinMs: number): Promise<number>
}

export interface OutboxOptions<T> {
  /** Must do nothing when it gets a sequence that arrived before: a batch may be sent twice. */
  send(sequence: number, items: readonly T[]): Promise<void>
  /** Milliseconds that an item waits for its batch to fill. */
  readonly intervalMs: number
  readonly maxBatch: number
  readonly maxWaiting: number
  readonly trouble: Trouble
}

const retryAtCloseMs = 100

/** An empty one. One batch is under way at a time, so that their order is kept. */
export function createOutbox<T>(options: OutboxOptions<T>): Outbox<T> {
  const { send, intervalMs, maxBatch, maxWaiting, trouble } = options
  const queue: T[] = []
  let batch: readonly T[] = []
  let sequence = 0
  let added = 0
  let arrived = 0
  let dropped = 0
  /** What was added up to here does not wait for its batch to fill. */
  let due = 0
  let wasFull = false
  let isOpen = true
  let gaveUp = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined

  function add(item: T): void {
    if (!isOpen || queue.length + batch.length >= maxWaiting) {
      dropped += 1
      return
    }
    added += 1
    queue.push(item)
    if (queue.length === maxBatch && trouble.reason() === undefined) setImmediate(work)
    else timer ??= setTimeout(onTime, intervalMs)
  }

  function onTime(): void {
    timer = undefined
    due = added
    void work()
  }

  /** Never rejects: what fails is noted and tried again later. */
  function work(): Promise<void> {
    working ??= sendAll().finally(() => {
      working = undefined
    })
    return working
  }

  async function sendAll(): Promise<void> {
    while (batch.length > 0 || queue.length >= maxBatch || arrived < due) {
      if (batch.length === 0) takeBatch()
      try {
        await send(sequence, batch)
      } catch (error) {
        wakeIn(trouble.failed(error))
        return
      }
      trouble.over()
      arrived += batch.length
      batch = []
    }
    if (queue.length > 0) wakeIn(intervalMs)
  }

  function takeBatch(): void {
    batch = queue.splice(0, maxBatch)
    wasFull = batch.length === maxBatch
    sequence += 1
  }

  function wakeIn(ms: number): void {
    clearTimeout(timer)
    timer = gaveUp ? undefined : setTimeout(onTime, ms)
  }

  async function sendTheRest(): Promise<void> {
    due = added
    while (arrived < added && !gaveUp) {
      await work()
      if (arrived < added) await delay(retryAtCloseMs)
    }
  }

  return {
    add,
    async flush() {
      const all = added
      due = all
      while (arrived < all) {
        await work()
        const reason = trouble.reason()
        if (arrived < all && reason !== undefined) throw new Error(reason)
      }
    },
    waiting: () => queue.length + batch.length,
    dropped: () => dropped,
    isBusy: () => wasFull,
    async close(withinMs) {
      isOpen = false
      await Promise.race([sendTheRest(), delay(withinMs, undefined, { ref: false })])
      gaveUp = true
      clearTimeout(timer)
      return queue.length + batch.length
    },
  }
}
