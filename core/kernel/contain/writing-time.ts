import type { Log } from '../../plugin.ts'

/** How long a plugin may have a transaction that it began by itself, in milliseconds. */
const ownMs = 10_000

/**
 * How long plugins may keep everybody else from writing. After a transaction that took longer, the next ones of that plugin get a
 * tenth of the time each, until one ends by itself: many that wait for ever would keep everybody from writing, one after another.
 */
export interface WritingTime {
  /** How long the next transaction may take, in milliseconds, if usually it may take `usualMs`. */
  allowed(feature: string, usualMs?: number): number
  tookLonger(feature: string, ms: number): void
  ended(feature: string): void
  /** The plugins whose last transaction took longer, and after how many milliseconds it was undone. */
  late(): ReadonlyMap<string, number>
  /** When a plugin starts anew. */
  forget(feature: string): void
}

export function createWritingTime(log: Pick<Log, 'error'>, usuallyMs = ownMs): WritingTime {
  const late = new Map<string, number>()
  return {
    allowed: (feature, usualMs = usuallyMs) => (late.has(feature) ? usualMs / 10 : usualMs),
    tookLonger(feature, ms) {
      late.set(feature, ms)
      log.error(`${feature} kept everybody from writing: its transaction was undone`, {
        feature,
        afterMs: ms,
      })
    },
    ended: feature => void late.delete(feature),
    late: () => late,
    forget: feature => void late.delete(feature),
  }
}
