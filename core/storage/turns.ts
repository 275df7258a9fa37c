import { setImmediate as turn } from 'node:timers/promises'

/**
 * Lets one at a time have something, in the order of asking. Between two who waited for each other the event
 * loop goes on, and with it redirects.
 */
export interface Turns {
  /** Resolves when it is one's turn, which lasts until the function that it gives is called. */
  take(): Promise<EndTurn>
}

export type EndTurn = () => void

export function createTurns(): Turns {
  let last: Promise<void> | undefined
  return {
    async take() {
      const before = last
      let end: EndTurn = () => undefined
      const mine = new Promise<void>(resolve => {
        end = resolve
      })
      last = mine
      if (before) {
        await before
        await turn()
      }
      return () => {
        if (last === mine) last = undefined
        end()
      }
    },
  }
}
