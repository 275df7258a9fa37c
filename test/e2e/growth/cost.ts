/** Two runs of the same work, the second on four times as much input. */
export interface Pair {
  small(): Promise<unknown>
  large(): Promise<unknown>
}

/** Below this many milliseconds, a time says more about the machine than about the work. */
const floorMs = 25

/** Four times, and room for more memory and the garbage collector. */
export const mostGrowth = 6

const tries = 8

/** Both runs together take at least this long: some systems count processor time in ticks of 4 ms. */
const comparedMs = 150

/**
 * The factor by which the large run takes more processor time; 0 if even that is next to nothing. Other processes do
 * not count, and chance is left out: the smallest of several tries counts, and one good try ends them.
 */
export async function growthOf({ small, large }: Pair): Promise<number> {
  let least = { small: Number.POSITIVE_INFINITY, large: await costMs(large, 1) }
  const times = Math.ceil(comparedMs / least.large)
  for (let attempt = 0; attempt < tries && least.large > floorMs; attempt++) {
    // The first run of any code is slow.
    if (attempt === 0) await small()
    least = {
      small: Math.min(least.small, await costMs(small, times)),
      large: Math.min(least.large, await costMs(large, times)),
    }
    if (least.large / least.small < mostGrowth) break
  }
  return least.large > floorMs ? least.large / least.small : 0
}

/** The time of this thread if Node can measure it, else of this process, which runs no other tests. */
const processorTime = process.threadCpuUsage?.bind(process) ?? process.cpuUsage.bind(process)

async function costMs(work: () => Promise<unknown>, times: number): Promise<number> {
  const before = processorTime()
  for (let time = 0; time < times; time++) await work()
  const after = processorTime()
  return (after.user - before.user + after.system - before.system) / 1_000 / times
}
