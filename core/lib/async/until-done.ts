import { setTimeout as delay } from 'node:timers/promises'

const againMs = 1_000

/**
 * Returns a function that has `work` done soon, once for all calls before it begins. If `work` returns false,
 * it runs again a second later, until it returns true.
 */
export function untilDone(work: () => Promise<boolean>, signal: AbortSignal): () => void {
  let isAsked = false
  let isUnderWay = false

  async function begin(): Promise<void> {
    while (isAsked && !signal.aborted) {
      isAsked = false
      if (await work()) continue
      isAsked = true
      await delay(againMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
    isUnderWay = false
  }

  return () => {
    isAsked = true
    if (isUnderWay) return
    isUnderWay = true
    setImmediate(begin)
  }
}

/** The same for work that is done when it ends: calls that come while it is under way have it done once more. */
export function onceForAll(work: () => Promise<void>, signal: AbortSignal): () => void {
  return untilDone(() => work().then(() => true), signal)
}
