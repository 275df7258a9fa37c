import { randomCode } from '../../lib/random-code.ts'

/** Codes have this length until free ones get rare. */
const firstLength = 7

/** Tries before a code gets one character longer. */
const triesPerLength = 4

/** A fresh code; each failed attempt counts towards a longer one. */
export function makeShortCode(attempt: number): string {
  return randomCode(firstLength + Math.floor(attempt / triesPerLength))
}
