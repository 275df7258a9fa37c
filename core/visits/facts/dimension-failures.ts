import type { Log } from '../../plugin.ts'
import type { NamedDimension } from './dimensions.ts'

/** Says in the log what dimensions fail of, each part of one now and then. */
export interface DimensionFailures {
  report(dimension: FailingDimension, part: 'of' | 'labelOf', error: unknown): void
}

type FailingDimension = Pick<NamedDimension, 'name' | 'feature'>

/** What a dimension failed of, as it goes from thread to thread. */
export interface Failure {
  readonly message: string
  readonly stack: string | undefined
}

/** A dimension is asked at each visit: one that fails must not fill the disk. */
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
      log.error(`${what} failed: ${failureOf(error).message}`, { ...about, error })
    },
  }
}

export function failureOf(error: unknown): Failure {
  return error instanceof Error
    ? { message: error.message, stack: error.stack }
    : { message: String(error), stack: undefined }
}

/** The error again, on another thread than it was thrown on. */
export function errorOf({ message, stack }: Failure): Error {
  return Object.assign(new Error(message), { stack })
}

/** Throws when a dimension gave what is no text. */
export function textOf(given: unknown): string {
  if (typeof given === 'string') return given
  throw new TypeError(`it returned an invalid value: ${typeof given}, and not a text`)
}
