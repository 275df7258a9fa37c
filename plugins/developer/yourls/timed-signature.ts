import { hash, timingSafeEqual } from 'node:crypto'
import type { MountAsked } from '../../../core/plugin.ts'

/** The signatures that were made here, as they are, because a hash of a secret is checked with the secret. */
export interface Remembered {
  /** Reads them again if they may have changed since. */
  all(): Promise<readonly string[]>
  forget(): void
}

/** How long before and after its moment a signature is valid. */
const lifeMs = 12 * 3_600_000

/** The length of a signature says by which function it was made. */
const algorithms: Readonly<Record<number, string>> = { 64: 'sha256', 96: 'sha384', 128: 'sha512' }

/**
 * The API token of a request: its signature or password as it is, or the one that was hashed together with the time. A user
 * name is ignored, because a token says who has it.
 */
export async function tokenOf(
  { signature = '', password = '', timestamp = '' }: MountAsked['input'],
  given: { readonly remembered: Remembered; readonly takesMd5: boolean; readonly at: Date },
): Promise<string | undefined> {
  const token = signature || password || undefined
  if (timestamp === '' || signature === '') return token
  return (await timedToken(signature, timestamp, given)) ?? token
}

async function timedToken(
  signature: string,
  timestamp: string,
  {
    remembered,
    takesMd5,
    at,
  }: { readonly remembered: Remembered; readonly takesMd5: boolean; readonly at: Date },
): Promise<string | undefined> {
  if (!/^\d{1,12}$/.test(timestamp) || !/^[\da-f]{32,128}$/i.test(signature)) return undefined
  if (Math.abs(at.getTime() - Number(timestamp) * 1_000) >= lifeMs) return undefined
  const algorithm = algorithms[signature.length] ?? (takesMd5 ? md5For(signature) : undefined)
  if (algorithm === undefined) return undefined
  const wanted = Buffer.from(signature, 'hex')
  const isMadeOf = (text: string) => timingSafeEqual(hash(algorithm, text, 'buffer'), wanted)
  const all = await remembered.all()
  return all.find(it => isMadeOf(timestamp + it) || isMadeOf(it + timestamp))
}

function md5For({ length }: string): string | undefined {
  return length === 32 ? 'md5' : undefined
}
