/** Two runs of the same work, the second with four times as much of something. */
export interface Pair {
  small(): Promise<unknown>
  large(): Promise<unknown>
}

/** What is cheaper than this says more of the machine than of the work, in milliseconds. */
const floorMs = 25

/** Four times as much, and what more memory and the collector add. */
export const mostGrowth = 6

const tries = 8

/** What is compared takes at least so long in all: some systems tell processor time by ticks of 4 ms. */
const comparedMs = 150

/**
 * How many times as much processor time the large run took; 0 when even that was next to nothing. Other
 * processes take no processor time of ours, and what chance adds is left out: the least of several tries
 * counts, and one that is well ends them.
 */
export async function growthOf({ small, large }: Pair): Promise<number> {
  let least = { small: Number.POSITIVE_INFINITY, large: await costMs(large, 1) }
  const times = Math.ceil(comparedMs / least.large)
  for (let attempt = 0; attempt < tries && least.large > floorMs; attempt++) {
    // What runs for the first time runs slowly.
    if (attempt === 0) await small()
    least = {
      small: Math.min(least.small, await costMs(small, times)),
      large: Math.min(least.large, await costMs(large, times)),
    }
    if (least.large / least.small < mostGrowth) break
  }
  return least.large > floorMs ? least.large / least.small : 0
}

/** Of this thread where Node tells it, else of this process, which has no other tests in it. */
const processorTime = process.threadCpuUsage?.bind(process) ?? process.cpuUsage.bind(process)

async function costMs(work: () => Promise<unknown>, times: number): Promise<number> {
  const before = processorTime()
  for (let time = 0; time < times; time++) await work()
  const after = processorTime()
  return (after.user - before.user + after.system - before.system) / 1_000 / times
}
