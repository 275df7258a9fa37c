import { Overloaded } from './bounded-queue.ts'

/** Runs work at once, or throws `Overloaded` and does not begin it. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets only so much work run at a time. Work counts until it ends, whoever still waits for it: a client that leaves and
 * comes again would otherwise have any amount of it run.
 */
export function createSlots(most: number): Slots {
  let running = 0
  return async work => {
    if (running >= most) throw new Overloaded('Too much is running already.')
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
}
