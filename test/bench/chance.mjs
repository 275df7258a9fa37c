/** A random number generator that repeats itself in each run: mulberry32, from 0 to below 1. */
export function chance(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A random item of a list, all equally likely. */
export function oneOf(list, random) {
  return list[Math.floor(random() * list.length)]
}

const known = new Map()

/** Cumulative probabilities of `count` items with weights 1/rank (Zipf's law). */
export function popularity(count) {
  if (known.has(count)) return known.get(count)
  const weights = Array.from({ length: count }, (_, at) => 1 / (at + 1))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  const chances = weights.map(weight => {
    sum += weight
    return sum / all
  })
  known.set(count, chances)
  return chances
}

/** A random index, drawn by these cumulative probabilities. */
export function placeBy(chances, random) {
  const at = random()
  let low = 0
  let high = chances.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (chances[middle] < at) low = middle + 1
    else high = middle
  }
  return low
}
