/** Random choices, the same in each run. */
export interface Chance {
  /** A whole number from 1. */
  upTo(max: number): number
  /** One of several, by their weights. */
  oneOf<T>(weighted: readonly (readonly [T, number])[]): T
  /** A whole number near another. */
  about(mean: number): number
}

/** Numbers of the generator mulberry32, which is in the public domain. */
export function createChance(seed: number): Chance {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    upTo: max => 1 + Math.floor(next() * max),
    oneOf(weighted) {
      let left = next() * weighted.reduce((sum, [, weight]) => sum + weight, 0)
      const chosen = weighted.find(([, weight]) => {
        left -= weight
        return left < 0
      })
      if (!chosen) throw new Error('There is nothing to choose from.')
      return chosen[0]
    },
    about: mean => Math.round(mean * (0.75 + next() / 2)),
  }
}
