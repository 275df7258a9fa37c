/** Lets one at a time have something, in the order of asking. */
export interface Turns {
  /** Resolves when it is one's turn, which lasts until the function that it gives is called. */
  take(): Promise<EndTurn>
}

export type EndTurn = () => void

export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve()
  return {
    async take() {
      const before = last
      let end: EndTurn | undefined
      last = new Promise(resolve => {
        end = resolve
      })
      await before
      return () => end?.()
    },
  }
}
