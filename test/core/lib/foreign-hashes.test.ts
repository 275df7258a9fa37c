import { pbkdf2Sync, scryptSync } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { describe, expect, it } from 'vitest'
import { readHash } from '../../../core/lib/foreign-hashes.ts'
import { hashPassword, isToHashAnew, matchesPassword } from '../../../core/lib/passwords.ts'
import { firstOf } from '../../at-night.ts'

const salt = Buffer.from('0123456789abcdef')
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** As Sink makes it: by WebCrypto, with the last three characters behind it in plain text. */
async function bySink(password: string, iterations = 10_000): Promise<string> {
  const bytes = new TextEncoder().encode(password)
  const key = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits'])
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
  const derived = new Uint8Array(await crypto.subtle.deriveBits(how, key, 256))
  const tail = Buffer.from([...password].slice(-3).join(''))
  return ['sink-pwd:v1', iterations, base64url(salt), base64url(derived), base64url(tail)].join(':')
}

function storedOf(hash: string): string {
  const read = readHash(hash)
  if ('problem' in read) throw new Error(read.problem)
  return read.stored
}

function phc(password: string, digest: 'sha256' | 'sha512', iterations = 1_000): string {
  const key = pbkdf2Sync(password, salt, iterations, 32, digest)
  return `$pbkdf2-${digest}$i=${iterations},l=32$${base64(salt)}$${base64(key)}`
}

function scryptAt(N: number, r: number, p: number, keyBytes = 32): string {
  const key = scryptSync('x', salt, keyBytes, { N: 16, r: 1, p: 1 })
  return ['scrypt', N, r, p, base64url(salt), base64url(key)].join(':')
}

describe('a password that another program hashed', () => {
  const made: readonly [string, (password: string) => string | Promise<string>][] = [
    ['bcrypt', password => bcrypt.hash(password, 4)],
    ['bcrypt as of PHP', async password => (await bcrypt.hash(password, 4)).replace('$2b', '$2y')],
    ['early bcrypt', async password => (await bcrypt.hash(password, 5)).replace('$2b', '$2a')],
    ['Sink', password => bySink(password)],
    ['PBKDF2 with SHA-256', password => phc(password, 'sha256')],
    ['PBKDF2 with SHA-512', password => phc(password, 'sha512')],
    ['another Linnet', password => hashPassword(password)],
  ]

  it.each(made)('by %s opens as it did, and nothing else does', async (_, hash) => {
    for (const password of firstOf(2, ['Ärger 🔑 ﬁn', 'x'.repeat(71), 'abc', 'open sesame'])) {
      const stored = storedOf(await hash(password))
      expect(await matchesPassword(password, stored)).toBe(true)
      expect(await matchesPassword(`${password.slice(0, -1)}?`, stored)).toBe(false)
      expect(await matchesPassword('', stored)).toBe(false)
    }
  })

  it.each(made.slice(0, 6))(
    'by %s is compared byte by byte, in the form that was typed',
    async (_, hash) => {
      const stored = storedOf(await hash('café'))
      expect(await matchesPassword('café', stored)).toBe(true)
      expect(await matchesPassword('cafe\u0301', stored)).toBe(false)
    },
  )

  it('is stored as it is, but for what Sink writes of it in plain text', async () => {
    const hash = await bcrypt.hash('open sesame', 4)
    expect(storedOf(hash)).toBe(hash)
    const stored = storedOf(await bySink('open sesame'))
    expect(stored).toMatch(/^\$pbkdf2-sha256\$i=10000\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(stored).not.toContain(base64url(Buffer.from('ame')))
  })

  it('by bcrypt is cut at 72 bytes, and only what is shorter is known to be the password', async () => {
    const long = 'é'.repeat(40)
    const stored = storedOf(await bcrypt.hash(long, 4))
    expect(await matchesPassword(long, stored)).toBe(true)
    expect(await matchesPassword('é'.repeat(36), stored)).toBe(true)
    expect(await matchesPassword('é'.repeat(35), stored)).toBe(false)
    expect(
      [long, 'é'.repeat(36), 'é'.repeat(35), 'a\0a'].map(it => isToHashAnew(it, stored)),
    ).toEqual([false, false, true, false])
    expect(isToHashAnew(long, storedOf(await bySink(long)))).toBe(true)
    expect(isToHashAnew(long, await hashPassword(long))).toBe(false)
  })
})

describe('a hash that cannot be checked', () => {
  const at = (cost: string) => `$2b$${cost}$${'a'.repeat(53)}`
  const key = base64(Buffer.alloc(32))
  it.each([
    [
      'a cost of bcrypt that takes days',
      at('31'),
      'Has a cost of 31. From 4 to 14 can be checked here.',
    ],
    ['a cost of bcrypt that takes seconds', at('15'), 'Has a cost of 15.'],
    ['a cost that there is not', at('03'), 'Has a cost of 3.'],
    [
      '10^9 iterations',
      `$pbkdf2-sha256$i=1000000000$${key}$${key}`,
      'Has a number of iterations of 1000000000. From 1 to 2000000',
    ],
    [
      'as many of Sink',
      `sink-pwd:v1:1000000000:${base64url(salt)}:${base64url(salt)}:YWJj`,
      'Has a number of iterations of 1000000000.',
    ],
    ['no iterations', `$pbkdf2-sha256$i=0$${key}$${key}`, 'Has a number of iterations of 0.'],
    [
      'a key of four bytes',
      `$pbkdf2-sha256$i=1000$${key}$AAAAAA`,
      'Has a key of 4 bytes, not of 16 to 64.',
    ],
    [
      'a salt of 72 bytes',
      `$pbkdf2-sha256$i=1000$${'A'.repeat(96)}$${key}`,
      'Has a salt of 72 bytes, not of 1 to 64.',
    ],
    [
      'scrypt with a gibibyte',
      scryptAt(2 ** 20, 8, 1),
      'Has a cost of 1048576:8:1, which cannot be checked here',
    ],
    ['scrypt for minutes', scryptAt(2 ** 13, 8, 900), 'Has a cost of 8192:8:900'],
    ['scrypt with no power of two', scryptAt(10_000, 8, 1), 'Has a cost of 10000:8:1'],
    ['a key of scrypt that is too short', scryptAt(1024, 8, 1, 8), 'Has a key of 8 bytes'],
    ['a mask of Sink', '__SINK_MASKED__•••ame', 'Must be a hash of bcrypt'],
    ['plain text', 'open sesame', 'Must be a hash of bcrypt'],
    ['another program', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', 'Must be a hash of bcrypt'],
    ['half of one', at('12').slice(0, 59), 'Must be a hash of bcrypt'],
    ['one with something behind it', `${at('12')}\n`, 'Must be a hash of bcrypt'],
    ['nothing', '', 'Must be a hash of bcrypt'],
  ])('is refused with a sentence: %s', (_, hash, sentence) => {
    expect(readHash(hash)).toEqual({ problem: expect.stringContaining(sentence) })
  })
})
