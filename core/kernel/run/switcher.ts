import type { Refusal } from '../../plugin/outcomes.ts'
import type { PluginChange } from './plugin-state.ts'
import type { AvailablePlugins, RunningPlugins } from './start-plugins.ts'

/** Changes which plugins run while requests go on. */
export interface Switcher {
  /** The plugins found by the last look. */
  available(): AvailablePlugins
  /** The plugins that run now. */
  plugins(): RunningPlugins
  /** Starts the first set of plugins. Throws a `UserError` with all mistakes at once. */
  start(): Promise<void>
  /**
   * Switches a plugin or changes its settings. Once it resolves, the change is in effect and stored. Refused if the
   * plugin cannot be set up with the change, or another that runs could not run on; then nothing has changed.
   *
   * @param refuse decides by what is on at that moment, because two changes could each switch off what the other needs
   */
  change(
    feature: string,
    change: PluginChange,
    refuse: () => Promise<Refusal | undefined>,
  ): Promise<Refusal | undefined>
  /** Reads again which plugins exist, which are on, and their settings, and runs exactly those. */
  refresh(): Promise<void>
  /** Prevents any further switching, and stops the plugins that run. Never rejects. */
  close(): Promise<void>
}
