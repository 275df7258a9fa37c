import { type Refusal, refuse } from '../../plugin/outcomes.ts'
import type { Plugin, Registry } from '../../plugin.ts'
import { type LoadedPlugins, loadPlugin } from './load-plugins.ts'
import type { PluginChoice } from './plugin-choice.ts'

/** Refuses to switch a plugin if the environment decides, or if a plugin that is on would lack one that it needs. */
export function refuseSwitch(
  plugin: Pick<Plugin, 'needs'> & { readonly feature: string },
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
    return choice.fixed.includes(feature) === enabled ? undefined : fixedByEnvironment
  }
  const unmet = (plugin.needs ?? []).filter(need => !others.some(it => it.feature === need))
  if (enabled && unmet.length > 0) {
    const detail = `${feature} needs ${listed(unmet)}. Switch ${pronoun(unmet)} on first.`
    return refuse('needs_unmet', detail, 409, 'enabled')
  }
  const needing = others.filter(({ needs = [] }) => needs.includes(feature))
  if (!enabled && needing.length > 0) {
    const names = listed(needing.map(it => it.feature))
    const detail = `${names} ${needing.length === 1 ? 'needs' : 'need'} ${feature}. Switch ${pronoun(needing)} off first.`
    return refuse('needed', detail, 409, 'enabled')
  }
  return undefined
}

/** Which plugins that run would stop, and why, without the last full stop; undefined if there are none. */
export function whyStopped(
  running: readonly Pick<Plugin, 'feature'>[],
  leftOut: LoadedPlugins['leftOut'],
): string | undefined {
  const reasons = running.flatMap(({ feature }) =>
    leftOut[feature] === undefined ? [] : [`${feature} would stop: ${leftOut[feature]}`],
  )
  return reasons.length === 0 ? undefined : reasons.join('; ')
}

/** Nobody but the operator can switch plugins. */
export const fixedByEnvironment = refuse(
  'fixed_by_environment',
  'The environment variable PLUGINS decides which plugins are on: change it there.',
  409,
  'enabled',
)

/** Loads the plugins of all these features but one, for `refuseSwitch`. Those that cannot be loaded have no needs. */
export async function loadOthers(
  registry: Registry,
  features: readonly string[],
  feature: string,
): Promise<readonly Plugin[]> {
  const loaded = features.flatMap(name => {
    const read = registry[name]
    return read && name !== feature ? [loadPlugin(name, read)] : []
  })
  return (await Promise.all(loaded)).flatMap(({ plugin }) => plugin ?? [])
}

function pronoun({ length }: readonly unknown[]): string {
  return length === 1 ? 'that' : 'those'
}

/** Reads "a, b and c". */
function listed(features: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(features)
}
