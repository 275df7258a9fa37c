import {
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { decrypt, encrypt } from './encrypt.ts'

/** Reads what was sealed for it. Nobody else can, not even the one who sealed it. */
export interface Recipient {
  /** 43 characters of base64url. */
  readonly publicKey: string
  /** Undefined for a text that was sealed for another recipient, or not at all. */
  open(sealed: string): string | undefined
}

/** X25519: a public key has 32 bytes. */
const keyChars = 43

export function newRecipient(): Recipient {
  const { privateKey, publicKey } = newPair()
  return {
    publicKey,
    open(sealed) {
      try {
        const from = sealed.slice(0, keyChars)
        const secret = diffieHellman({ privateKey, publicKey: keyOf(from) })
        const key = derive(secret, from + publicKey)
        return decrypt(key, Buffer.from(sealed.slice(keyChars), 'base64url'))
      } catch {
        return undefined
      }
    },
  }
}

/** Encrypts a text with a new key pair, which is forgotten at once. Throws if the public key is not valid. */
export function sealFor(publicKey: string, text: string): string {
  const from = newPair()
  const secret = diffieHellman({ privateKey: from.privateKey, publicKey: keyOf(publicKey) })
  const key = derive(secret, from.publicKey + publicKey)
  return from.publicKey + encrypt(key, text).toString('base64url')
}

function newPair() {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  return { privateKey, publicKey: String(publicKey.export({ format: 'jwk' }).x) }
}

function derive(secret: Buffer, publicKeys: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, publicKeys, 'linnet seal', 32))
}

function keyOf(text: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: text }, format: 'jwk' })
}
