import { isDeepStrictEqual } from 'node:util'
import type { RunTimeSettings, SettingsStore } from '../accounts/settings.ts'
import type { Json } from '../fields.ts'
import {
  type Decider,
  deciderOf,
  featuresOn,
  type PluginChoice,
  switchPlugin,
} from './plugin-choice.ts'

/** What is said of plugins: at the start of this process, and for the next one. */
export interface PluginState {
  readonly choice: PluginChoice
  readonly env: Readonly<Record<string, string | undefined>>
  /** The features that are on at the next start. */
  next(): readonly string[]
  isOnNext(feature: string): boolean
  decidedBy(feature: string): Decider
  /** Whether the next start would find a plugin switched or set differently. */
  needsRestart(feature: string): boolean
  /** What is stored of a plugin's settings. */
  stored(feature: string): Readonly<Record<string, Json>>
  /** Store a change; a setting that is null goes back to its default. */
  change(feature: string, change: PluginChange): Promise<void>
}

export interface PluginChange {
  readonly enabled?: boolean | undefined
  readonly settings?: Readonly<Record<string, Json>> | undefined
}

type PluginsSaid = NonNullable<RunTimeSettings['plugins']>

export function createPluginState({
  choice,
  settings,
  startedWith,
  env,
}: {
  readonly choice: PluginChoice
  readonly settings: SettingsStore
  readonly startedWith: PluginsSaid
  readonly env: PluginState['env']
}): PluginState {
  const said = () => settings.read().plugins ?? {}
  const onNow = featuresOn(choice, startedWith)
  const stored = (feature: string) => said().settings?.[feature] ?? {}
  const next = () => featuresOn(choice, said())

  return {
    choice,
    env,
    next,
    stored,
    isOnNext: feature => next().includes(feature),
    decidedBy: feature => deciderOf(choice, said(), feature),

    needsRestart(feature) {
      const [isOn, willBe] = [onNow.includes(feature), next().includes(feature)]
      const isSet = !isDeepStrictEqual(startedWith.settings?.[feature] ?? {}, stored(feature))
      return isOn !== willBe || (willBe && isSet)
    },

    async change(feature, { enabled, settings: given }) {
      await settings.update(before => {
        const switched =
          enabled === undefined ? before : switchPlugin(before, choice, feature, enabled)
        return given ? withSettings(switched, feature, given) : switched
      })
    },
  }
}

function withSettings(
  before: RunTimeSettings,
  feature: string,
  given: Readonly<Record<string, Json>>,
): RunTimeSettings {
  const { [feature]: own, ...others } = before.plugins?.settings ?? {}
  const values = Object.entries({ ...own, ...given }).filter(([, value]) => value !== null)
  const settings =
    values.length === 0 ? others : { ...others, [feature]: Object.fromEntries(values) }
  return { ...before, plugins: { ...before.plugins, settings } as PluginsSaid }
}
