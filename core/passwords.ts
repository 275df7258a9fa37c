import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Passwords are kept as `scrypt:N:r:p:salt:key` (RFC 7914), salt and key in base64url, so that the
 * cost can be raised later without breaking what is stored.
 */
const cost = { N: 2 ** 15, r: 8, p: 3 }
const keyBytes = 32
const saltBytes = 16

const derive = promisify<string, Buffer, number, typeof cost & { maxmem: number }, Buffer>(scrypt)

/** Hash a password for storage. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await derive(password.normalize('NFKC'), salt, keyBytes, withMemory(cost))
  return format(salt, key)
}

/** Looks and costs like any other hash, but no password matches it. */
export function unmatchableHash(): string {
  return format(randomBytes(saltBytes), randomBytes(keyBytes))
}

/** Whether the attempt is the password that was hashed. */
export async function matchesPassword(attempt: string, hashed: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hashed.split(':')
  if (kind !== 'scrypt' || !salt || !key) return false
  const expected = Buffer.from(key, 'base64url')
  const parameters = withMemory({ N: Number(N), r: Number(r), p: Number(p) })
  const actual = await derive(
    attempt.normalize('NFKC'),
    Buffer.from(salt, 'base64url'),
    expected.length,
    parameters,
  )
  return timingSafeEqual(actual, expected)
}

function format(salt: Buffer, key: Buffer): string {
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join(':')
}

function withMemory(parameters: typeof cost) {
  return { ...parameters, maxmem: 256 * parameters.N * parameters.r }
}
