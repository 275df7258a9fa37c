import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { memoryShares } from './memory-shares.ts'

/** Two halves of 2 MiB each: V8 moves young objects from one to the other. */
const enoughBytes = 4 * 1024 * 1024

/** Of the counting thread: young objects have three such spaces. */
const semiSpaceMebibytes = Math.floor(memoryShares.counting.youngBytes / 3 / 2 ** 20)

/** Ends the loop even if the space never grows. */
const mostObjects = 300_000

/**
 * Has V8 keep young objects on the main thread in little memory. By itself V8 takes 30 MiB for them at the
 * start, and 100 MiB when a hundred thousand links are followed; it hardly ever gives them back, and redirects
 * are no faster for it. The size cannot be set while V8 runs, so we fill the space until it is large enough,
 * and then tell V8 to let it grow no further. At rest V8 may make it smaller, for good: redirects are no slower.
 * Threads that begin later take their first size from a flag: the recorder's thread needs much space, because all
 * that it folds is young, and gives it back when it rests.
 */
export function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
  const young: object[] = []
  while (youngBytes() < enoughBytes && young.length < mostObjects) {
    for (let count = 0; count < 5_000; count += 1) young.push({ count })
  }
  setFlagsFromString('--semi-space-growth-factor=1')
  carryYoungAlone()
  setFlagsFromString(`--min-semi-space-size=${semiSpaceMebibytes}`)
  if (memoryShares.isTight) setFlagsFromString('--optimize-for-size')
  if (memoryShares.growingPercent > 0) {
    setFlagsFromString(`--heap-growing-percent=${memoryShares.growingPercent}`)
  }
}

/**
 * Waking V8's helper threads takes longer than moving the few young objects. On two cores, the helpers would
 * also take one from a redirect or from the client that asked for it.
 */
function carryYoungAlone(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-concurrent-array-buffer-sweeping')
}

function youngBytes(): number {
  const space = getHeapSpaceStatistics().find(it => it.space_name === 'new_space')
  return space?.space_size ?? enoughBytes
}
