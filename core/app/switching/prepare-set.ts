import { isDeepStrictEqual } from 'node:util'
import { type LoadedPlugins, loadPlugins } from '../../kernel/load/load-plugins.ts'
import { nothingOutside } from '../../kernel/load/outside-plugins.ts'
import { featuresOn } from '../../kernel/load/plugin-choice.ts'
import type { StoredSettings } from '../../kernel/run/plugin-settings.ts'
import {
  type Failure,
  type RunningPlugin,
  reasonOf,
  type StartDeps,
  type StoredValues,
} from '../../kernel/run/start-plugin.ts'
import {
  type AvailablePlugins,
  type RunningPlugins,
  startPlugins,
  stopPlugins,
} from '../../kernel/run/start-plugins.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Plugin } from '../../plugin.ts'
import type { RunTimeSettings } from '../../settings/settings.ts'

/** Which plugins exist, and the stored switches and settings of plugins. */
export interface PluginSelection {
  readonly available: AvailablePlugins
  readonly byAdmins: NonNullable<RunTimeSettings['plugins']>
}

/** Plugins that are set up and could run together. */
export interface PreparedSet {
  readonly plugins: RunningPlugins
  /** Plugins that were newly set up for it. A caller that does not use the set must stop them. */
  readonly started: readonly RunningPlugin[]
}

/** A plugin that failed, with the settings that it was tried with. */
export interface Attempt {
  readonly plugin: Plugin
  readonly stored: StoredValues
  readonly failure: Failure
}

/**
 * Sets up plugins that are new or changed. One that cannot be set up is left out; if it already runs in another version
 * or with other settings, that keeps running instead. Throws a `UserError`.
 *
 * @param attempts earlier failures, which are not repeated while the same plugin is selected with the same settings; new
 *   ones are added
 * @param ready plugins that are set up already
 */
export async function prepareSet(
  selection: PluginSelection,
  now: RunningPlugins | undefined,
  attempts: Map<string, Attempt>,
  deps: StartDeps,
  ready: readonly RunningPlugin[] = [],
): Promise<PreparedSet> {
  const started: RunningPlugin[] = []
  const heldBack: Record<string, string> = {}
  const stacks: Record<string, string> = {}
  const { byAdmins } = selection
  let available = keepWhatBroke(selection.available, now, { heldBack, stacks })
  let stored: StoredSettings = byAdmins.settings ?? {}
  const wished = (await loadAvailable(available, byAdmins)).plugins
  // Whoever installs a version again wants it to be tried again, even if it failed before.
  for (const [feature, { plugin }] of attempts) {
    if (!wished.includes(plugin)) attempts.delete(feature)
  }
  try {
    for (;;) {
      const { plugins, mistakes, leftOut } = await loadAvailable(available, byAdmins)
      if (mistakes.length > 0) throw new UserError(mistakes.join('\n'))
      const before = [...(now?.running ?? []), ...ready, ...started]
      const outcome = await startPlugins(plugins, stored, before, deps, plugin => {
        const last = attempts.get(plugin.feature)
        const isSame =
          last?.plugin === plugin && isDeepStrictEqual(last.stored, settingsOf(stored, plugin))
        return isSame ? last.failure : undefined
      })
      started.push(...outcome.started)
      let isDone = true
      for (const [plugin, failure] of outcome.failed) {
        const { feature } = plugin
        attempts.set(feature, { plugin, stored: settingsOf(stored, plugin), failure })
        if (failure.stack !== undefined) stacks[feature] = failure.stack
        const member = now?.running.find(it => it.plugin.feature === feature)
        if (!member) continue
        isDone = false
        heldBack[feature] = reasonOf(failure)
        available = withMember(available, member, now)
        stored = { ...stored, [feature]: member.stored }
      }
      const { running } = outcome
      const all = { ...leftOut, ...outcome.leftOut }
      if (isDone)
        return { plugins: { running, leftOut: all, heldBack, stacks, available }, started }
    }
  } catch (error) {
    await stopPlugins(started)
    throw error
  }
}

/** Imports those of the existing plugins that are on. */
export async function loadAvailable(
  { registry, outside = nothingOutside, choice }: AvailablePlugins,
  byAdmins: NonNullable<RunTimeSettings['plugins']>,
): Promise<LoadedPlugins> {
  const on = featuresOn(choice, byAdmins)
  const missing = on.filter(it => !Object.hasOwn(registry, it))
  // While a package cannot be read, its features are unknown.
  const unread = missing.filter(() => outside.broken.length > 0)
  // The plugin may be installed on another server, where somebody switched it on, but not on this one.
  const lacking = missing.filter(
    it => !choice.fixed && !unread.includes(it) && byAdmins.on?.includes(it),
  )
  const loaded = await loadPlugins(
    registry,
    on.filter(feature => ![...unread, ...lacking].includes(feature)),
    outside.plugins.map(({ feature }) => feature),
  )
  return {
    ...loaded,
    leftOut: {
      ...Object.fromEntries(outside.broken.map(({ name, problem }) => [name, problem])),
      ...Object.fromEntries(
        unread.map(feature => [feature, 'no plugin that can be loaded provides it']),
      ),
      ...Object.fromEntries(
        lacking.map(feature => [feature, 'it is switched on, but not installed on this server']),
      ),
      ...loaded.leftOut,
    },
  }
}

/** If a package can no longer be read, its running plugin goes on as it is. */
function keepWhatBroke(
  available: AvailablePlugins,
  now: RunningPlugins | undefined,
  problems: { readonly heldBack: Record<string, string>; readonly stacks: Record<string, string> },
): AvailablePlugins {
  let kept = available
  for (const { name, problem, stack } of available.outside?.broken ?? []) {
    const old = now?.available.outside?.plugins.find(it => it.name === name)
    const member = now?.running.find(({ plugin }) => plugin.feature === old?.feature)
    if (!member || Object.hasOwn(kept.registry, member.plugin.feature)) continue
    const { feature } = member.plugin
    problems.heldBack[feature] = problem
    if (stack !== undefined) problems.stacks[feature] = stack
    kept = withMember(kept, member, now)
  }
  return kept
}

/** What is available, with the running version of a plugin instead of the one that is installed now. */
function withMember(
  { registry, outside = nothingOutside, choice }: AvailablePlugins,
  { plugin }: RunningPlugin,
  now: RunningPlugins | undefined,
): AvailablePlugins {
  const { feature } = plugin
  const old = now?.available.outside?.plugins.filter(it => it.feature === feature) ?? []
  return {
    registry: { ...registry, [feature]: async () => ({ default: plugin }) },
    outside: {
      plugins: [...outside.plugins.filter(it => it.feature !== feature), ...old],
      broken: outside.broken.filter(({ name }) => old.every(it => it.name !== name)),
    },
    choice: choice.usual.includes(feature)
      ? choice
      : { ...choice, usual: [...choice.usual, feature] },
  }
}

function settingsOf(stored: StoredSettings, { feature }: Plugin): StoredValues {
  return stored[feature] ?? {}
}
