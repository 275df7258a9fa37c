/**
 * Whole numbers to write beside an axis, from 0 to the first round one that is not below `max`. Never more
 * than five, and never none: an axis without visits still has its 0.
 */
export function niceTicks(max: number): readonly number[] {
  const step = niceStep(Math.max(max, 1) / 4)
  const count = Math.ceil(Math.max(max, 1) / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** The least of 1, 2, 2.5 or 5 with any number of zeros that is whole and not below a number. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const steps = [1, 2, 2.5, 5, 10].map(factor => factor * power)
  return steps.find(step => step >= least && Number.isInteger(step)) ?? 1
}
