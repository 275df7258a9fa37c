import type { Plugin, Registry } from '../plugin.ts'
import { checkPlugin } from './check-plugin.ts'
import { orderPlugins } from './order-plugins.ts'

export interface LoadedPlugins {
  readonly plugins: readonly Plugin[]
  /** What must be put right before a start. */
  readonly mistakes: readonly string[]
  /** Plugins from outside that do not go with the others, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
}

/**
 * Import the plugins that are on, and only those, in running order. Everything that is wrong comes
 * back at once, as sentences with the remedy.
 *
 * @param outside features of plugins that did not come with Linnet: what is wrong with one leaves it out
 */
export async function loadPlugins(
  registry: Registry,
  on: readonly string[],
  outside: readonly string[] = [],
): Promise<LoadedPlugins> {
  const known = Object.keys(registry)
  const unknown = on.filter(feature => !known.includes(feature))
  const wanted = known.filter(feature => on.includes(feature))
  const loaded = await Promise.all(
    wanted.map(async feature => loadPlugin(feature, registry[feature] as Registry[string])),
  )
  const found = loaded.flatMap(({ plugin }) => plugin ?? [])
  const own = found.filter(({ feature }) => !outside.includes(feature))
  const others = found.filter(({ feature }) => outside.includes(feature))
  const { plugins, leftOut } = join(own, others)
  return {
    plugins,
    leftOut,
    mistakes: [
      ...unknown.map(
        feature => `There is no plugin ${feature}: the plugins are ${known.join(', ')}.`,
      ),
      ...loaded.flatMap(({ mistakes }) => mistakes),
      ...mistakesOf(own),
    ],
  }
}

/** Take in one after the other of those from outside, as long as nothing is wrong with the whole. */
function join(
  own: readonly Plugin[],
  others: readonly Plugin[],
): Pick<LoadedPlugins, 'plugins' | 'leftOut'> {
  const before = mistakesOf(own)
  let members = own
  let waiting = others
  for (;;) {
    const next = waiting.find(it => newMistake(members, it, before) === undefined)
    if (next === undefined) break
    members = [...members, next]
    waiting = waiting.filter(it => it !== next)
  }
  const reasons = waiting.map(it => [it.feature, newMistake(members, it, before) ?? ''] as const)
  return {
    plugins: orderPlugins(members).plugins,
    leftOut: Object.fromEntries(reasons),
  }
}

/** What would be wrong with another member, without the full stop. */
function newMistake(
  members: readonly Plugin[],
  another: Plugin,
  before: readonly string[],
): string | undefined {
  const mistake = mistakesOf([...members, another]).find(it => !before.includes(it))
  return mistake?.replace(/\.$/, '')
}

function mistakesOf(plugins: readonly Plugin[]): readonly string[] {
  return [...orderPlugins(plugins).mistakes, ...clashes(plugins)]
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
