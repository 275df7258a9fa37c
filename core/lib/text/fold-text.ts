import { inForm } from './normal-form.ts'

/**
 * Text as it is compared when somebody searches: letters are one in any case and any width, with an accent or
 * without.
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

/** Marks of Latin, Greek and Cyrillic: in other scripts a mark makes another letter, as か and が. */
const accents = /[\u0300-\u036f]/g
