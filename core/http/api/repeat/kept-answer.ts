import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
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
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, cipherKey(key), nonce)
  const text = JSON.stringify({ ...head, body: body.toString('base64') })
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypt a kept answer. Throws if it was encrypted with another key. */
export function openAnswer(sealed: Buffer, key: string): KeptAnswer {
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, cipherKey(key), nonce)
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + sealBytes))
  const text = Buffer.concat([
    decipher.update(sealed.subarray(nonceBytes + sealBytes)),
    decipher.final(),
  ])
  const { body, ...head } = JSON.parse(text.toString()) as Omit<KeptAnswer, 'body'> & {
    readonly body: string
  }
  return { ...head, body: Buffer.from(body, 'base64') }
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const sealBytes = 16

function cipherKey(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'linnet idempotency answer', 32))
}
