/**
 * Whole numbers for the labels of an axis, from 0 to the first round number that is not below `max`. At most
 * five, and at least one: an axis without visits still has its 0.
 */
export function niceTicks(max: number): readonly number[] {
  const step = niceStep(Math.max(max, 1) / 4)
  const count = Math.ceil(Math.max(max, 1) / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** The smallest whole number that is 1, 2, 2.5 or 5 times a power of ten and not below `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const steps = [1, 2, 2.5, 5, 10].map(factor => factor * power)
  return steps.find(step => step >= least && Number.isInteger(step)) ?? 1
}
