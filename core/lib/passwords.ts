import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createBoundedQueue } from './async/bounded-queue.ts'
import { checkOfForeign, isWhole } from './foreign-hashes.ts'
import { inForm } from './text/normal-form.ts'

/** The cost of deriving a key: `N` blocks of `r` times 128 bytes, `p` times over. */
export interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/**
 * Passwords are kept as `scrypt:N:r:p:salt:key` (RFC 7914), salt and key in base64url, so that the
 * cost can be raised later without breaking what is stored. Of the costs that OWASP takes for equal, this one takes the
 * least memory, 8 MiB: a server with 128 MiB has no room for three times 32 MiB.
 */
export const fullCost: Cost = { N: 2 ** 13, r: 8, p: 10 }
let cost = fullCost
const keyBytes = 32
const saltBytes = 16

const derive = promisify<string, Buffer, number, Cost & { maxmem: number }, Buffer>(scrypt)

/**
 * Deriving a key takes one of Node's four threads for a fifth of a second. Guesses get two of them and new
 * passwords one, so that one is always left for files and host names. Guesses queue in `guesses.ts` already,
 * two at a time; this limit is for plugins that compare passwords without it.
 */
const guesses = createBoundedQueue({ atOnce: 2, maxWaiting: 16, maxWaitMs: 1_000 })
const newPasswords = createBoundedQueue({ atOnce: 1, maxWaiting: 50, maxWaitMs: 5_000 })

/** For tests of other things: makes hashing cheap in the whole process from now on, or gives it another cost. */
export function hashCheaply(cheap: Cost = { N: 16, r: 1, p: 1 }): void {
  cost = cheap
}

/** Hash a password for storage. Throws `Overloaded` when too many wait for that. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await newPasswords(() =>
    derive(inForm('NFKC', password), salt, keyBytes, withMemory(cost)),
  )
  return format(salt, key)
}

/** Looks and costs like any other hash, but no password matches it. */
export function unmatchableHash(): string {
  return format(randomBytes(saltBytes), randomBytes(keyBytes))
}

/**
 * Whether the attempt is the password that was hashed, here or by another program (`readHash`). Throws `Overloaded` when too
 * many guess.
 */
export async function matchesPassword(attempt: string, hashed: string): Promise<boolean> {
  const check = checkOfForeign(hashed)
  // These were made of the bytes that were typed, in whatever form.
  if (check) return guesses(() => check(attempt))
  const [kind, N, r, p, salt, key] = hashed.split(':')
  if (kind !== 'scrypt' || !salt || !key) return false
  const expected = Buffer.from(key, 'base64url')
  const parameters = withMemory({ N: Number(N), r: Number(r), p: Number(p) })
  const actual = await guesses(() =>
    derive(inForm('NFKC', attempt), Buffer.from(salt, 'base64url'), expected.length, parameters),
  )
  return timingSafeEqual(actual, expected)
}

/** Whether a password that was guessed right should be hashed anew, because another program hashed it. */
export function isToHashAnew(attempt: string, hashed: string): boolean {
  return !hashed.startsWith('scrypt:') && isWhole(attempt, hashed)
}

function format(salt: Buffer, key: Buffer): string {
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join(':')
}

function withMemory(parameters: Cost) {
  return { ...parameters, maxmem: 256 * parameters.N * parameters.r }
}
