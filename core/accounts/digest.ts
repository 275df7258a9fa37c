import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits as text for a credential: 43 characters of base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * How a credential of 256 random bits is stored: SHA-256, hexadecimal. Nothing slower is needed for
 * what nobody can guess.
 */
export function digest(secret: string): string {
  return hash('sha256', secret)
}

/** Whether two texts are the same, by their digests: the time that it takes tells nothing about either, not even its length. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)))
}
