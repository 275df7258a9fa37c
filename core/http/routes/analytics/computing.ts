import { batchConcurrent } from '../../../lib/async/batch-concurrent.ts'
import type { BoundedQueue } from '../../../lib/async/bounded-queue.ts'

export interface ComputingDeps {
  /** Bounds how many computations hold memory at the same time, whoever asks for them. */
  readonly computations: BoundedQueue
  /** Brings the counts up to date before they are read. */
  catchUp(): Promise<void>
}

/** Numbers that somebody asks for. */
export interface Asked {
  /** Who asks: others take turns with it. */
  readonly by: string
  /** The same text for the same numbers. */
  readonly what: string
}

/** Computes numbers. Throws `Overloaded` if too many computations are waiting. */
export type Compute = <T>(asked: Asked, work: () => Promise<T>) => Promise<T>

/** How many callers go on with one result, each of whom then makes an answer of it. */
const callersAtOnce = 64

/**
 * Returns the function through which all analytics are computed. A computation may hold megabytes of sums, so only some
 * are under way. The same numbers, asked for at the same moment, are computed once; who asks while they are being
 * computed waits for the next computation, which has the visits of the meantime.
 */
export function createComputing({ computations, catchUp }: ComputingDeps): Compute {
  interface Computation extends Asked {
    work(): Promise<unknown>
  }

  const compute = batchConcurrent<Computation, unknown>({
    atMost: callersAtOnce,
    keyOf: ({ what }) => what,
    inTurn: true,
    async work(same) {
      const [first] = same
      if (first === undefined) return []
      await catchUp()
      const result = await computations(() => first.work(), { lane: first.by, rank: 0 })
      return same.map(() => result)
    },
  })
  return <T>(asked: Asked, work: () => Promise<T>) => compute({ ...asked, work }) as Promise<T>
}
