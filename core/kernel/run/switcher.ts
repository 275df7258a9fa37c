import type { Refusal } from '../../plugin/outcomes.ts'
import type { PluginChange } from './plugin-state.ts'
import type { Offer, RunningPlugins } from './start-plugins.ts'

/** Has other plugins run while requests go on. */
export interface Switcher {
  /** Which plugins there are, as was found last. */
  offer(): Offer
  /** What runs now. */
  plugins(): RunningPlugins
  /** Have the first set run. Throws `Mistakes`, all of them at once. */
  start(): Promise<void>
  /**
   * Change what is said of a plugin. When it resolves it is so, and durable; refused when the plugin
   * cannot be set up so, and then nothing has changed.
   *
   * @param refuse why it must not be, by what is on at that moment: two changes could each leave out what the other needs
   */
  change(
    feature: string,
    change: PluginChange,
    refuse: () => Promise<Refusal | undefined>,
  ): Promise<Refusal | undefined>
  /** Look anew at which plugins there are and what is said of them, and have just those run. */
  refresh(): Promise<void>
  /** Let nothing be switched any more, and stop what runs; never rejects. */
  close(): Promise<void>
}
