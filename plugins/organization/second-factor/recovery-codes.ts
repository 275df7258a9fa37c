import { createHash, randomBytes } from 'node:crypto'
import { base32 } from './totp.ts'

/** How many somebody gets at once. */
const count = 10

/** Codes for whoever lost what they sign in with, and what is kept of them. */
export function makeRecoveryCodes() {
  const codes = Array.from({ length: count }, newCode)
  return { codes, digests: JSON.stringify(codes.map(digestOf)) }
}

/** The digests that are left once a code is used; undefined if it is none of them. */
export function withoutCode(digests: string, typed: string): string | undefined {
  const all: readonly string[] = JSON.parse(digests)
  const digest = digestOf(typed)
  return all.includes(digest) ? JSON.stringify(all.filter(it => it !== digest)) : undefined
}

export function codesLeft(digests: string): number {
  return JSON.parse(digests).length
}

/** 80 random bits, which nobody finds by trial, even with the digest. */
function newCode(): string {
  return base32(randomBytes(10)).replace(/.{4}(?=.)/g, '$&-')
}

function digestOf(code: string): string {
  return createHash('sha256').update(code.replaceAll('-', '')).digest('hex')
}
