import { showHidden } from '../../../lib/text/shown.ts'
import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import type { Log, Plugin } from '../../../plugin.ts'
import type { Entitlements } from '../../../settings/entitlements.ts'
import {
  type DimensionFailures,
  dimensionsOf,
  type NamedDimension,
  noteDimensionFailures,
  textOf,
} from '../../../visits/facts/dimensions.ts'

/** The dimensions that plugins count, and which of them a plan includes. */
export interface KnownDimensions {
  readonly all: readonly NamedDimension[]
  /** The named dimensions, all of which the plan must include; without names, all that it includes. */
  chosen(plan: string, names?: readonly string[]): readonly NamedDimension[] | Refusal
  /** Whether a plan includes visits over time. */
  hasLines(plan: string): boolean
}

export function knownDimensions(
  plugins: readonly Plugin[],
  { check }: Pick<Entitlements, 'check'>,
  log: Log,
): KnownDimensions {
  const failures = noteDimensionFailures(log)
  const known = plugins.flatMap(plugin =>
    dimensionsOf([plugin]).map(dimension => ({
      feature: plugin.feature,
      dimension: namingFailures(dimension, failures),
    })),
  )
  const ofPlan = (plan: string) => known.filter(({ feature }) => !check(plan, feature))
  return {
    all: known.map(({ dimension }) => dimension),
    chosen(plan, names) {
      const asked = names?.flatMap(name => known.filter(it => it.dimension.name === name))
      const barred = asked && check(plan, ...new Set(asked.map(it => it.feature)))
      if (isRefusal(barred)) return barred
      const found = asked ?? ofPlan(plan)
      return found.map(({ dimension }) => dimension)
    },
    hasLines: plan => ofPlan(plan).some(({ dimension: { chart } }) => chart === 'line'),
  }
}

/** The most characters of a label: a table of analytics has many. */
const maxLabel = 1_000

/** A plugin that cannot name a value must not hide how often it was counted. */
function namingFailures(
  dimension: NamedDimension,
  failures: DimensionFailures,
): NamedDimension & { labelOf(value: string): string } {
  return {
    ...dimension,
    labelOf(value) {
      try {
        const label = textOf(dimension.labelOf?.(value) ?? value)
        if (label.length > maxLabel)
          throw new Error(`it returned an invalid value: ${label.length} characters`)
        return showHidden(label)
      } catch (error) {
        failures.report(dimension, 'labelOf', error)
        return showHidden(value)
      }
    },
  }
}
