import { scopesOf } from '../../accounts/access/scopes.ts'
import { messageForPeople } from '../../lib/message-for-people.ts'
import type { Plugin, Registry } from '../../plugin.ts'
import { checkPlugin } from './check-plugin.ts'
import { schemasOf } from './check-taken-names.ts'
import { isOwnName, misspeltKinds, tablePrefix } from './names.ts'
import { orderPlugins } from './order-plugins.ts'
import { addressesOf, addressesOfApi, membersOfLinks, pathsOf } from './taken-names.ts'

export interface LoadedPlugins {
  readonly plugins: readonly Plugin[]
  /** What must be corrected before the server can start. */
  readonly mistakes: readonly string[]
  /** Installed plugins that do not fit together with the others, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
}

/**
 * Imports the plugins that are on, and only those, in running order. Returns all mistakes at once, as sentences that
 * say what to do.
 *
 * @param outside features of plugins that did not come with Linnet; one with a mistake is left out
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
  const bundled = found.filter(({ feature }) => !outside.includes(feature))
  const others = found.filter(({ feature }) => outside.includes(feature))
  const mistakesIn = (plugins: readonly Plugin[]) => mistakesOf(plugins, known)
  const mistakes = mistakesIn(bundled)
  const { plugins, leftOut } = join(bundled, others, mistakes, mistakesIn)
  return {
    plugins,
    leftOut,
    mistakes: [
      ...unknown.map(
        feature => `There is no plugin ${feature}: the plugins are ${known.join(', ')}.`,
      ),
      ...loaded.flatMap(({ mistakes }) => mistakes),
      ...mistakes,
    ],
  }
}

/** Adds installed plugins one by one, leaving out those that cause mistakes besides those `before`. */
function join(
  bundled: readonly Plugin[],
  others: readonly Plugin[],
  before: readonly string[],
  mistakesIn: MistakesIn,
): Pick<LoadedPlugins, 'plugins' | 'leftOut'> {
  let members = bundled
  let waiting = others
  for (;;) {
    const next = waiting.find(it => newMistakes(members, it, before, mistakesIn) === '')
    if (next === undefined) break
    members = [...members, next]
    waiting = waiting.filter(it => it !== next)
  }
  const reasons = waiting.map(
    it => [it.feature, newMistakes(members, it, before, mistakesIn)] as const,
  )
  return {
    plugins: orderPlugins(members).plugins,
    leftOut: Object.fromEntries(reasons),
  }
}

/** The mistakes that another plugin would add, without the last full stop; '' if there are none. */
function newMistakes(
  members: readonly Plugin[],
  another: Plugin,
  before: readonly string[],
  mistakesIn: MistakesIn,
): string {
  const mistakes = mistakesIn([...members, another]).filter(it => !before.includes(it))
  return mistakes.map(it => it.replace(/\.$/, '')).join('; ')
}

type MistakesIn = (plugins: readonly Plugin[]) => readonly string[]

function mistakesOf(plugins: readonly Plugin[], known: readonly string[]): readonly string[] {
  return [
    ...orderPlugins(plugins, known).mistakes,
    ...clashes(plugins),
    ...sameSchemas(plugins),
    ...sharedTables(plugins),
    ...hiddenEndpoints(plugins),
    ...unknownScopes(plugins),
    ...misspeltKinds(plugins),
  ]
}

/** Imports and checks one plugin. */
export async function loadPlugin(
  feature: string,
  read: Registry[string],
): Promise<{ plugin?: Plugin; mistakes: readonly string[] }> {
  try {
    const { default: plugin } = await read()
    const mistakes = checkPlugin(plugin, feature)
    return mistakes.length === 0 ? { plugin, mistakes } : { mistakes }
  } catch (error) {
    const reason = messageForPeople(error)
    return {
      mistakes: [`${feature} cannot be loaded: ${reason}. Repair the plugin or switch it off.`],
    }
  }
}

/** Finds names that two plugins both use. The first plugin owns the name. */
function clashes(plugins: readonly Plugin[]): readonly string[] {
  const owners = new Map<string, string>()
  const mistakes: string[] = []
  for (const plugin of plugins) {
    for (const name of claimedNames(plugin)) {
      const owner = owners.get(name)
      if (owner === undefined) owners.set(name, plugin.feature)
      else mistakes.push(`${owner} and ${plugin.feature} both have the ${name}. Rename one.`)
    }
  }
  return mistakes
}

/** Finds mounts below `/api/v1` that would hide something of the API. */
function hiddenEndpoints(plugins: readonly Plugin[]): readonly string[] {
  const paths = [...addressesOfApi, ...plugins.flatMap(addressesOf)].map(it => it.split(' ')[1])
  return plugins.flatMap(plugin =>
    pathsOf(plugin).flatMap(([path]) => {
      const mount = path.startsWith('api/v1/') ? path.slice('api/v1'.length) : undefined
      const hidden = paths.find(it => mount !== undefined && `${it}/`.startsWith(`${mount}/`))
      return hidden === undefined
        ? []
        : [`${plugin.feature} has a mount ${path}, which would hide ${hidden}. Rename it.`]
    }),
  )
}

/** Finds ids that two plugins give to different schemas, of which the description of the API could show one. */
function sameSchemas(plugins: readonly Plugin[]): readonly string[] {
  const owners = new Map<string, { readonly feature: string; readonly schema: unknown }>()
  const mistakes: string[] = []
  for (const plugin of plugins) {
    for (const [id, schema] of schemasOf(plugin)) {
      const owner = owners.get(id)
      if (owner === undefined) owners.set(id, { feature: plugin.feature, schema })
      else if (owner.schema !== schema) {
        mistakes.push(
          `${owner.feature} and ${plugin.feature} both have a schema with the id ${id}. Rename one.`,
        )
      }
    }
  }
  return mistakes
}

/** Finds plugins whose table prefixes would let one reach the tables of the other. */
function sharedTables(plugins: readonly Plugin[]): readonly string[] {
  const named = plugins.map(({ feature }) => ({ feature, prefix: tablePrefix(feature) }))
  return named.flatMap((one, index) =>
    named
      .slice(index + 1)
      .filter(({ prefix }) => isOwnName(prefix, one.prefix) || isOwnName(one.prefix, prefix))
      .map(
        other => `${one.feature} and ${other.feature} would share tables: rename one of the two.`,
      ),
  )
}

/** Finds endpoints whose scope no token can have. */
function unknownScopes(plugins: readonly Plugin[]): readonly string[] {
  const known = scopesOf(plugins)
  return plugins.flatMap(({ feature, endpoints = {} }) =>
    Object.entries(endpoints)
      .filter(([, { scope }]) => !known.includes(scope))
      .map(
        ([name, { scope }]) =>
          `${feature} has an endpoint "${name}" with the scope ${scope}, which no token can have. Add it to scopes, or use one of ${known.join(', ')}.`,
      ),
  )
}

function claimedNames(plugin: Plugin): readonly string[] {
  return [
    ...Object.entries(plugin.fields ?? {}).flatMap(([name, { when }]) =>
      (when ? [when] : ['create', 'edit']).map(kind => `${kind} field ${name}`),
    ),
    ...membersOfLinks(plugin).map(name => `${name} of links`),
    ...Object.keys(plugin.filter?.query ?? {}).map(name => `filter ${name}`),
    ...Object.keys(plugin.statuses ?? {}).map(name => `status ${name}`),
    ...Object.keys(plugin.unstable?.totals ?? {}).map(name => `total ${name} of links`),
    ...Object.keys(plugin.dimensions ?? {}).map(name => `dimension ${name}`),
    ...Object.keys(plugin.limits ?? {}).map(name => `limit ${name}`),
    ...Object.keys(plugin.usage ?? {}).map(name => `usage ${name}`),
    ...[...Object.keys(plugin.views ?? {}), ...Object.keys(plugin.unstable?.openViews ?? {})].map(
      suffix => `view ${suffix}`,
    ),
    ...Object.keys(plugin.unstable?.commands ?? {}).map(name => `command ${name}`),
    ...Object.keys(plugin.unstable?.languages ?? {}).map(lang => `language ${lang}`),
    ...addressesOf(plugin).map(address => `endpoint ${address}`),
    ...pathsOf(plugin).map(([path]) => `path /${path}`),
  ]
}
