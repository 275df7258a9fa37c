import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { matchesBcrypt } from './bcrypt-thread.ts'

/** What is stored of a hash that another program made, or why it cannot be checked, as a sentence. */
export type ReadHash = { readonly stored: string } | { readonly problem: string }

/** Checks an attempt at a password. */
type Check = (attempt: string) => Promise<boolean>

/** A guess must not take much longer than one at a password that was hashed here, nor more memory than there is. */
const bounds = {
  bcryptCost: { from: 4, to: 14 },
  iterations: { from: 1, to: 2_000_000 },
  /** `N` times `r`, in blocks of 128 bytes: 32 MiB. */
  scryptBlocks: { from: 16, to: 2 ** 18 },
  scryptWork: { from: 16, to: 2 ** 22 },
  saltBytes: { from: 1, to: 64 },
  keyBytes: { from: 16, to: 64 },
} as const

/** bcrypt reads no more of a password than this, in UTF-8. */
const bcryptBytes = 72

const forms = {
  bcrypt: /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/,
  // As the PHC string format has it; `l` is the length of the key.
  pbkdf2:
    /^\$pbkdf2-(sha256|sha512)\$i=(\d{1,10})(?:,l=\d{1,3})?\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/,
  sink: /^sink-pwd:v1:(\d{1,10}):([\w-]+):([\w-]+)(?::[\w-]*)?$/,
  scrypt: /^scrypt:(\d{1,8}):(\d{1,3}):(\d{1,3}):([\w-]+):([\w-]+)$/,
}

const derive = promisify(pbkdf2)

/**
 * Reads a hash of a password: of bcrypt (`$2a$`, `$2b$`, `$2y$`), of PBKDF2 as `$pbkdf2-sha256$i=…$salt$key` or `$pbkdf2-sha512$…`,
 * of Sink (`sink-pwd:v1:…`), or our own (`scrypt:…`). Sink's ends with the last three characters of the password in plain
 * text: these are not stored.
 */
export function readHash(hash: string): ReadHash {
  const [, cost] = forms.bcrypt.exec(hash) ?? []
  if (cost !== undefined) {
    return stored(hash, outside('a cost', Number(cost), bounds.bcryptCost))
  }
  const [, rounds, salt = '', key = ''] = forms.sink.exec(hash) ?? []
  if (rounds !== undefined) {
    return readHash(`$pbkdf2-sha256$i=${rounds}$${plain(salt)}$${plain(key)}`)
  }
  const [, digest, iterations, saltText, keyText] = forms.pbkdf2.exec(hash) ?? []
  if (digest !== undefined) {
    return stored(
      hash,
      outside('a number of iterations', Number(iterations), bounds.iterations) ??
        wrongBytes(saltText, keyText),
    )
  }
  const [own, N, r, p, ownSalt, ownKey] = forms.scrypt.exec(hash) ?? []
  if (own !== undefined) return stored(hash, wrongCost([N, r, p]) ?? wrongBytes(ownSalt, ownKey))
  return { problem: unknown }
}

/** How to check attempts at what `readHash` stored; undefined for a hash that is not of another program. */
export function checkOfForeign(hash: string): Check | undefined {
  if (forms.bcrypt.test(hash)) return attempt => matchesBcrypt(attempt, hash)
  const [, digest, iterations, salt = '', key = ''] = forms.pbkdf2.exec(hash) ?? []
  if (digest === undefined) return undefined
  const expected = Buffer.from(key, 'base64')
  return async attempt => {
    const given = [Buffer.from(salt, 'base64'), Number(iterations), expected.length] as const
    return timingSafeEqual(await derive(attempt, ...given, digest), expected)
  }
}

/** Whether an attempt that was right is the password itself: bcrypt takes any that begins with the same 72 bytes. */
export function isWhole(attempt: string, hash: string): boolean {
  return (
    !forms.bcrypt.test(hash) ||
    (Buffer.byteLength(attempt) < bcryptBytes && !attempt.includes('\0'))
  )
}

const unknown =
  'Must be a hash of bcrypt ($2a$, $2b$ or $2y$), of PBKDF2 ($pbkdf2-sha256$i=…$…$… or that of Sink) or of scrypt (that of Linnet).'

function stored(hash: string, problem: string | undefined): ReadHash {
  return problem === undefined ? { stored: hash } : { problem }
}

function outside(what: string, value: number, { from, to }: Bound): string | undefined {
  if (value >= from && value <= to) return undefined
  return `Has ${what} of ${value}. From ${from} to ${to} can be checked here.`
}

interface Bound {
  readonly from: number
  readonly to: number
}

/** `N` must be a power of two, and all of them must be small enough. */
function wrongCost(given: readonly (string | undefined)[]): string | undefined {
  const [N = 0, r = 0, p = 0] = given.map(Number)
  const isPower = N > 1 && Number.isInteger(Math.log2(N))
  if (isPower && isIn(N * r, bounds.scryptBlocks) && isIn(N * r * p, bounds.scryptWork)) {
    return undefined
  }
  return `Has a cost of ${[N, r, p].join(':')}, which cannot be checked here: at most 32 MiB, and six times the work of Linnet's own.`
}

function wrongBytes(salt = '', key = ''): string | undefined {
  const lengths = [
    ['a salt', Buffer.from(salt, 'base64').length, bounds.saltBytes],
    ['a key', Buffer.from(key, 'base64').length, bounds.keyBytes],
  ] as const
  return lengths
    .filter(([, length, bound]) => !isIn(length, bound))
    .map(
      ([what, length, { from, to }]) => `Has ${what} of ${length} bytes, not of ${from} to ${to}.`,
    )
    .at(0)
}

function isIn(value: number, { from, to }: Bound): boolean {
  return value >= from && value <= to
}

/** From base64url to base64, both without padding. */
function plain(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/')
}
