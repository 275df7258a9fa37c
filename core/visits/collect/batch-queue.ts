import { setTimeout as delay } from 'node:timers/promises'
import type { RetryState } from '../upkeep/retry-state.ts'

/** A batch that is being filled. */
export interface Batch<T, B> {
  /** Returns how many bytes the item takes. */
  add(item: T): number
  size(): number
  /** The batch as it is sent; nothing may be added afterwards. */
  packed(): B
}

/** A batch that is no longer being filled. */
interface Ready<B> {
  readonly size: number
  readonly bytes: number
  readonly packed: B
}

/** Items waiting to be sent in batches, in order, until they are known to have arrived. */
export interface BatchQueue<T> {
  /** Never throws and never waits; beyond `maxWaiting` and `maxBytes` the item is dropped and counted. */
  add(item: T): void
  /** Sends everything added so far, now. Rejects if a batch fails; it is kept and retried. */
  flush(): Promise<void>
  /** How many items have not arrived yet. */
  waiting(): number
  /** How full it is, from 0 to 1. */
  fullness(): number
  dropped(): number
  /** Whether items come in so fast that batches fill up before their interval ends. */
  isBusy(): boolean
  /**
   * Accepts no more items, sends what is left for at most `withinMs` milliseconds, then gives up; returns how many
   * items are lost.
   */
  close(withinMs: number): Promise<number>
}

export interface BatchQueueOptions<T, B> {
  /** Called when the previous batch is packed, so that one batch is filled at a time. */
  newBatch(): Batch<T, B>
  /** Must ignore a sequence number that arrived before: a batch may be sent twice. */
  send(sequence: number, batch: B): Promise<void>
  /** How long an item waits for its batch to fill, in milliseconds. */
  readonly intervalMs: number
  /** The size at which a batch is sent at once; while another is being sent, it may grow to four times that. */
  readonly fullBatch: number
  readonly maxWaiting: number
  readonly maxBytes: number
  readonly retries: RetryState
  /** Called when a batch has arrived and can be reused. */
  onArrived?(batch: B): void
  /** Whether all items are dropped now, whatever is waiting. */
  isShut?(): boolean
  /** Called when an item is dropped because too many are waiting. */
  onDrop?(): void
}

const retryAtCloseMs = 100

/** A batch may have this part of all bytes that may wait: who counts it needs several times as much. */
const mostOfBytes = 1 / 8

/** How many times `fullBatch` a batch may grow to: if sending is slow, as to a slow disk, each batch carries more. */
const mostGrowth = 4

/** Creates an empty queue. Only one batch is sent at a time, so that they stay in order. */
export function createBatchQueue<T, B>(options: BatchQueueOptions<T, B>): BatchQueue<T> {
  const { newBatch, send, intervalMs, fullBatch, maxWaiting, maxBytes, retries } = options
  const { isShut = () => false, onArrived, onDrop } = options
  /** Batches that have reached their largest size. */
  const grown: Ready<B>[] = []
  let filling = newBatch()
  let fillingBytes = 0
  /** Of all items that have not arrived. */
  let waitingBytes = 0
  let sending: Ready<B> | undefined
  let sequence = 0
  let added = 0
  let arrived = 0
  let dropped = 0
  /** Items up to this count do not wait for their batch to fill. */
  let due = 0
  let wasFull = false
  let isOpen = true
  let gaveUp = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined

  function add(item: T): void {
    if (!isOpen || added - arrived >= maxWaiting || waitingBytes >= maxBytes || isShut()) {
      dropped += 1
      if (isOpen && !isShut()) onDrop?.()
      return
    }
    added += 1
    const bytes = filling.add(item)
    fillingBytes += bytes
    waitingBytes += bytes
    const size = filling.size()
    if (size < fullBatch) timer ??= setTimeout(onTime, intervalMs)
    if (size === fullBatch && retries.reason() === undefined) setImmediate(work)
    if (size === fullBatch * mostGrowth || fillingBytes >= maxBytes * mostOfBytes) {
      grown.push(takeFilling())
      if (size < fullBatch && retries.reason() === undefined) setImmediate(work)
    }
  }

  function isFull(): boolean {
    return grown.length > 0 || filling.size() >= fullBatch
  }

  function onTime(): void {
    timer = undefined
    due = added
    void work()
  }

  /** Never rejects: a failure is noted and retried later. */
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
        if (gaveUp) return
        wakeIn(retries.failed(error))
        return
      }
      retries.over()
      arrived += sending.size
      waitingBytes -= sending.bytes
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
    const ready = { size: filling.size(), bytes: fillingBytes, packed: filling.packed() }
    filling = newBatch()
    fillingBytes = 0
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
        if (arrived < all && reason !== undefined)
          throw new Error(reason, { cause: retries.cause() })
      }
    },
    waiting: () => added - arrived,
    fullness: () => Math.max((added - arrived) / maxWaiting, waitingBytes / maxBytes),
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
