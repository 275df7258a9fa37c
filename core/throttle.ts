import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Refusal, refuse } from './outcomes.ts'

/** Counts one use of `key`; allowed while it had at most `max` uses in a window of `seconds`. */
export type Throttle = (key: string, max: number, seconds: number) => Promise<Verdict>

export interface Verdict {
  readonly allowed: boolean
  /** Whole seconds until the window ends, 1 to `seconds`. */
  readonly retryAfterSeconds: number
}

/** A throttle of its own memory. A window begins with its first use and ends by a monotonic timer. */
export function createThrottle(): Throttle {
  // One counter serves every pair of `max` and `seconds`: it never says no itself.
  const uses = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 1 })
  return async (key, max, seconds) => {
    const { consumedPoints, msBeforeNext } = await uses.consume(`${max}/${seconds} ${key}`, 1, {
      customDuration: seconds,
    })
    const left = Math.ceil(msBeforeNext / 1_000)
    return {
      allowed: consumedPoints <= max,
      // A clock set back would make the wait longer than the window is.
      retryAfterSeconds: Math.min(Math.max(left, 1), Math.ceil(seconds)),
    }
  }
}

/** The answer to who must wait; the API repeats the seconds in `Retry-After`. */
export function tooManyRequests({ retryAfterSeconds }: Verdict): Refusal {
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
  return refuse('too_many_requests', `Too many tries. Wait ${wait}.`, 429, undefined, {
    retryAfterSeconds,
  })
}
