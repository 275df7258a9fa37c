import { abandon } from '../../lib/async/thenable.ts'
import { caught } from '../../lib/caught.ts'
import type { Dimension, Log, Plugin, Visit } from '../../plugin.ts'

/** A dimension with its name in the analytics answer. */
export interface NamedDimension extends Dimension {
  readonly name: string
  /** The plugin that brings it, for the log. */
  readonly feature?: string
  /** Differs for each version of its data file: what it said of visits before is then of no use. */
  dataVersion?(): string
}

/** The dimensions of these plugins. */
export function dimensionsOf(plugins: readonly Plugin[]): readonly NamedDimension[] {
  return plugins.flatMap(({ feature, dimensions = {} }) =>
    Object.entries(dimensions).map(([name, dimension]) => ({ name, feature, ...dimension })),
  )
}

/** Whether the counting thread has to load a plugin: for its dimensions, or for the locations that it reads. */
export function isForCounting({ dimensions, reads }: Plugin): boolean {
  return dimensions !== undefined || reads !== undefined
}

/** How a dimension is shown: `number` and `distinct` have a total. */
export type DimensionKind = 'number' | 'distinct' | 'line' | 'values'

export function kindOf({ chart, distinct }: Pick<Dimension, 'chart' | 'distinct'>): DimensionKind {
  if (distinct) return 'distinct'
  return chart === 'number' || chart === 'line' ? chart : 'values'
}

/** Whether a list of links can show its sum of all time besides visits. */
export function isSummed(dimension: NamedDimension): boolean {
  const { name, bots } = dimension
  return kindOf(dimension) === 'number' && !bots && name !== 'visits'
}

/** The value that a dimension has of every visit; undefined if that depends on the visit. */
export function valueOfAll({
  of,
  unstable,
}: Pick<Dimension, 'of' | 'unstable'>): string | undefined {
  if (unstable?.data) return undefined
  let isRead = false
  const read = () => {
    isRead = true
    return undefined
  }
  const visit = new Proxy(
    {},
    { get: read, has: () => read() ?? false, ownKeys: () => read() ?? [] },
  )
  try {
    const value = of(visit as Visit, undefined)
    return isRead || typeof value !== 'string' ? undefined : value
  } catch {
    return undefined
  }
}

/** The value that stands for the rest of a dimension, beyond the values that are counted separately in a day. */
export const otherValue = '(other)'

/** The value that stands for visits without a value. */
export const noValue = '(none)'

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
