import { createHmac } from 'node:crypto'

/** How long a code is shown. */
const stepSeconds = 30

/** The half minute of a moment, counted from 1970 UTC. */
export function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000 / stepSeconds)
}

/**
 * The half minute of which somebody typed the code: this one, or one beside it, because clocks differ. Undefined for any other
 * text. RFC 6238, section 5.2.
 */
export function stepOf(typed: string, secret: string, moment: Date): number | undefined {
  const present = stepAt(moment)
  const key = fromBase32(secret)
  return [present, present - 1, present + 1].find(step => codeAt(key, step) === typed)
}

/** The six digits of a step of half a minute: RFC 4226, section 5.3, as RFC 6238 uses it. */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac[19] ?? 0) & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** What authenticator apps scan: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function uriOf(secret: string, issuer: string, email: string): string {
  // A colon is what stands between the two.
  const [of, who] = [issuer.replaceAll(':', ''), email].map(encodeURIComponent)
  return `otpauth://totp/${of}:${who}?secret=${secret}&issuer=${of}`
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, section 6, of whole groups of five bytes. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, five => letters.charAt(Number.parseInt(five, 2)))
}

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, it => letters.indexOf(it).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2))
}
