import type { Panel, PanelPage } from './panel.ts'
import type { ShownFilter, ShownValue, ShownWord } from './shown-value.ts'

/**
 * What the dashboard shows for a plugin. All of it is data, which the dashboard draws: no code of a plugin runs in a
 * browser, and all texts and values are shown as text.
 *
 * @example
 * dashboard: {
 *   columns: { mood: { label: 'Mood', words: { glad: { label: 'Glad', tone: 'good' } } } },
 *   filters: { mood: { label: 'Mood', words: { glad: { label: 'Glad' } } } },
 * }
 */
export interface Dashboard {
  /**
   * What the list of links and the page of a link show of a link, by the name that it has in answers of the API: a
   * `computed` member of the plugin or one of its fields. Null, false without a word, and an empty text show nothing.
   */
  readonly columns?: Readonly<Record<string, ShownValue>>
  /** The colours of `statuses` of the plugin, by name. Default: grey. */
  readonly statuses?: Readonly<Record<string, Pick<ShownWord, 'tone'>>>
  /** Which parameters of the plugin's `filter` the list of links offers, by name. */
  readonly filters?: Readonly<Record<string, ShownFilter>>
  /** A panel on the page of each link. `:link`, or whatever the parameter of its endpoints is called, is the id of the link. */
  readonly linkPanel?: Panel
  /** Sections of the page Settings, which each person has for the own account. */
  readonly settings?: readonly Panel[]
  /** A page with an entry in the menu. */
  readonly page?: PanelPage
}
