import { hkdfSync } from 'node:crypto'
import { decrypt, encrypt } from '../../../lib/encrypt.ts'
import type { Reply, Route } from '../route/route.ts'

/** An answer as it goes over the wire. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What a route's answer looks like when it is sent. */
export function renderAnswer(route: Route, reply: Reply): KeptAnswer {
  const { body, json, headers = {}, status = route.status } = reply
  if (body === undefined) return { status, headers, body: Buffer.alloc(0) }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    return { status, headers, body: Buffer.from(body) }
  }
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof json === 'object' ? json : Buffer.from(json ?? JSON.stringify(body)),
  }
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
