/** More marks on one letter than anybody writes: Unicode Standard Annex 15, section 13, Stream-Safe Text. */
const manyMarks = /\p{M}{31}/u

/**
 * A text in a Unicode normal form. Sorting a run of marks takes quadratic time, so a text with more marks in a
 * row than anybody means to write stays as it is.
 */
export function inForm(form: 'NFC' | 'NFKC' | 'NFKD', text: string): string {
  return manyMarks.test(text) ? text : text.normalize(form)
}
