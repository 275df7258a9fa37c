import { refuse } from './outcomes.ts'

/** There is too much to do already: try again in a moment. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

/** The answer to who was refused. */
export const overloaded = refuse(
  'unavailable',
  'There is too much to do at this moment. Please try again in a few seconds.',
  503,
  undefined,
  { retryAfterSeconds: 2 },
)

export interface QueueLimits {
  /** How many run at the same time. */
  readonly atOnce: number
  /** How many wait; one more is refused. */
  readonly maxWaiting: number
  /** Who has waited longer than this is refused when the turn comes, in milliseconds. */
  readonly maxWaitMs: number
  readonly monotonicMs?: () => number
}

/** Runs work at its turn. Throws `Overloaded` for what is refused, which then was never begun. */
export type BoundedQueue = <T>(work: () => Promise<T>) => Promise<T>

interface Waiting {
  begin(): void
  refuse(why: Overloaded): void
  readonly giveUpAt: number
}

/** Run only so much at the same time, in the order of asking, and refuse what would wait too long. */
export function createBoundedQueue({
  atOnce,
  maxWaiting,
  maxWaitMs,
  monotonicMs = () => performance.now(),
}: QueueLimits): BoundedQueue {
  const waiting: Waiting[] = []
  let running = 0

  function takeTurn(): Promise<void> {
    if (running < atOnce) {
      running += 1
      return Promise.resolve()
    }
    if (waiting.length >= maxWaiting)
      return Promise.reject(new Overloaded('Too many wait already.'))
    return new Promise((begin, refuse) => {
      waiting.push({ begin, refuse, giveUpAt: monotonicMs() + maxWaitMs })
    })
  }

  /** The turn goes straight to who is next, so that nobody who comes now is before them. */
  function endTurn(): void {
    const next = waiting.shift()
    if (!next) {
      running -= 1
    } else if (monotonicMs() <= next.giveUpAt) {
      next.begin()
    } else {
      next.refuse(new Overloaded('The wait was too long.'))
      endTurn()
    }
  }

  return async work => {
    await takeTurn()
    try {
      return await work()
    } finally {
      endTurn()
    }
  }
}
