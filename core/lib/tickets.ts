import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'

/** What a client carries for us: encrypted and signed, so that nobody else can read, change or make it. */
export interface Tickets<T> {
  /** @param endsAt in milliseconds since 1970 UTC; by default after `lifeMs` */
  make(content: T, endsAt?: number): string
  /** Undefined for a ticket that is over, and for any other text. */
  read(text: string): Ticket<T> | undefined
}

export interface Ticket<T> {
  readonly id: string
  /** In milliseconds since 1970 UTC. */
  readonly endsAt: number
  readonly content: T
}

/** Tickets of one purpose do not work for another. */
export function createTickets<T>({
  secret,
  purpose,
  lifeMs,
  now,
}: {
  readonly secret: Buffer
  readonly purpose: string
  readonly lifeMs: number
  readonly now: () => Date
}): Tickets<T> {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `linnet ticket ${purpose}`, 32))

  function decrypt(text: string): Ticket<T> | undefined {
    const sealed = Buffer.from(text, 'base64url')
    // A shorter mark of who made it would be guessed sooner.
    if (sealed.length <= headBytes) return undefined
    try {
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
      decipher.setAuthTag(sealed.subarray(nonceBytes, headBytes))
      const whole = [decipher.update(sealed.subarray(headBytes)), decipher.final()]
      return JSON.parse(Buffer.concat(whole).toString())
    } catch {
      return undefined
    }
  }

  return {
    make(content, endsAt = now().getTime() + lifeMs) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce)
      const ticket: Ticket<T> = { id: randomUUID(), endsAt, content }
      const sealed = [cipher.update(JSON.stringify(ticket), 'utf8'), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
    },
    read(text) {
      const ticket = decrypt(text)
      return ticket && ticket.endsAt > now().getTime() ? ticket : undefined
    },
  }
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const headBytes = nonceBytes + 16
