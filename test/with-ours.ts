import type { Plugin, Registry } from '../core/plugin.ts'
import { registry } from '../plugins/index.ts'

const ours: Registry = registry

/** A plugin, or the feature of one that comes with Linnet. */
export type PluginOrFeature = Plugin | string

/**
 * All given plugins, each after those of ours that it needs. A given plugin replaces ours with the same
 * feature. Throws for anything that is not a plugin.
 */
export async function withOurs(given: readonly PluginOrFeature[]): Promise<readonly Plugin[]> {
  const known = new Map<string, Plugin>(given.filter(isPlugin).map(it => [it.feature, it]))
  const seen = new Set<string>()

  async function withNeeds(feature: string): Promise<readonly Plugin[]> {
    if (seen.has(feature)) return []
    seen.add(feature)
    const plugin = known.get(feature) ?? (await ours[feature]?.())?.default
    // The start reports needs that no plugin provides.
    return plugin ? [...(await allOf(plugin.needs ?? [])), plugin] : []
  }

  async function allOf(features: readonly string[]): Promise<readonly Plugin[]> {
    const found: Plugin[] = []
    for (const feature of features) found.push(...(await withNeeds(feature)))
    return found
  }

  const named = given.filter(it => typeof it === 'string')
  const unknown = named.find(feature => !(feature in ours))
  if (unknown !== undefined) throw new Error(`No plugin ${unknown} comes with Linnet.`)
  return allOf(given.map(it => (typeof it === 'string' ? it : it.feature)))
}

/** Those of the plugins that come with Linnet. */
export async function onlyOurs(plugins: readonly Plugin[]): Promise<readonly Plugin[]> {
  const known = await Promise.all(plugins.map(async ({ feature }) => ours[feature]?.()))
  return plugins.filter((plugin, index) => known[index]?.default === plugin)
}

function isPlugin(it: PluginOrFeature): it is Plugin {
  if (typeof it === 'string') return false
  if (typeof it?.feature === 'string') return true
  throw new Error(
    'That is no plugin: give what definePlugin({ … }) made, the default export of its file, or the feature of one ' +
      'that comes with Linnet.',
  )
}
