import { randomInt } from 'node:crypto'

/** No look-alikes, and no vowels, so that no word comes up by accident. */
const alphabet = '23456789bcdfghjkmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ'

/** Codes have this length until free ones get rare. */
const firstLength = 7

/** Tries before a code gets one character longer. */
const triesPerLength = 4

/** A fresh code from a cryptographic source; each failed attempt counts towards a longer one. */
export function makeShortCode(attempt: number): string {
  const length = firstLength + Math.floor(attempt / triesPerLength)
  let code = ''
  while (code.length < length) code += alphabet[randomInt(alphabet.length)]
  return code
}
