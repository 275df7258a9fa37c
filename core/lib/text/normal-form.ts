/** Nobody writes so many marks on one letter: Unicode Standard Annex 15, section 13, Stream-Safe Text. */
const manyMarks = /\p{M}{31}/u

/**
 * A text in a normal form of Unicode. Bringing marks into their order takes the square of how many stand in a
 * row, so a text with more of them than are ever meant stays as it is.
 */
export function inForm(form: 'NFC' | 'NFKC' | 'NFKD', text: string): string {
  return manyMarks.test(text) ? text : text.normalize(form)
}
