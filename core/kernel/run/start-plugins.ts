import { isDeepStrictEqual } from 'node:util'
import type { Outside } from '../../outside/load-outside.ts'
import type { Plugin, Registry } from '../../plugin.ts'
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

/** Plugins that run together, in running order. */
export interface RunningPlugins {
  readonly running: readonly RunningPlugin[]
  /** Plugins that are on but could not start, with the reason; health says so. */
  readonly leftOut: Readonly<Record<string, string>>
  /** Plugins that go on as they were, for what was changed of them could not start, with the reason. */
  readonly heldBack: Readonly<Record<string, string>>
  /** Where code of those failed, by the same names. */
  readonly stacks: Readonly<Record<string, string>>
  /** What they were taken from. */
  readonly offer: Offer
}

/** What came of starting plugins. */
export interface Started {
  /** In running order, those that ran before among them. */
  readonly running: readonly RunningPlugin[]
  /** Those that were set up for it. */
  readonly begun: readonly RunningPlugin[]
  /** Those that could not be set up, with the reason. */
  readonly failed: ReadonlyMap<Plugin, Failure>
  /** By feature, those and what needs them. */
  readonly leftOut: Readonly<Record<string, string>>
}

/** What stops a boot: one or more sentences with the remedy. */
export class Mistakes extends Error {
  override readonly name = 'Mistakes'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/**
 * Migrate and set up each plugin in order, but for those that run already, just so. One that fails is
 * left out, and so is what needs it. Throws what is no fault of one, and then none of them was begun.
 *
 * @param failures what it is known to fail of, so that it is not tried again
 */
export async function startPlugins(
  plugins: readonly Plugin[],
  stored: StoredSettings,
  before: readonly RunningPlugin[],
  deps: StartDeps,
  failures: (plugin: Plugin) => Failure | undefined = () => undefined,
): Promise<Started> {
  const running: RunningPlugin[] = []
  const begun: RunningPlugin[] = []
  const failed = new Map<Plugin, Failure>()
  const leftOut: Record<string, string> = {}

  async function begin(plugin: Plugin): Promise<RunningPlugin | undefined> {
    const started =
      failures(plugin) ?? (await startPlugin(plugin, stored[plugin.feature] ?? {}, deps))
    if ('plugin' in started) {
      begun.push(started)
      return started
    }
    failed.set(plugin, started)
    return undefined
  }

  async function start(plugin: Plugin): Promise<void> {
    const { feature } = plugin
    const missing = plugin.needs?.find(need => leftOut[need] !== undefined)
    const own = stored[feature] ?? {}
    const known = before.find(it => it.plugin === plugin && isDeepStrictEqual(it.stored, own))
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
    await stopPlugins(begun)
    throw error
  }
  return { running, begun, failed, leftOut }
}

/** Dispose of them, last first. */
export async function stopPlugins(members: readonly RunningPlugin[]): Promise<void> {
  for (const member of [...members].reverse()) await member.stop()
}

/** All that is wrong with what was stored of plugins. */
export function mistakesInSettings(
  plugins: readonly Plugin[],
  stored: StoredSettings,
  env: StartDeps['env'],
): readonly string[] {
  return plugins.flatMap(plugin => readPluginSettings(plugin, stored, env).mistakes)
}

/** Which plugins there are, and which of them are on by themselves. */
export interface Offer {
  readonly registry: Registry
  /** Which of them did not come with Linnet, and what is broken of those; absent: none. */
  readonly outside?: Outside
  /** Which plugins are on, unless an admin switched them. */
  readonly choice: PluginChoice
}
