import type { Plan, PlanChange } from '../../../api/admin-plans.ts'
import type { PluginState } from '../../../api/admin-plugins.ts'

/** A feature that a plan has or has not. */
export interface PlanFeature {
  /** As `link.passwordProtection`. */
  readonly feature: string
  /** Where plans keep it: the groups of the contract, or what plugins add. */
  readonly group: 'link' | 'analytics' | 'developer' | 'extensions'
  readonly key: string
  readonly isIncluded: boolean
  readonly about: string | null
  readonly isInstalled: boolean
}

const groups = ['link', 'analytics', 'developer', 'extensions'] as const

/** What a plan says of features, with what their plugins say of themselves. */
export function planFeatures(plan: Plan, plugins: readonly PluginState[]): readonly PlanFeature[] {
  return groups.flatMap(group =>
    Object.entries(plan[group]).map(([key, isIncluded]) => {
      const feature = group === 'extensions' ? key : `${group}.${key}`
      const plugin = plugins.find(it => it.feature === feature)
      return {
        feature,
        group,
        key,
        isIncluded,
        about: plugin?.about ?? null,
        isInstalled: plugin?.enabled ?? false,
      }
    }),
  )
}

/** What differs, as a change of the plan. */
export function featureChange(
  features: readonly PlanFeature[],
  chosen: Readonly<Record<string, boolean>>,
): PlanChange {
  const changed = features.filter(
    ({ feature, isIncluded }) => chosen[feature] !== undefined && chosen[feature] !== isIncluded,
  )
  return Object.fromEntries(
    [...new Set(changed.map(({ group }) => group))].map(group => [
      group,
      Object.fromEntries(
        changed.filter(it => it.group === group).map(({ key, feature }) => [key, chosen[feature]]),
      ),
    ]),
  )
}
