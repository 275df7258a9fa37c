import type { Dimension, Plugin } from '../../plugin.ts'

/** A dimension with the name it has in the analytics answer. */
export interface NamedDimension extends Dimension {
  readonly name: string
  /** The plugin that brings it, for the log. */
  readonly feature?: string
}

/** What these plugins count. */
export function dimensionsOf(plugins: readonly Plugin[]): readonly NamedDimension[] {
  return plugins.flatMap(({ feature, dimensions = {} }) =>
    Object.entries(dimensions).map(([name, dimension]) => ({ name, feature, ...dimension })),
  )
}

/** Whether who counts has to load a plugin: for its dimensions, or to know where visitors are. */
export function isForCounting({ dimensions, reads }: Plugin): boolean {
  return dimensions !== undefined || reads !== undefined
}

/** How a dimension is asked about: numbers and those of different values stand in the totals. */
export type DimensionKind = 'number' | 'distinct' | 'line' | 'values'

export function kindOf({ chart, distinct }: Pick<Dimension, 'chart' | 'distinct'>): DimensionKind {
  if (distinct) return 'distinct'
  return chart === 'number' || chart === 'line' ? chart : 'values'
}

/** Whether a list of links can show it besides visits: a number, of all time. */
export function isSummed(dimension: NamedDimension): boolean {
  const { name, bots } = dimension
  return kindOf(dimension) === 'number' && !bots && name !== 'visits'
}

/** The value of a dimension's rest, past what is kept apart in a day. */
export const otherValue = '(other)'

/** Stands for the visits that a dimension has no value of. */
export const noValue = '(none)'
