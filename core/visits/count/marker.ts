import { hash, randomBytes } from 'node:crypto'
import { markOf } from '../tables/sketch.ts'
import type { AgreedSalt } from '../wire/packed-visits.ts'

/** Returns the mark of a value on a UTC day, in days since 1970. */
export type Marker = (value: string, day: number) => number

/** A marker that uses agreed salts, where there are any. */
export type LearningMarker = Marker & { learn(agreed: AgreedSalt): void }

/**
 * Creates a marker whose salt is random for each day and in memory only, until visits of two later days have come, or
 * for fifty hours. Nobody who has a mark, not even Linnet itself a while later, can find out by trial which value
 * left it.
 *
 * The salt precedes the value, and SHA-256 turns both into random bits. HMAC protects against somebody who sees whole
 * digests and could extend them: a mark has only 26 bits of one, and HMAC takes three times as long.
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

/** The first 32 bits of a digest with one character per byte. */
function firstBits(digest: string): number {
  let bits = 0
  for (let byte = 0; byte < 4; byte += 1) bits = (bits << 8) | digest.charCodeAt(byte)
  return bits >>> 0
}

/** Salts by UTC day, in days since 1970, in memory only. */
export interface KeptSalts<S> {
  get(day: number): S | undefined
  /** Keeps a salt until `until` at the latest, in milliseconds since 1970 UTC. */
  set(day: number, salt: S, until: number): void
  days(): readonly number[]
}

/** The salt of today, and that of the day before for visits that arrive late. */
const keptDays = 2

/** How long a salt is kept: its day, the next day for visits that arrive late, and a little for clocks that differ. */
export const saltMs = 50 * 3_600_000

/** Forgets a salt when two of other days came after it, or its time is over. */
export function keepSalts<S>(): KeptSalts<S> {
  const salts = new Map<number, S>()

  return {
    get: day => salts.get(day),
    set(day, salt, until) {
      salts.delete(day)
      salts.set(day, salt)
      const oldest = salts.keys().next()
      if (salts.size > keptDays && !oldest.done) salts.delete(oldest.value)
      const forget = () => salts.get(day) === salt && salts.delete(day)
      setTimeout(forget, Math.min(Math.max(until - Date.now(), 0), saltMs)).unref()
    },
    days: () => [...salts.keys()],
  }
}
