const failuresToOpen = 20
const retryMs = 30_000

/** Counts consecutive failures of one hook. Past the limit, the hook runs only once every `retryMs`. */
export class Breaker {
  readonly name: string
  readonly isOfOne: boolean
  failedAt = 0
  failures = 0
  last = ''
  stack: string | undefined
  #opening = 0
  #askAgainAt = 0

  /** @param isOfOne whether it counts the failures of one link, client or account, which may never come again */
  constructor(name: string, isOfOne: boolean) {
    this.name = name
    this.isOfOne = isOfOne
  }

  get isResting(): boolean {
    return this.#opening >= failuresToOpen
  }

  /** @param opens whether this failure counts towards opening the breaker */
  fail(
    { why, stack }: { readonly why: string; readonly stack: string | undefined },
    now: number,
    opens: boolean,
  ): void {
    this.failures += 1
    this.last = why
    this.stack = stack
    if (opens) this.#opening += 1
    this.failedAt = now
    this.#askAgainAt = now + retryMs
  }

  isOpen(now: number): boolean {
    if (!this.isResting || now < this.#askAgainAt) return this.isResting
    this.#askAgainAt = now + retryMs
    return false
  }
}
