import { type Refusal, refuse } from '../outcomes.ts'
import type { Plugin } from '../plugin.ts'
import type { PluginChoice } from './plugin-choice.ts'

/** Refused: to switch a plugin where the environment decides, or so that a need would be unmet. */
export function refuseSwitch(
  plugin: Pick<Plugin, 'feature' | 'needs'>,
  enabled: boolean,
  {
    choice,
    others,
  }: {
    readonly choice: PluginChoice
    readonly others: readonly Pick<Plugin, 'feature' | 'needs'>[]
  },
): Refusal | undefined {
  const { feature } = plugin
  if (choice.fixed) {
    if (choice.fixed.includes(feature) === enabled) return undefined
    const detail = 'PLUGINS in the environment says which plugins are on: change it there.'
    return refuse('fixed_by_environment', detail, 409, 'enabled')
  }
  const unmet = (plugin.needs ?? []).filter(need => !others.some(it => it.feature === need))
  if (enabled && unmet.length > 0) {
    const detail = `${feature} needs ${unmet.join(' and ')}: turn that on first.`
    return refuse('needs_unmet', detail, 409, 'enabled')
  }
  const needing = others.filter(({ needs = [] }) => needs.includes(feature))
  if (!enabled && needing.length > 0) {
    const names = needing.map(it => it.feature).join(' and ')
    const detail = `${names} ${needing.length === 1 ? 'needs' : 'need'} ${feature}: turn that off first.`
    return refuse('needed', detail, 409, 'enabled')
  }
  return undefined
}
