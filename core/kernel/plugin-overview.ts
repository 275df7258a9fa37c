import { z } from 'zod'
import { countGuardedLinks } from '../links/guarded-links.ts'
import type { BrokenPlugin, Outside } from '../outside/load-outside.ts'
import type { Installed } from '../outside/packages.ts'
import type { Plugin, Registry } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import type { Containment } from './contain.ts'
import { loadPlugin } from './load-plugins.ts'
import { isOwnName, tablePrefix } from './names.ts'
import { deciders } from './plugin-choice.ts'
import type { PluginState } from './plugin-state.ts'
import { describeSettings, settingOverview } from './setting-overview.ts'
import type { RunningPlugins } from './start-plugins.ts'

/** A plugin of the registry as admins see it. */
export const pluginOverview = z.strictObject({
  feature: z.string().meta({
    description: 'Of a plugin from outside that cannot be loaded: the name of its package.',
  }),
  about: z.string().nullable().meta({ description: 'Null: its file cannot be loaded.' }),
  package: z
    .strictObject({
      name: z.string().meta({ description: 'Of the package, or of a single file.' }),
      version: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'Of a plugin from outside; null: it comes with Linnet.' }),
  needs: z.array(z.string()),
  enabled: z.boolean().meta({ description: 'It is set up and runs.' }),
  enabledNext: z.boolean().meta({ description: 'It is on at the next start.' }),
  decidedBy: z
    .enum(deciders)
    .meta({ description: 'What says whether it is on; what the environment says stays.' }),
  restartNeeded: z.boolean().meta({ description: 'Something takes effect at the next start.' }),
  problem: z.string().nullable().meta({ description: 'Why it does not run though it is on.' }),
  failures: z
    .array(
      z.strictObject({
        hook: z.string(),
        failures: z.int().meta({ description: 'In a row, up to now.' }),
        isResting: z.boolean().meta({ description: 'It is asked only every 30 s.' }),
        last: z.string(),
      }),
    )
    .meta({ description: 'Hooks that fail.' }),
  guardedLinks: z.int().meta({ description: 'Links that it guards; they stay shut without it.' }),
  tables: z.array(z.string()),
  settings: z.array(settingOverview),
})

export type PluginOverview = z.infer<typeof pluginOverview>

export interface OverviewDeps {
  readonly registry: Registry
  readonly db: Database
  readonly contain: Pick<Containment, 'health'>
  readonly plugins: RunningPlugins
  readonly state: PluginState
  readonly outside: Outside
  /** What is installed of those from outside now. */
  installed(): readonly Installed[]
}

/** Describe all plugins, those from outside that cannot be loaded last. */
export async function describeAll(deps: OverviewDeps): Promise<readonly PluginOverview[]> {
  return [
    ...(await describePlugins(deps, Object.keys(deps.registry))),
    ...deps.outside.broken.map(it => describeBroken(it, deps.installed())),
  ]
}

/**
 * Describe plugins of the registry. What is off is read for that, as nothing else in this process
 * does, and no hook of it runs.
 */
export async function describePlugins(
  { registry, db, contain, plugins, state, outside, installed }: OverviewDeps,
  features: readonly string[],
): Promise<readonly PluginOverview[]> {
  const guarded = await countGuardedLinks(db)
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  const running = new Map<string, Plugin>(
    plugins.running.map(({ plugin }) => [plugin.feature, plugin]),
  )
  const onDisk = installed()

  return Promise.all(
    features.map(async feature => {
      const read = registry[feature]
      const { plugin, mistakes = [] } = read
        ? await loadPlugin(feature, read)
        : { plugin: running.get(feature) }
      const from = outside.plugins.find(it => it.plugin.feature === feature)
      return {
        feature,
        about: plugin?.about ?? null,
        package: from ? { name: from.name, version: from.version } : null,
        needs: [...(plugin?.needs ?? [])],
        enabled: running.has(feature),
        enabledNext: state.isOnNext(feature) && (!from || isInstalled(from, onDisk)),
        decidedBy: state.decidedBy(feature),
        restartNeeded: state.needsRestart(feature) || (!!from && isChanged(from, onDisk)),
        problem: plugins.leftOut[feature] ?? mistakes[0] ?? null,
        failures: failuresOf(feature, contain),
        guardedLinks: guarded.get(feature) ?? 0,
        tables: tables.filter(name => isOwnName(name, tablePrefix(feature))),
        settings: plugin ? describeSettings(plugin, state) : [],
      }
    }),
  )
}

function isInstalled({ name }: { readonly name: string }, onDisk: readonly Installed[]): boolean {
  return onDisk.some(it => it.name === name)
}

/** Removed, or replaced, since the start. */
function isChanged({ name }: { readonly name: string }, onDisk: readonly Installed[]): boolean {
  return onDisk.find(it => it.name === name)?.restartNeeded !== false
}

/** It is no more than its name: which links and tables are its own nobody can tell. */
function describeBroken(broken: BrokenPlugin, onDisk: readonly Installed[]): PluginOverview {
  const { name, version, problem } = broken
  return {
    feature: name,
    about: null,
    package: { name, version },
    needs: [],
    enabled: false,
    enabledNext: false,
    decidedBy: 'default',
    restartNeeded: isChanged(broken, onDisk),
    problem,
    failures: [],
    guardedLinks: 0,
    tables: [],
    settings: [],
  }
}

function failuresOf(feature: string, { health }: OverviewDeps['contain']) {
  return Object.entries(health()).flatMap(([name, { failures, open, last }]) =>
    name.startsWith(`${feature} `)
      ? [{ hook: name.slice(feature.length + 1), failures, isResting: open, last }]
      : [],
  )
}
