/** The languages of pages for visitors that come with Linnet. */
export const pageLanguages = ['en', 'de', 'fr', 'es'] as const

/** A text in English, and in other languages: Linnet's own, and those that plugins bring. */
export interface Texts {
  readonly en: string
  readonly [language: string]: string | undefined
}

/**
 * A text for visitors: either one that is the same in every language, or one with translations. Visitors get it in
 * their language, or else in English. Programs get English.
 *
 * @example
 * const text: VisitorText = { en: 'Come back on Monday.', de: 'Komm am Montag wieder.' }
 */
export type VisitorText = string | Texts

export function inEnglish(text: VisitorText): string {
  return typeof text === 'string' ? text : text.en
}
