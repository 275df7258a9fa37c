import {
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  subtle,
} from 'node:crypto'

/** Reads what was sealed for it. Nobody else can, not even the one who sealed it. */
export interface Recipient {
  /** 43 characters of base64url. */
  readonly publicKey: string
  /** Undefined for a text that was sealed for another recipient, or not at all. */
  open(sealed: string): Promise<string | undefined>
}

/** X25519: a public key has 32 bytes. */
const keyChars = 43

/**
 * Each key encrypts one text only, so the IV may stay the same. A text that was changed on the way is not
 * decrypted.
 */
const cipher = { name: 'AES-GCM', iv: new Uint8Array(12) }

export function newRecipient(): Recipient {
  const { privateKey, publicKey } = newPair()
  return {
    publicKey,
    async open(sealed) {
      try {
        const from = sealed.slice(0, keyChars)
        const secret = diffieHellman({ privateKey, publicKey: keyOf(from) })
        const key = await derive(secret, from + publicKey)
        const hidden = Buffer.from(sealed.slice(keyChars), 'base64url')
        return Buffer.from(await subtle.decrypt(cipher, key, hidden)).toString()
      } catch {
        return undefined
      }
    },
  }
}

/** Encrypts a text with a new key pair, which is forgotten at once. Rejects if the public key is not valid. */
export async function sealFor(publicKey: string, text: string): Promise<string> {
  const from = newPair()
  const secret = diffieHellman({ privateKey: from.privateKey, publicKey: keyOf(publicKey) })
  const key = await derive(secret, from.publicKey + publicKey)
  const hidden = await subtle.encrypt(cipher, key, Buffer.from(text))
  return from.publicKey + Buffer.from(hidden).toString('base64url')
}

function newPair() {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  return { privateKey, publicKey: String(publicKey.export({ format: 'jwk' }).x) }
}

function derive(secret: Buffer, publicKeys: string) {
  const bytes = hkdfSync('sha256', secret, publicKeys, 'linnet seal', 32)
  return subtle.importKey('raw', bytes, cipher.name, false, ['encrypt', 'decrypt'])
}

function keyOf(text: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: text }, format: 'jwk' })
}
