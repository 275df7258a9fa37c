/**
 * A language for visitors' pages and the dashboard, by the English texts: `linnet/texts.json` lists them all. `{}` is a value
 * that is put in; `{1}` and `{2}` are the first and the second of English, where their order is another. What is missing
 * or does not fit stays English.
 *
 * @example
 * const it: Language = {
 *   name: 'Italiano',
 *   visitors: { 'No link here': 'Qui non c’è nessun link' },
 *   dashboard: { '{} links deleted.': { one: 'Link eliminato.', other: '{} link eliminati.' } },
 * }
 */
export interface Language {
  /** Its own name for itself, such as `Italiano`. At most 40 characters. */
  readonly name: string
  /** Set this if it is written from right to left. */
  readonly dir?: 'rtl'
  /** What visitors' pages say. */
  readonly visitors?: Readonly<Record<string, string>>
  /**
   * What the dashboard says. Where one English text has two meanings, a text can also be told by its path, such as
   * `analyticsTexts.change`.
   */
  readonly dashboard?: Readonly<Record<string, string | PluralForms>>
  /** What the server says in the dashboard: labels, problems, findings. Programs get these in English. */
  readonly server?: Readonly<Record<string, string>>
}

/**
 * A text that depends on a number, by the categories of `Intl.PluralRules`, under the English text for many.
 *
 * @example
 * const forms: PluralForms = { one: '{} link', few: '{} linki', other: '{} linków' }
 */
export interface PluralForms {
  readonly zero?: string
  readonly one?: string
  readonly two?: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}
