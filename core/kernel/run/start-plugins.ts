import { isDeepStrictEqual } from 'node:util'
import type { Plugin, Registry } from '../../plugin.ts'
import type { Outside } from '../load/outside-plugins.ts'
import type { PluginChoice } from '../load/plugin-choice.ts'
import { readPluginSettings, type StoredSettings } from './plugin-settings.ts'
import {
  type Failure,
  type RunningPlugin,
  reasonOf,
  type StartDeps,
  startPlugin,
} from './start-plugin.ts'

export type { RunningPlugin } from './start-plugin.ts'

/** The plugins that run together. */
export interface RunningPlugins {
  readonly running: readonly RunningPlugin[]
  /** Plugins that are on but could not start, with the reason; health says so. */
  readonly leftOut: Readonly<Record<string, string>>
  /** Plugins that keep running unchanged because a change of them could not start, with the reason. */
  readonly heldBack: Readonly<Record<string, string>>
  /** The stacks of these failures, by the same names. */
  readonly stacks: Readonly<Record<string, string>>
  /** The plugins that there were to choose from. */
  readonly available: AvailablePlugins
}

/** The result of starting plugins. */
export interface Started {
  /** All running plugins in running order, including those that ran before. */
  readonly running: readonly RunningPlugin[]
  /** The plugins that were newly set up. */
  readonly started: readonly RunningPlugin[]
  /** The plugins that could not be set up, with the reason. */
  readonly failed: ReadonlyMap<Plugin, Failure>
  /** The plugins that could not be set up and those that need them, by feature, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
}

/**
 * Migrates and sets up each plugin in order, except those that already run with the same settings. A plugin that fails
 * is left out, and so are those that need it. Throws errors that no plugin caused; the newly started plugins are then
 * stopped.
 *
 * @param failures returns a known failure of a plugin, so that it is not tried again
 */
export async function startPlugins(
  plugins: readonly Plugin[],
  stored: StoredSettings,
  before: readonly RunningPlugin[],
  deps: StartDeps,
  failures: (plugin: Plugin) => Failure | undefined = () => undefined,
): Promise<Started> {
  const running: RunningPlugin[] = []
  const started: RunningPlugin[] = []
  const failed = new Map<Plugin, Failure>()
  const leftOut: Record<string, string> = {}

  async function begin(plugin: Plugin): Promise<RunningPlugin | undefined> {
    const outcome =
      failures(plugin) ?? (await startPlugin(plugin, stored[plugin.feature] ?? {}, deps))
    if ('plugin' in outcome) {
      started.push(outcome)
      return outcome
    }
    failed.set(plugin, outcome)
    return undefined
  }

  async function start(plugin: Plugin): Promise<void> {
    const { feature } = plugin
    const missing = plugin.needs?.find(need => leftOut[need] !== undefined)
    const values = stored[feature] ?? {}
    const known = before.find(it => it.plugin === plugin && isDeepStrictEqual(it.stored, values))
    const member = missing === undefined ? (known ?? (await begin(plugin))) : undefined
    const failure = failed.get(plugin)
    if (member) running.push(member)
    else {
      leftOut[feature] = failure ? reasonOf(failure) : `it needs ${missing}, which does not run`
    }
  }

  try {
    for (const plugin of plugins) await start(plugin)
  } catch (error) {
    await stopPlugins(started)
    throw error
  }
  return { running, started, failed, leftOut }
}

/** Disposes of plugins, last first. */
export async function stopPlugins(members: readonly RunningPlugin[]): Promise<void> {
  for (const member of [...members].reverse()) await member.stop()
}

/** All mistakes in the stored settings of plugins. */
export function mistakesInSettings(
  plugins: readonly Plugin[],
  stored: StoredSettings,
  env: StartDeps['env'],
): readonly string[] {
  return plugins.flatMap(plugin => readPluginSettings(plugin, stored, env).mistakes)
}

/** Which plugins exist, and which of them are on by default. */
export interface AvailablePlugins {
  readonly registry: Registry
  /** The plugins that did not come with Linnet, and which of them are broken. Absent if there are none. */
  readonly outside?: Outside
  /** Which plugins are on before an admin switches any. */
  readonly choice: PluginChoice
}
