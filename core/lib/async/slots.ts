import { createCounts } from '../memory/counts.ts'
import { Overloaded } from './bounded-queue.ts'

/** Runs work of a client at once, or throws `Overloaded` and does not begin it. */
export type Slots = <T>(client: string, work: () => Promise<T>) => Promise<T>

/**
 * Lets only so much work run at a time. Work counts until it ends, whoever still waits for it: a client that leaves and
 * comes again would otherwise have any amount of it run. A client gets a slot while it has fewer than are free: alone it
 * gets half of all, and others find some whatever it does.
 */
export function createSlots(most: number): Slots {
  const taken = createCounts()
  let free = most
  return async (client, work) => {
    const own = taken.add(client)
    try {
      if (own >= free) throw new Overloaded('Too much is running already.')
      free -= 1
      try {
        return await work()
      } finally {
        free += 1
      }
    } finally {
      taken.remove(client)
    }
  }
}
