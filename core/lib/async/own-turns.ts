/** Runs the work of a client once its work before has ended. */
export type OwnTurns = <T>(client: string, work: () => Promise<T>) => Promise<T>

/** Shorter work needs no rest, in milliseconds. */
const shortMs = 20

/**
 * Lets each client, or whatever else is named, have one thing done at a time. Clients do not wait for each other. With
 * `longestRestMs`, what waits lets as much time pass as the work before took, up to so many milliseconds: whoever asks for much
 * at once leaves half of the time to others.
 */
export function createOwnTurns({ longestRestMs = 0 } = {}): OwnTurns {
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
      if (longestRestMs === 0 || took < shortMs) resolve()
      else setTimeout(resolve, Math.min(took, longestRestMs))
    }
  }
}
