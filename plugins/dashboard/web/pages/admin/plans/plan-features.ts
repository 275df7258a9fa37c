import type { Plan, PlanChange } from '../../../api/admin/plans.ts'
import type { PluginState } from '../../../api/admin/plugins.ts'
import { wordsOf } from '../../../shared/fields/names.ts'

/** A feature that a plan includes or not. */
export interface PlanFeature {
  /** Such as `link.passwordProtection`. */
  readonly feature: string
  /** Where a plan stores it: in a group of the contract, or among what plugins add. */
  readonly kept: 'link' | 'analytics' | 'developer' | 'extensions'
  readonly key: string
  readonly label: string
  /** The heading of its group. */
  readonly group: string
  readonly isIncluded: boolean
  readonly about: string | null
  readonly isInstalled: boolean
}

const places = ['link', 'analytics', 'developer', 'extensions'] as const

/** The features of a plan, described by their plugins. */
export function planFeatures(plan: Plan, plugins: readonly PluginState[]): readonly PlanFeature[] {
  return places.flatMap(kept =>
    Object.entries(plan[kept]).map(([key, isIncluded]) => {
      const feature = kept === 'extensions' ? key : `${kept}.${key}`
      const plugin = plugins.find(it => it.feature === feature)
      return {
        feature,
        kept,
        key,
        isIncluded,
        // A plugin that is not installed gives no label.
        label: plugin?.label ?? wordsOf(key),
        group: plugin?.group ?? wordsOf(kept),
        about: plugin?.about ?? null,
        isInstalled: plugin?.enabled ?? false,
      }
    }),
  )
}

/** The features that differ, as a change of the plan. */
export function featureChange(
  features: readonly PlanFeature[],
  chosen: Readonly<Record<string, boolean>>,
): PlanChange {
  const changed = features.filter(
    ({ feature, isIncluded }) => chosen[feature] !== undefined && chosen[feature] !== isIncluded,
  )
  return Object.fromEntries(
    [...new Set(changed.map(({ kept }) => kept))].map(kept => [
      kept,
      Object.fromEntries(
        changed.filter(it => it.kept === kept).map(({ key, feature }) => [key, chosen[feature]]),
      ),
    ]),
  )
}
