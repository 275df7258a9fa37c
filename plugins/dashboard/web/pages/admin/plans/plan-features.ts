import type { Plan, PlanChange } from '../../../api/admin/plans.ts'
import type { PluginState } from '../../../api/admin/plugins.ts'
import { wordsOf } from '../../../shared/fields/names.ts'

/** A feature that a plan has or has not. */
export interface PlanFeature {
  /** As `link.passwordProtection`. */
  readonly feature: string
  /** Where plans keep it: the groups of the contract, or what plugins add. */
  readonly kept: 'link' | 'analytics' | 'developer' | 'extensions'
  readonly key: string
  readonly label: string
  /** The heading that it stands under. */
  readonly group: string
  readonly isIncluded: boolean
  readonly about: string | null
  readonly isInstalled: boolean
}

const places = ['link', 'analytics', 'developer', 'extensions'] as const

/** What a plan says of features, with what their plugins say of themselves. */
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
        // Nobody says what a plugin is called that is not there.
        label: plugin?.label ?? wordsOf(key),
        group: plugin?.group ?? wordsOf(kept),
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
    [...new Set(changed.map(({ kept }) => kept))].map(kept => [
      kept,
      Object.fromEntries(
        changed.filter(it => it.kept === kept).map(({ key, feature }) => [key, chosen[feature]]),
      ),
    ]),
  )
}
