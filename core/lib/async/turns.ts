import { yieldToRedirects } from './yield-to-redirects.ts'

/**
 * Gives something to one caller at a time. Lanes take turns, so that nobody who asks a thousand times keeps others from it; in a
 * lane it is the order of asking. A caller that waited goes on in its own turn of the event loop.
 */
export interface Turns {
  /** Resolves when it is the caller's turn, which lasts until the function that this returns is called. */
  take(lane?: string): Promise<EndTurn>
  /** Whether it is somebody's turn. */
  isTaken(): boolean
}

export type EndTurn = () => void

export function createTurns(): Turns {
  /** Those who wait, by lane: the lane that is next comes first. */
  const waiting = new Map<string, (() => void)[]>()
  let isTaken = false

  function next(): void {
    const [first] = waiting
    if (!first) {
      isTaken = false
      return
    }
    const [lane, line] = first
    const begin = line.shift()
    // The lane goes behind the others.
    waiting.delete(lane)
    if (line.length > 0) waiting.set(lane, line)
    begin?.()
  }

  return {
    async take(lane = '') {
      if (isTaken) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const line = waiting.get(lane)
        if (line) line.push(resolve)
        else waiting.set(lane, [resolve])
        await promise
        await yieldToRedirects()
      } else isTaken = true
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        next()
      }
    },
    isTaken: () => isTaken,
  }
}
