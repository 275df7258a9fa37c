import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Two halves of 2 MiB each: what is young is carried from one to the other. */
const enoughBytes = 4 * 1024 * 1024

/** Should it never grow, that is no reason to go on for ever. */
const mostObjects = 1_000_000

/**
 * Have V8 keep what is young on the main thread in little room. By itself it takes 30 MiB for it while it starts, and 100
 * when a hundred thousand links are followed; it hardly ever gives them back, and a redirect is no faster for it. There
 * is no asking for a size once it runs: so it is filled until it is large enough, and told to grow no more. Threads that
 * begin later are asked what they begin with: that of the recorder has to have much room, for what it folds is all
 * young, and gives it back when it rests.
 */
export function keepYoungSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
  const young: object[] = []
  while (youngBytes() < enoughBytes && young.length < mostObjects) {
    for (let count = 0; count < 5_000; count += 1) young.push({ count })
  }
  setFlagsFromString('--semi-space-growth-factor=1')
  carryYoungAlone()
  setFlagsFromString('--min-semi-space-size=16')
}

/**
 * Waking V8's helpers for what little is young takes longer than carrying it; and where there are two cores, they would
 * take one from a redirect or from who asked for it.
 */
function carryYoungAlone(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-concurrent-array-buffer-sweeping')
}

function youngBytes(): number {
  const space = getHeapSpaceStatistics().find(it => it.space_name === 'new_space')
  return space?.space_size ?? enoughBytes
}
