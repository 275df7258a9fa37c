import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts and signs a text with a key of 32 bytes. */
export function encrypt(key: Uint8Array, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  const hidden = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...hidden])
}

/** Throws if another key encrypted it, or if anything in it was changed. */
export function decrypt(key: Uint8Array, sealed: Buffer): string {
  // A shorter mark of who made it would be guessed sooner.
  if (sealed.length < nonceBytes + markBytes) throw new Error('This is too short to be encrypted.')
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + markBytes))
  const text = [decipher.update(sealed.subarray(nonceBytes + markBytes)), decipher.final()]
  return Buffer.concat(text).toString()
}

/** Hides texts, which only who has the same secret reveals, and for the same purpose. */
export interface Hider {
  hide(text: string): string
  /** Undefined for a text that was not hidden so. */
  reveal(hidden: string): string | undefined
}

/** The key is derived at first use: few plugins hide anything, and every start would derive the keys of all. */
export function createHider(secret: Buffer, purpose: string): Hider {
  let made: Buffer | undefined
  const key = () => (made ??= Buffer.from(hkdfSync('sha256', secret, '', `linnet ${purpose}`, 32)))
  return {
    hide: text => encrypt(key(), text).toString('base64url'),
    reveal(hidden) {
      try {
        return decrypt(key(), Buffer.from(hidden, 'base64url'))
      } catch {
        return undefined
      }
    },
  }
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const markBytes = 16
