import { randomUUID } from 'node:crypto'
import { createHider } from './encrypt.ts'

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
  const { hide, reveal } = createHider(secret, `ticket ${purpose}`)
  return {
    make(content, endsAt = now().getTime() + lifeMs) {
      const ticket: Ticket<T> = { id: randomUUID(), endsAt, content }
      return hide(JSON.stringify(ticket))
    },
    read(text) {
      const json = reveal(text)
      const ticket: Ticket<T> | undefined = json === undefined ? undefined : JSON.parse(json)
      const leftMs = (ticket?.endsAt ?? 0) - now().getTime()
      // One from ahead, made before the clock was set back, counts like one as old.
      return leftMs > 0 && leftMs < 2 * lifeMs ? ticket : undefined
    },
  }
}
