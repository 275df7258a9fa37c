import type { Outside } from '../../outside/load-outside.ts'
import type { Registry } from '../../plugin.ts'
import type { PluginChoice } from '../load/plugin-choice.ts'

/** Which plugins there are, and which of them are on by themselves. */
export interface Offer {
  readonly registry: Registry
  /** Which of them did not come with Linnet, and what is broken of those; absent: none. */
  readonly outside?: Outside
  /** Which plugins are on, unless an admin switched them. */
  readonly choice: PluginChoice
}
