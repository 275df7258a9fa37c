import { it } from 'vitest'

/** Whether everything is tried, which takes long: `npm run test:night` sets it, and tests that run at night alone have it set. */
export const isNight = process.env.LINNET_TEST_NIGHT === '1'

/** A test that runs at night alone: what it shows has a shorter test in every run. */
export const itAtNight: ReturnType<typeof it.runIf> = it.runIf(isNight)

/** All of these at night, and in every run the first so many. */
export function firstOf<T>(count: number, all: readonly T[]): readonly T[] {
  return isNight ? all : all.slice(0, count)
}

/** One of these in every run, another one at each place of a list, and all at night. */
export function oneOf<T>(all: readonly T[], place: number): readonly T[] {
  return isNight ? all : all.filter((_, index) => index === place % all.length)
}

/**
 * How often a property is tried: in every run a tenth of that, because it has the same examples each time, and at
 * night ten times, with others. A property that names no number is tried as if it named 100.
 */
export function tries(numRuns: number) {
  return { numRuns: isNight ? 10 * numRuns : Math.ceil(numRuns / 10) }
}
