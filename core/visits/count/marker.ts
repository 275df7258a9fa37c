import { hash, randomBytes } from 'node:crypto'
import { markOf } from '../tables/sketch.ts'
import type { AgreedSalt } from '../wire/packed-visits.ts'
import { keepSalts, saltMs } from './kept-salts.ts'

/** Gives the mark of a value on a UTC day, in days since 1970. */
export type Marker = (value: string, day: number) => number

/** A marker that makes marks by what was agreed on, where something was. */
export type LearningMarker = Marker & { learn(agreed: AgreedSalt): void }

/**
 * Makes marks by a salt that is random for each day and is in memory only, for no longer than until
 * visits of two later days have come, or fifty hours. Nobody who has a mark, not even we a while later, can try out
 * which value left it.
 *
 * The salt stands before the value, and SHA-256 makes random bits of the two. HMAC is for who sees whole
 * digests and could go on from there: of ours 26 bits are left, and it takes three times as long.
 */
export function createMarker(): LearningMarker {
  const salts = keepSalts<string>()

  function makeSalt(day: number): string {
    const salt = newSalt()
    salts.set(day, salt, Date.now() + saltMs)
    return salt
  }

  const mark: Marker = (value, day) =>
    markOf(firstBits(hash('sha256', (salts.get(day) ?? makeSalt(day)) + value, 'binary')))
  return Object.assign(mark, {
    learn({ day, salt, until }: AgreedSalt) {
      if (salts.get(day) !== salt) salts.set(day, salt, until)
    },
  })
}

/** 256 random bits. */
export function newSalt(): string {
  return randomBytes(32).toString('hex')
}

/** The first 32 of a digest that has a character a byte. */
function firstBits(digest: string): number {
  let bits = 0
  for (let byte = 0; byte < 4; byte += 1) bits = (bits << 8) | digest.charCodeAt(byte)
  return bits >>> 0
}
