import type { BoundedQueue } from '../lib/async/bounded-queue.ts'
import { createCounts } from '../lib/memory/counts.ts'
import { createLru } from '../lib/memory/lru.ts'

/** A guess that is to be checked. */
interface Waiting {
  readonly lane: string
  /** The key of the client. */
  readonly by: string
  /** What is known of it: a whole number from 0, and the lowest goes first. */
  readonly standing: number
}

/** Has a guess checked at its turn. Throws `Overloaded` if too many are waiting. */
export type TakeTurn = <T>(guess: Waiting, check: () => Promise<T>) => Promise<T>

/** More than there are standings: this is behind all of them. */
const behindAll = 10
const clientsRemembered = 10_000

/**
 * Gives each guess its place in line: what a client adds to guesses of its own goes behind those of all others, and among
 * equals who asked most often without having a turn goes first. So neither a client with one right password keeps out others, nor a
 * flood from ever new addresses who comes again. Then a lot decides, so that asking at the right moment gains nothing.
 */
export function createGuessTurns(queue: BoundedQueue): TakeTurn {
  const underWay = createCounts()
  /** How often a client asked since its latest turn. */
  const asked = createLru<string, number>(clientsRemembered)

  return async ({ lane, by, standing }, check) => {
    const own = underWay.add(by)
    const times = asked.get(by) ?? 0
    asked.set(by, times + 1)
    const rank = standing + own * behindAll + 1 / (1 + times + Math.random())
    try {
      return await queue(
        () => {
          asked.set(by, 0)
          return check()
        },
        { lane, rank },
      )
    } finally {
      underWay.remove(by)
    }
  }
}
