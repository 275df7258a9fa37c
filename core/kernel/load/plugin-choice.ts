import type { RunTimeSettings } from '../../settings/settings.ts'

/** Which plugins are on before an admin switches any. */
export interface PluginChoice {
  /** Exactly these, set by `PLUGINS` in the environment; undefined if an admin may switch plugins. */
  readonly fixed: readonly string[] | undefined
  /** The plugins that the configuration lists. */
  readonly usual: readonly string[]
}

/** What can decide whether a plugin is on. */
export const deciders = ['environment', 'setting', 'default'] as const

export type Decider = (typeof deciders)[number]

type Switched = Pick<NonNullable<RunTimeSettings['plugins']>, 'on' | 'off'> | undefined

/** The features that are on with these settings. */
export function featuresOn(choice: PluginChoice, switched: Switched): readonly string[] {
  if (choice.fixed) return choice.fixed
  const { on = [], off = [] } = switched ?? {}
  const added = on.filter(feature => !choice.usual.includes(feature))
  return [...choice.usual.filter(feature => !off.includes(feature)), ...added]
}

/** What decides whether this plugin is on. */
export function deciderOf(choice: PluginChoice, switched: Switched, feature: string): Decider {
  if (choice.fixed) return 'environment'
  const isSwitched = switched?.on?.includes(feature) || switched?.off?.includes(feature)
  return isSwitched ? 'setting' : 'default'
}

/** The settings with a plugin switched. A switch that only repeats the configuration is not stored. */
export function switchPlugin(
  settings: RunTimeSettings,
  { usual }: PluginChoice,
  feature: string,
  isOn: boolean,
): RunTimeSettings {
  const without = (list: readonly string[] = []) => list.filter(other => other !== feature)
  const on = without(settings.plugins?.on)
  const off = without(settings.plugins?.off)
  if (isOn !== usual.includes(feature)) (isOn ? on : off).push(feature)
  return { ...settings, plugins: { ...settings.plugins, on, off } }
}
