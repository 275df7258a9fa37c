import type { Dimension, Plugin } from '../../plugin.ts'

/** A dimension with its name in the analytics answer. */
export interface NamedDimension extends Dimension {
  readonly name: string
  /** The plugin that brings it, for the log. */
  readonly feature?: string
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

/** The value that stands for the rest of a dimension, beyond the values that are counted separately in a day. */
export const otherValue = '(other)'

/** The value that stands for visits without a value. */
export const noValue = '(none)'
