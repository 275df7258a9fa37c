import type { BoundedQueue } from '../lib/async/bounded-queue.ts'
import { createCounts } from '../lib/memory/counts.ts'
import { createLru } from '../lib/memory/lru.ts'
import { memoryShares } from '../lib/memory/memory-shares.ts'

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

/** So long after a turn a client goes first nowhere in its lane, in milliseconds: it may be right at ever other secrets. */
const restMs = 10_000
/** The standing of clients of which nothing is known. */
const unknown = 1
/** More than there are standings: this is behind all of them. */
const behindAll = 10

/**
 * Gives each guess its place in line: what a client adds to guesses of its own goes behind those of all others, and among
 * equals who was turned away most often goes first. So neither a client with one right password keeps out others, nor a
 * flood from ever new addresses who comes again. Then a lot decides, so that asking at the right moment gains nothing.
 * Whoever was right goes before others once in ten seconds.
 */
export function createGuessTurns(
  queue: BoundedQueue,
  remembered = { once: 2.5 * memoryShares.guessers, again: memoryShares.guessers / 2 },
  now: () => number = () => performance.now(),
): TakeTurn {
  const underWay = createCounts()
  // How often clients were turned away since their latest turn. Those that came once are apart, so that a flood from
  // new addresses pushes out only these.
  const once = createLru<string, number>(remembered.once)
  const again = createLru<string, number>(remembered.again)
  const timesOf = (by: string) => again.get(by) ?? once.get(by) ?? 0

  function turnedAway(by: string): void {
    const times = timesOf(by) + 1
    const lru = times > 1 ? again : once
    lru.set(by, times)
  }

  const hadTurnAt = createLru<string, number>(remembered.again)

  function hadTurn(lane: string, by: string): void {
    once.delete(by)
    again.delete(by)
    hadTurnAt.set(`${lane} ${by}`, now())
  }

  function standingOf({ lane, by, standing }: Waiting): number {
    const rested = now() - (hadTurnAt.get(`${lane} ${by}`) ?? Number.NEGATIVE_INFINITY)
    return rested < restMs ? Math.max(standing, unknown) : standing
  }

  return async (guess, check) => {
    const { lane, by } = guess
    const own = underWay.add(by)
    const rank = standingOf(guess) + own * behindAll + 1 / (1 + timesOf(by) + Math.random())
    let began = false
    try {
      return await queue(
        () => {
          began = true
          hadTurn(lane, by)
          return check()
        },
        { lane, rank },
      )
    } finally {
      underWay.remove(by)
      if (!began) turnedAway(by)
    }
  }
}
