import type { Plugin, Registry } from '../plugin.ts'
import { checkPlugin } from './check-plugin.ts'
import { orderPlugins } from './order-plugins.ts'

/**
 * Import the plugins that are on, and only those, in running order. Everything that is wrong comes
 * back at once, as sentences with the remedy.
 */
export async function loadPlugins(
  registry: Registry,
  on: readonly string[],
): Promise<{ readonly plugins: readonly Plugin[]; readonly mistakes: readonly string[] }> {
  const known = Object.keys(registry)
  const unknown = on.filter(feature => !known.includes(feature))
  const wanted = known.filter(feature => on.includes(feature))
  const loaded = await Promise.all(
    wanted.map(async feature => loadPlugin(feature, registry[feature] as Registry[string])),
  )
  const ordered = orderPlugins(loaded.flatMap(({ plugin }) => plugin ?? []))
  return {
    plugins: ordered.plugins,
    mistakes: [
      ...unknown.map(
        feature => `There is no plugin ${feature}: the plugins are ${known.join(', ')}.`,
      ),
      ...loaded.flatMap(({ mistakes }) => mistakes),
      ...ordered.mistakes,
      ...clashes(ordered.plugins),
    ],
  }
}

/** Import one plugin and check that it is one. */
export async function loadPlugin(
  feature: string,
  read: Registry[string],
): Promise<{ plugin?: Plugin; mistakes: readonly string[] }> {
  try {
    const { default: plugin } = await read()
    const mistakes = checkPlugin(plugin, feature)
    return mistakes.length === 0 ? { plugin, mistakes } : { mistakes }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      mistakes: [`${feature} cannot be loaded: ${reason}. Repair the plugin or turn it off.`],
    }
  }
}

/** Names that two plugins would share: request fields, dimensions, endpoints, extension keys. */
function clashes(plugins: readonly Plugin[]): readonly string[] {
  const owners = new Map<string, string>()
  const mistakes: string[] = []
  for (const plugin of plugins) {
    for (const name of claimedNames(plugin)) {
      const owner = owners.get(name)
      if (owner) mistakes.push(`${owner} and ${plugin.feature} both bring the ${name}: rename one.`)
      owners.set(name, plugin.feature)
    }
  }
  return mistakes
}

function claimedNames(plugin: Plugin): readonly string[] {
  return [
    ...Object.entries(plugin.fields ?? {}).flatMap(([name, { when }]) =>
      (when ? [when] : ['create', 'edit']).map(kind => `${kind} field ${name}`),
    ),
    ...Object.keys(plugin.dimensions ?? {}).map(name => `dimension ${name}`),
    ...Object.keys(plugin.views ?? {}).map(suffix => `view ${suffix}`),
    ...Object.keys(plugin.endpoints ?? {}).map(name => `endpoint ${name}`),
    ...(plugin.site ? [`site /${plugin.site.path}`] : []),
    `feature name ${plugin.feature.split('.')[1]}`,
  ]
}
