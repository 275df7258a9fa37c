import { createCounts } from '../memory/counts.ts'
import { sharersOf } from '../net/client-key.ts'
import { Overloaded } from './bounded-queue.ts'

/** Runs work of a client at once, or throws `Overloaded` and does not begin it. */
export type Slots = <T>(client: () => string, work: () => Promise<T>) => Promise<T>

/**
 * Lets only so much work run at a time. Work counts until it ends, whoever still waits for it: a client that leaves and
 * comes again would otherwise have any amount of it run. While more than half of the slots are free, nobody asks whose
 * work it is. Then a client gets one while it has fewer of the others than are free: alone it gets three quarters of all,
 * its network seven eighths, and others find some whatever they do.
 */
export function createSlots(most: number): Slots {
  const taken = createCounts()
  let free = most

  async function run<T>(work: () => Promise<T>): Promise<T> {
    free -= 1
    try {
      return await work()
    } finally {
      free += 1
    }
  }

  return async (clientOf, work) => {
    if (free > most / 2) return run(work)
    const sharers = sharersOf(clientOf())
    const isTooMuch = sharers.map(({ key, shares }) => taken.add(key) >= shares * free)
    try {
      if (isTooMuch.includes(true)) throw new Overloaded('Too much is running already.')
      return await run(work)
    } finally {
      for (const { key } of sharers) taken.remove(key)
    }
  }
}
