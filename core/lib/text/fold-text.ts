import { inForm } from './normal-form.ts'

/**
 * Folds a text for comparing it with a search: case, width and accents make no difference.
 *
 * @example
 * foldText('Straße nach Łódź') // 'STRASSE NACH ŁODZ'
 */
export function foldText(text: string): string {
  if (isAscii.test(text)) return text.toUpperCase()
  return inForm('NFC', inForm('NFKD', text).replace(accents, '').toUpperCase())
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the first of them is one
const isAscii = /^[\x00-\x7f]*$/

/** Marks of Latin, Greek and Cyrillic. In other scripts a mark makes another letter, such as か and が. */
const accents = /[\u0300-\u036f]/g
