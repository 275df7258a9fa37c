import { z } from 'zod'
import { countGuardedLinks, whyGuardedAreShut } from '../../links/read/guarded-links.ts'
import type { Plugin } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Containment } from '../contain/contain.ts'
import { loadPlugin } from '../load/load-plugins.ts'
import { isOwnName, tablePrefix } from '../load/names.ts'
import { type BrokenPlugin, nothingOutside } from '../load/outside-plugins.ts'
import { deciders } from '../load/plugin-choice.ts'
import { namesOf, translatorOf } from '../load/plugin-texts.ts'
import type { PluginState } from './plugin-state.ts'
import { describeSettings, settingOverview } from './setting-overview.ts'
import type { Switcher } from './switcher.ts'

/** A plugin of the registry as admins see it. */
export const pluginOverview = z.strictObject({
  feature: z.string().meta({
    description: 'The feature; for a plugin that cannot be loaded, the name of its package.',
  }),
  label: z.string(),
  group: z.string().meta({ description: 'The heading it is listed under.' }),
  about: z.string().nullable().meta({ description: 'Null: its file cannot be loaded.' }),
  package: z
    .strictObject({
      name: z.string().meta({ description: 'Name of the package or of the single file.' }),
      version: z.string().nullable(),
    })
    .nullable()
    .meta({
      description: 'The package of an installed plugin; null: the plugin comes with Linnet.',
    }),
  needs: z.array(z.string()),
  enabled: z.boolean().meta({ description: 'Whether it runs.' }),
  switchedOn: z.boolean().meta({
    description:
      'Whether it should run; `problem` says why it does not, or not with its last change.',
  }),
  decidedBy: z.enum(deciders).meta({
    description:
      'What decides whether it is on; what the environment decides cannot be changed here.',
  }),
  problem: z.string().nullable().meta({
    description: 'Why it does not run although it is on, or why it runs as before its last change.',
  }),
  stack: z.string().nullable().meta({ description: 'Where in its code this happened.' }),
  failures: z
    .array(
      z.strictObject({
        hook: z.string(),
        failures: z.int().min(0).meta({ description: 'Failures in a row, up to now.' }),
        isResting: z
          .boolean()
          .meta({ description: 'Whether it is paused and only tried every 30 s.' }),
        last: z.string(),
        stack: z.string().nullable().meta({ description: 'Where in its code this happened.' }),
      }),
    )
    .meta({ description: 'Hooks that fail.' }),
  guardedLinks: z
    .int()
    .min(0)
    .meta({ description: 'Number of links it protects; they stay closed without it.' }),
  tables: z.array(z.string()),
  settings: z.array(settingOverview),
})

export type PluginOverview = z.infer<typeof pluginOverview>

export interface OverviewDeps {
  readonly db: Database
  readonly contain: Pick<Containment, 'health'>
  readonly switcher: Pick<Switcher, 'plugins' | 'available'>
  readonly state: PluginState
}

/** Describes all plugins; installed ones that cannot be loaded come last. */
export async function describeAll(
  deps: OverviewDeps,
  acceptLanguage: string,
): Promise<readonly PluginOverview[]> {
  const { registry, outside = nothingOutside } = deps.switcher.available()
  return [
    ...(await describePlugins(deps, Object.keys(registry), acceptLanguage)),
    ...outside.broken.map(describeBroken),
  ]
}

/**
 * Describes plugins of the registry. Those that are off are imported for this, but none of their hooks run.
 */
export async function describePlugins(
  { db, contain, switcher, state }: OverviewDeps,
  features: readonly string[],
  acceptLanguage: string,
): Promise<readonly PluginOverview[]> {
  const { registry, outside = nothingOutside } = switcher.available()
  const guarded = await countGuardedLinks(db)
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  const { running: members, leftOut, heldBack, stacks } = switcher.plugins()
  const running = new Map<string, Plugin>(members.map(({ plugin }) => [plugin.feature, plugin]))

  return Promise.all(
    features.map(async feature => {
      const read = registry[feature]
      const { plugin, mistakes = [] } = read
        ? await loadPlugin(feature, read)
        : { plugin: running.get(feature) }
      const translate = translatorOf(plugin ?? {}, acceptLanguage)
      const { label, group } = namesOf(plugin ?? { feature })
      const guardedLinks = guarded.get(feature) ?? 0
      const shut =
        guardedLinks > 0 && running.has(feature) && !plugin?.guard
          ? whyGuardedAreShut(feature, guardedLinks, true)
          : null
      const from = outside.plugins.find(it => it.feature === feature)
      return {
        feature,
        label: translate(label),
        group: translate(group),
        about: plugin ? translate(plugin.about) : null,
        package: from ? { name: from.name, version: from.version } : null,
        needs: [...(plugin?.needs ?? [])],
        enabled: running.has(feature),
        switchedOn: state.on().includes(feature),
        decidedBy: state.decidedBy(feature),
        problem: leftOut[feature] ?? heldBack[feature] ?? mistakes[0] ?? shut,
        stack: stacks[feature] ?? null,
        failures: failuresOf(feature, contain),
        guardedLinks,
        tables: tables.filter(name => isOwnName(name, tablePrefix(feature))),
        settings: plugin ? describeSettings(plugin, state, translate) : [],
      }
    }),
  )
}

/** Only its name is known, not which links and tables belong to it. */
function describeBroken({ name, version, problem, stack }: BrokenPlugin): PluginOverview {
  return {
    feature: name,
    label: name,
    group: 'Packages',
    about: null,
    package: { name, version },
    needs: [],
    enabled: false,
    switchedOn: false,
    decidedBy: 'default',
    problem,
    stack: stack ?? null,
    failures: [],
    guardedLinks: 0,
    tables: [],
    settings: [],
  }
}

function failuresOf(feature: string, { health }: OverviewDeps['contain']) {
  return Object.entries(health()).flatMap(([name, { failures, open, last, stack = null }]) =>
    name.startsWith(`${feature} `)
      ? [{ hook: name.slice(feature.length + 1), failures, isResting: open, last, stack }]
      : [],
  )
}
