/**
 * More marks on one letter than anybody writes: Unicode Standard Annex 15, section 13, Stream-Safe Text. Looked for only where
 * marks begin: counted from each of them, they take the square of their number, too.
 */
const manyMarks = /(?<!\p{M})\p{M}{31}/u

/**
 * A text in a Unicode normal form. Sorting a run of marks takes quadratic time, so a text with more marks in a
 * row than anybody means to write stays as it is.
 */
export function inForm(form: 'NFC' | 'NFKC' | 'NFKD', text: string): string {
  return manyMarks.test(text) ? text : text.normalize(form)
}

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

/**
 * Marks of Latin, Greek and Cyrillic, and those that say how an emoji looks. In other scripts a mark makes another letter, such
 * as か and が.
 */
const accents = /[\u0300-\u036f\ufe0e\ufe0f]/g
