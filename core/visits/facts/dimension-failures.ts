import { abandon } from '../../lib/async/thenable.ts'
import { caught } from '../../lib/caught.ts'
import type { Log } from '../../plugin.ts'
import type { NamedDimension } from './dimensions.ts'

/** Logs the failures of dimensions, but each part of a dimension only now and then. */
export interface DimensionFailures {
  report(dimension: FailingDimension, part: 'of' | 'labelOf', error: unknown): void
}

type FailingDimension = Pick<NamedDimension, 'name' | 'feature'>

/**
 * How long not to log the same part again, in milliseconds: a dimension is called at each visit, and one that fails
 * must not fill the disk.
 */
const quietMs = 600_000

export function noteDimensionFailures(
  log: Log,
  monotonicMs = () => performance.now(),
): DimensionFailures {
  const toldAt = new Map<string, number>()
  return {
    report({ name, feature }, part, error) {
      const what = `${feature ? `${feature} ` : ''}dimensions.${name}.${part}`
      const now = monotonicMs()
      const before = toldAt.get(what)
      if (before !== undefined && now - before < quietMs) return
      toldAt.set(what, now)
      const about = { feature, hook: 'dimensions', part: `${name}.${part}` }
      log.error(`${what} failed: ${caught(error).message}`, { ...about, error })
    },
  }
}

/** Throws if a dimension returned something other than a text. A promise of one comes too late. */
export function textOf(given: unknown): string {
  if (typeof given === 'string') return given
  abandon(given)
  throw new TypeError(`it returned an invalid value: ${typeof given}, and not a text`)
}
