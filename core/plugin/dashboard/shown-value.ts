/**
 * How a value is shown. Texts and numbers need no more than a label.
 *
 * @example
 * { label: 'Checked', as: 'date' }
 */
export interface ShownValue {
  readonly label: string
  /**
   * `date`: a text in ISO 8601, as date and time. `address`: an http or https URL, as a link. `picture`: a data URI of an SVG or
   * a PNG, as that.
   */
  readonly as?: 'date' | 'address' | 'picture'
  /** What values are called, by value: `true`, `404` and `glad` are keys. These are shown as badges. */
  readonly words?: Readonly<Record<string, ShownWord>>
}

/**
 * What a value is called, and whether that is good news.
 *
 * @example
 * { label: 'Broken', tone: 'bad' }
 */
export interface ShownWord {
  readonly label: string
  /** The colour. Default: grey. */
  readonly tone?: 'good' | 'warning' | 'bad'
}

/**
 * A filter in the list of links, with the values that it offers.
 *
 * @example
 * { label: 'Mood', words: { calm: { label: 'Calm' }, glad: { label: 'Glad' } } }
 */
export interface ShownFilter {
  readonly label: string
  /** What the values are called, in the order in which they are offered. The filter must accept each. */
  readonly words: Readonly<Record<string, ShownWord>>
}
