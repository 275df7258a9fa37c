import { setTimeout as delay } from 'node:timers/promises'
import type { RetryState } from '../upkeep/retry-state.ts'

/** A batch that is being filled. */
export interface Batch<T, B> {
  add(item: T): void
  size(): number
  /** The batch as it is sent; nothing is added afterwards. */
  packed(): B
}

/** A batch that is not filled any more. */
interface Ready<B> {
  readonly size: number
  readonly packed: B
}

/** Items that wait to be sent on in batches, in their order, until they are known to have arrived. */
export interface BatchQueue<T> {
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

export interface BatchQueueOptions<T, B> {
  /** One at a time: the one before was packed. */
  newBatch(): Batch<T, B>
  /** Must do nothing when it gets a sequence that arrived before: a batch may be sent twice. */
  send(sequence: number, batch: B): Promise<void>
  /** Milliseconds that an item waits for its batch to fill. */
  readonly intervalMs: number
  /** A batch of so many is sent at once; while another is under way, one grows to four times as many. */
  readonly fullBatch: number
  readonly maxWaiting: number
  readonly retries: RetryState
  /** Called when nothing of a batch is wanted any more. */
  onArrived?(batch: B): void
  /** Called when one is dropped because too many wait. */
  onDrop?(): void
}

const retryAtCloseMs = 100

/** How many times as many as are sent at once: what is sent seldom, as to a slow disk, is sent with much. */
const mostGrowth = 4

/** An empty one. One batch is under way at a time, so that their order is kept. */
export function createBatchQueue<T, B>(options: BatchQueueOptions<T, B>): BatchQueue<T> {
  const { newBatch, send, intervalMs, fullBatch, maxWaiting, retries, onArrived, onDrop } = options
  /** Those that grew as far as they may. */
  const grown: Ready<B>[] = []
  let filling = newBatch()
  let sending: Ready<B> | undefined
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
    if (!isOpen || added - arrived >= maxWaiting) {
      dropped += 1
      if (isOpen) onDrop?.()
      return
    }
    added += 1
    filling.add(item)
    const size = filling.size()
    if (size < fullBatch) timer ??= setTimeout(onTime, intervalMs)
    if (size === fullBatch && retries.reason() === undefined) setImmediate(work)
    if (size === fullBatch * mostGrowth) grown.push(takeFilling())
  }

  function isFull(): boolean {
    return grown.length > 0 || filling.size() >= fullBatch
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
    while (sending !== undefined || isFull() || arrived < due) {
      sending ??= takeBatch()
      try {
        await send(sequence, sending.packed)
      } catch (error) {
        wakeIn(retries.failed(error))
        return
      }
      retries.over()
      arrived += sending.size
      onArrived?.(sending.packed)
      sending = undefined
    }
    if (arrived < added) wakeIn(intervalMs)
  }

  function takeBatch() {
    wasFull = isFull()
    sequence += 1
    return grown.shift() ?? takeFilling()
  }

  function takeFilling(): Ready<B> {
    const ready = { size: filling.size(), packed: filling.packed() }
    filling = newBatch()
    return ready
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
        const reason = retries.reason()
        if (arrived < all && reason !== undefined) throw new Error(reason)
      }
    },
    waiting: () => added - arrived,
    dropped: () => dropped,
    isBusy: () => wasFull,
    async close(withinMs) {
      isOpen = false
      await Promise.race([sendTheRest(), delay(withinMs, undefined, { ref: false })])
      gaveUp = true
      clearTimeout(timer)
      return added - arrived
    },
  }
}
