/** Runs the work of a client once its work before has ended. */
export type OwnTurns = <T>(client: string, work: () => Promise<T>) => Promise<T>

/** Shorter work needs no rest, in milliseconds. */
const shortMs = 20

/** No rest is longer, in milliseconds. */
const longestRest = 1_000

/**
 * Lets each client have one thing done at a time. If more of it waits, there is a rest as long as the last took: whoever
 * asks for much at once leaves half of the time to others. Clients do not wait for each other.
 */
export function createOwnTurns(): OwnTurns {
  /** When the last work of a client, waiting or not, will be over and rested from. */
  const ends = new Map<string, Promise<void>>()

  return async (client, work) => {
    const before = ends.get(client)
    const { promise: end, resolve } = Promise.withResolvers<void>()
    ends.set(client, end)
    if (before) await before
    const beganAt = performance.now()
    try {
      return await work()
    } finally {
      const took = performance.now() - beganAt
      if (ends.get(client) === end) ends.delete(client)
      if (took < shortMs) resolve()
      else setTimeout(resolve, Math.min(took, longestRest))
    }
  }
}
