import type { Json } from '../../plugin/fields.ts'
import type { RunTimeSettings, SettingsStore } from '../../settings/settings.ts'
import {
  type Decider,
  deciderOf,
  featuresOn,
  type PluginChoice,
  switchPlugin,
} from '../load/plugin-choice.ts'

/** Which plugins are on, and their stored settings. */
export interface PluginState {
  choice(): PluginChoice
  readonly env: Readonly<Record<string, string | undefined>>
  /** The features that are on. */
  on(): readonly string[]
  decidedBy(feature: string): Decider
  /** The stored settings of a plugin. */
  stored(feature: string): Readonly<Record<string, Json>>
}

export interface PluginChange {
  readonly enabled?: boolean | undefined
  /** By name; null resets a setting to its default. */
  readonly settings?: Readonly<Record<string, Json>> | undefined
}

type PluginsSaid = NonNullable<RunTimeSettings['plugins']>

export function createPluginState({
  choice,
  settings,
  env,
}: {
  choice(): PluginChoice
  readonly settings: SettingsStore
  readonly env: PluginState['env']
}): PluginState {
  const byAdmins = () => settings.read().plugins ?? {}
  return {
    choice,
    env,
    on: () => featuresOn(choice(), byAdmins()),
    stored: feature => byAdmins().settings?.[feature] ?? {},
    decidedBy: feature => deciderOf(choice(), byAdmins(), feature),
  }
}

/** The settings of the instance with a change of one plugin. */
export function withChange(
  before: RunTimeSettings,
  choice: PluginChoice,
  feature: string,
  { enabled, settings }: PluginChange,
): RunTimeSettings {
  const switched = enabled === undefined ? before : switchPlugin(before, choice, feature, enabled)
  return settings ? withSettings(switched, feature, settings) : switched
}

function withSettings(
  before: RunTimeSettings,
  feature: string,
  given: Readonly<Record<string, Json>>,
): RunTimeSettings {
  const { [feature]: pluginSettings, ...others } = before.plugins?.settings ?? {}
  const values = Object.entries({ ...pluginSettings, ...given }).filter(
    ([, value]) => value !== null,
  )
  const settings =
    values.length === 0 ? others : { ...others, [feature]: Object.fromEntries(values) }
  return { ...before, plugins: { ...before.plugins, settings } as PluginsSaid }
}
