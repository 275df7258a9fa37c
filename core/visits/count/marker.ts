import { hash, randomBytes } from 'node:crypto'
import { createLru } from '../../lib/memory/lru.ts'
import { markOf } from '../tables/sketch.ts'

/** Gives the mark of a value on a UTC day, in days since 1970. */
export type Marker = (value: string, day: number) => number

/** That of the present day, and that of the day before for visits that come late. */
const keptSalts = 2

/**
 * Makes marks by a salt that is random for each day and is in memory only, for no longer than until
 * visits of two later days have come. Nobody who has a mark, not even we a while later, can try out which
 * value left it.
 *
 * The salt stands before the value, and SHA-256 makes random bits of the two. HMAC is for who sees whole
 * digests and could go on from there: of ours 26 bits are left, and it takes three times as long.
 */
export function createMarker(): Marker {
  const salts = createLru<number, string>(keptSalts)
  let lastDay = Number.NaN
  let lastSalt = ''

  /** Nearly all visits are of the same day as the one before. */
  function saltOf(day: number): string {
    if (day === lastDay) return lastSalt
    lastDay = day
    lastSalt = salts.get(day) ?? newSalt(day)
    return lastSalt
  }

  function newSalt(day: number): string {
    const salt = randomBytes(32).toString('hex')
    salts.set(day, salt)
    return salt
  }

  return (value, day) => {
    return markOf(firstBits(hash('sha256', saltOf(day) + value, 'binary')))
  }
}

/** The first 32 of a digest that has a character a byte. */
function firstBits(digest: string): number {
  let bits = 0
  for (let byte = 0; byte < 4; byte += 1) bits = (bits << 8) | digest.charCodeAt(byte)
  return bits >>> 0
}
