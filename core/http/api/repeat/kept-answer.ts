import { hkdfSync } from 'node:crypto'
import { Readable } from 'node:stream'
import { decrypt, encrypt } from '../../../lib/encrypt.ts'
import type { Reply, Route } from '../route/route.ts'

/** An answer as it goes over the wire. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Larger answers are not kept: with them, small requests would fill the memory, and the disk for a day. */
const mostBytes = 256 * 1024

/** What is JSON as the text that is sent, so that it is made only once. */
export function asSent(reply: Reply): Reply {
  const { body, json, headers = {} } = reply
  const isJson = body !== undefined && json === undefined && !('Content-Type' in headers)
  return isJson ? { ...reply, json: JSON.stringify(body) } : reply
}

/** An answer as it is sent; undefined if it is too large to be kept, or a stream. */
export function renderAnswer(route: Route, reply: Reply): KeptAnswer | undefined {
  const { body, json, headers = {}, status = route.status } = asSent(reply)
  const content = (json ?? body ?? '') as string | Uint8Array | Readable
  if (content instanceof Readable || Buffer.byteLength(content) > mostBytes) return undefined
  const type = json !== undefined && { 'Content-Type': 'application/json' }
  return { status, headers: { ...type, ...headers }, body: Buffer.from(content) }
}

/**
 * Encrypt an answer with the key that it is kept for. What is shown only once, such as an API token, then
 * cannot be read in the database, which has only a digest of the key.
 */
export function sealAnswer({ body, ...head }: KeptAnswer, key: string): Buffer {
  return encrypt(cipherKey(key), JSON.stringify({ ...head, body: body.toString('base64') }))
}

/** Decrypt a kept answer. Throws if it was encrypted with another key. */
export function openAnswer(sealed: Buffer, key: string): KeptAnswer {
  const { body, ...head } = JSON.parse(decrypt(cipherKey(key), sealed))
  return { ...head, body: Buffer.from(body, 'base64') }
}

function cipherKey(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'linnet idempotency answer', 32))
}
