import { yieldToRedirects } from './yield-to-redirects.ts'

/**
 * Gives something to one caller at a time, in the order of asking. A caller that waited goes on in its own turn
 * of the event loop.
 */
export interface Turns {
  /** Resolves when it is the caller's turn, which lasts until the function that this returns is called. */
  take(): Promise<EndTurn>
  /** Whether it is somebody's turn. */
  isTaken(): boolean
}

export type EndTurn = () => void

export function createTurns(): Turns {
  let last: Promise<void> | undefined
  return {
    async take() {
      const before = last
      const { promise: mine, resolve: end } = Promise.withResolvers<void>()
      last = mine
      if (before) {
        await before
        await yieldToRedirects()
      }
      return () => {
        if (last === mine) last = undefined
        end()
      }
    },
    isTaken: () => last !== undefined,
  }
}
