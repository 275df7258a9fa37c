/** Counts how much is done in each turn of the event loop. */
export interface Tally {
  add(count?: number): void
  sum(): number
  /** The most that was done in a single turn. */
  most(): number
}

/** Counts per turn of the event loop until it is stopped. */
export function countTurns(): { tally(): Tally; stop(): void } {
  let turn = 0
  let next: NodeJS.Immediate
  const count = () => {
    turn += 1
    next = setImmediate(count)
  }
  count()
  return {
    tally() {
      const turns = new Map<number, number>()
      const counts = () => [...turns.values()]
      return {
        add: (count = 1) => void turns.set(turn, (turns.get(turn) ?? 0) + count),
        sum: () => counts().reduce((sum, count) => sum + count, 0),
        most: () => Math.max(0, ...counts()),
      }
    },
    stop: () => clearImmediate(next),
  }
}
