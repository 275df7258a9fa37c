/** The languages of visitors' pages. */
export const pageLanguages = ['en', 'de', 'fr', 'es'] as const
export type PageLanguage = (typeof pageLanguages)[number]

/** A text in English, and in other languages of visitors' pages. */
export type Texts = { readonly en: string } & { readonly [Language in PageLanguage]?: string }

/**
 * What a visitor reads: a text that is the same in every language, or one in several, of which each visitor
 * gets their own, or English. Programs get English.
 *
 * @example
 * const text: VisitorText = { en: 'Come back on Monday.', de: 'Komm am Montag wieder.' }
 */
export type VisitorText = string | Texts

export function inEnglish(text: VisitorText): string {
  return typeof text === 'string' ? text : text.en
}
