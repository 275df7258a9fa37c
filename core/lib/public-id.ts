import { randomInt } from 'node:crypto'
import Sqids from 'sqids'

const coder = new Sqids({
  alphabet: 'QHjkdYfmFMRTBb2tqgXwsZCPp3KnD9Wyz74hGVNv8J65Sxcr',
  minLength: 8,
  blocklist: new Set(),
})

/**
 * The public id of a row, such as `lnk_8rTzQ3nW`. `kind` is three lower-case letters.
 *
 * @example
 * readPublicId('moo', publicId('moo', 12)) // 12
 */
export function publicId(kind: string, id: number): string {
  return `${kind}_${coder.encode([id])}`
}

/**
 * The number of a new row. Each database numbers rows in its own way, and some give out a number again when its row is
 * gone; a random number works in all of them.
 *
 * @example
 * Number.isSafeInteger(newRowId()) // true
 */
export function newRowId(): number {
  return randomInt(1, 2 ** 48 - 1)
}

/** The longest id is that of 2^53 - 1, in eleven characters. */
const maxLength = 16

/**
 * The row id of a public id. Undefined for a text that `publicId` did not make.
 *
 * @example
 * readPublicId('moo', 'moo_') // undefined
 */
export function readPublicId(kind: string, text: string): number | undefined {
  if (!text.startsWith(`${kind}_`)) return undefined
  const coded = text.slice(kind.length + 1)
  // Longer texts take long to decode, and encoding an unsafe integer again would throw.
  if (coded.length > maxLength) return undefined
  const [id] = coder.decode(coded)
  if (id === undefined || !Number.isSafeInteger(id)) return undefined
  return publicId(kind, id) === text ? id : undefined
}
