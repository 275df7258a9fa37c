import { setTimeout as delay } from 'node:timers/promises'

const againMs = 1_000

/**
 * Gives a function that has `work` done soon, once for all who ask until it begins, and again a second later for as long
 * as it says that it was not done. `isAgain` tells that it said so before.
 */
export function untilDone(
  work: (isAgain: boolean) => Promise<boolean>,
  signal: AbortSignal,
): () => void {
  let isAsked = false
  let isUnderWay = false

  async function begin(): Promise<void> {
    let isAgain = false
    while (isAsked && !signal.aborted) {
      isAsked = false
      isAgain = !(await work(isAgain))
      if (!isAgain) continue
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
