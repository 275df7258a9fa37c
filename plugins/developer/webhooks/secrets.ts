import { createHmac, randomBytes } from 'node:crypto'
import { z } from '../../../core/plugin.ts'

const prefix = 'whsec_'

/** A new secret, as https://www.standardwebhooks.com writes them. */
export function makeSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

/** A secret that somebody brings, such as that of another program. */
export const secretSchema = z
  .string()
  .max(100)
  .refine(isSecret, 'Must be whsec_ and 24 to 64 bytes in base64.')
  .meta({ description: 'A secret of your own: `whsec_` and 24 to 64 bytes in base64.' })

function isSecret(text: string): boolean {
  const encoded = text.slice(prefix.length)
  const bytes = keyOf(text)
  const isBase64 = bytes.toString('base64') === encoded
  return text.startsWith(prefix) && isBase64 && bytes.length >= 24 && bytes.length <= 64
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}

/** The headers that say which message this is and prove, by each of the secrets, who sent it. */
export function signedHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = `${Math.floor(at.getTime() / 1_000)}`
  const signed = `${id}.${timestamp}.${body}`
  const signatures = secrets.map(secret => {
    return `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
