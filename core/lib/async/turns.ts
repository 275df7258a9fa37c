import { ownTurn } from './own-turn.ts'

/** Lets one at a time have something, in the order of asking. Who waited for another goes on in a turn of its own. */
export interface Turns {
  /** Resolves when it is one's turn, which lasts until the function that it gives is called. */
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
        await ownTurn()
      }
      return () => {
        if (last === mine) last = undefined
        end()
      }
    },
    isTaken: () => last !== undefined,
  }
}
