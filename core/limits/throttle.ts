import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Refusal, refuse } from '../plugin/outcomes.ts'

/** Counts one use of `key`; allowed while it had at most `max` uses in a window of `seconds`. */
export interface Throttle {
  (key: string, max: number, seconds: number): Promise<Verdict>
  /** The verdict that one more use would get, without counting it. */
  peek(key: string, max: number, seconds: number): Promise<Verdict>
}

export interface Verdict {
  readonly allowed: boolean
  /** How many uses a window has. */
  readonly limit: number
  /** How many of them are left. */
  readonly remaining: number
  /** Length of a window. */
  readonly windowSeconds: number
  /** Whole seconds until the window ends, 1 to its length. */
  readonly retryAfterSeconds: number
}

/** A throttle that counts in memory. A window begins with its first use and ends by a monotonic timer. */
export function createThrottle(): Throttle {
  // One counter serves every pair of `max` and `seconds`: it never says no itself.
  const uses = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 1 })
  const nameOf = (key: string, max: number, seconds: number) => `${max}/${seconds} ${key}`

  const use = async (key: string, max: number, seconds: number) => {
    const { consumedPoints, msBeforeNext } = await uses.consume(nameOf(key, max, seconds), 1, {
      customDuration: seconds,
    })
    return {
      ...verdictOn(consumedPoints, msBeforeNext, max, seconds),
      allowed: consumedPoints <= max,
    }
  }
  const peek = async (key: string, max: number, seconds: number) => {
    const used = await uses.get(nameOf(key, max, seconds))
    return verdictOn(used?.consumedPoints ?? 0, used?.msBeforeNext ?? seconds * 1_000, max, seconds)
  }
  return Object.assign(use, { peek })
}

/** A limit of `max` uses in `seconds`, of each that `keyOf` tells from others. */
export function createLimit<By>(
  throttle: Throttle,
  keyOf: (by: By) => string,
  { max, seconds }: { readonly max: number; readonly seconds: number },
) {
  return {
    left: (by: By): Promise<Verdict> => throttle.peek(keyOf(by), max, seconds),
    /** Counts a use. Returns a refusal (429) if there were too many. */
    async count(by: By): Promise<Refusal | undefined> {
      const verdict = await throttle(keyOf(by), max, seconds)
      return verdict.allowed ? undefined : tooManyRequests(verdict)
    },
  }
}

/** The verdict after `used` uses, with `msLeft` milliseconds left in their window. */
export function verdictOn(used: number, msLeft: number, max: number, seconds: number): Verdict {
  const remaining = Math.max(max - used, 0)
  // A clock set back would make the wait longer than the window is.
  const wait = Math.min(Math.max(Math.ceil(msLeft / 1_000), 1), Math.ceil(seconds))
  return {
    allowed: remaining > 0,
    limit: max,
    remaining,
    windowSeconds: seconds,
    retryAfterSeconds: wait,
  }
}

/** Returns the limit with the fewest uses left; among equals, the one that lasts longest. */
export function tightest(limits: readonly [Verdict, ...Verdict[]]): Verdict {
  return limits.reduce((one, other) => (isTighter(other, one) ? other : one))
}

function isTighter(one: Verdict, other: Verdict): boolean {
  if (one.remaining !== other.remaining) return one.remaining < other.remaining
  return one.retryAfterSeconds > other.retryAfterSeconds
}

/** The refusal for a client that must wait; the API repeats it in `Retry-After`, `RateLimit` and `RateLimit-Policy`. */
export function tooManyRequests({ retryAfterSeconds, limit, windowSeconds }: Verdict): Refusal {
  const seconds = (one: string, many: string) =>
    `${retryAfterSeconds} ${retryAfterSeconds === 1 ? one : many}`
  const detail = {
    en: `Too many attempts. Wait ${seconds('second', 'seconds')}.`,
    de: `Zu viele Versuche. Warte ${seconds('Sekunde', 'Sekunden')}.`,
    fr: `Trop de tentatives. Attendez ${seconds('seconde', 'secondes')}.`,
    es: `Demasiados intentos. Espera ${seconds('segundo', 'segundos')}.`,
  }
  return refuse('too_many_requests', detail, 429, undefined, {
    retryAfterSeconds,
    limit,
    windowSeconds,
  })
}
