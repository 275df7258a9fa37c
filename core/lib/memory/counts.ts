/** Counts by key; one that is zero takes no memory. */
export interface Counts {
  /** Adds one, and returns how many there were before. */
  add(key: string): number
  /** Takes one away that was added. */
  remove(key: string): void
  /** Whether it is above zero. */
  has(key: string): boolean
}

export function createCounts(): Counts {
  const counts = new Map<string, number>()
  return {
    add(key) {
      const before = counts.get(key) ?? 0
      counts.set(key, before + 1)
      return before
    },
    remove(key) {
      const left = (counts.get(key) ?? 0) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    },
    has: key => counts.has(key),
  }
}
