import { randomInt } from 'node:crypto'

/** No look-alikes, and no vowels, so that no word comes up by accident. */
const alphabet = '23456789bcdfghjkmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ'
const small = alphabet.replace(/[A-Z]/g, '')

/**
 * A code from a cryptographic source, of letters and digits that nobody misreads; `small` ones can be read out, too.
 *
 * @example
 * randomCode(6)
 */
export function randomCode(length: number, letters: 'all' | 'small' = 'all'): string {
  const signs = letters === 'all' ? alphabet : small
  return Array.from({ length }, () => signs[randomInt(signs.length)]).join('')
}
