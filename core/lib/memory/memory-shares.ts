import { totalmem } from 'node:os'

const mebibyte = 1024 * 1024

/** What Node, the program and its threads take before anything is kept, whatever the limit is. */
export const baseBytes = 96 * mebibyte

/** The least with which a process serves, and what the one takes that starts several. */
const leastBytes = 128 * mebibyte
const starterBytes = 64 * mebibyte

/** With this much, every part has all that makes it faster. */
const enoughBytes = 1024 * mebibyte

/** With less than this, memory counts for more than speed. */
const tightBytes = 192 * mebibyte

/** With a smaller part of it, a cache would hardly be one. */
const smallest = 1 / 32

/** What the parts may take; numbers of things that are remembered are rounded down. */
export interface MemoryShares {
  /** What the process may take in all. */
  readonly limitBytes: number
  /** With more than this in memory that the kernel cannot take back, visits are dropped: see `watchMemory`. */
  readonly shortBytes: number
  /** Answers of the API that are worked out at a time, also for clients that have left; and eight times as many visits. */
  readonly running: number
  /** Bodies of requests that are read and used, with all that is made of them: see `createBodyMemory`. */
  readonly bodiesBytes: number
  /** The largest answer of a plugin, and half of all that clients may leave unread, so that an answer alone is never cut off. */
  readonly answerBytes: number
  /** Clients that were right at secrets, and a few times as many that were turned away. */
  readonly guessers: number
  /** Links that can be followed without the database, and as many that the counting thread knows. */
  readonly links: number
  /** Texts and numbers of visits that wait to be stored. */
  readonly waitingVisitsBytes: number
  /** Pages of each location file on each thread. */
  readonly locationPagesBytes: number
  /** Batches of visits that are folded together; their counts take several times as much. */
  readonly foldBytes: number
  /** How much work a slice of folding is: its counts are in memory as objects. */
  readonly sliceWork: number
  /** Values of links that the counting thread knows to be counted separately. */
  readonly countedValues: number
  /** Links in each of the last minutes. */
  readonly sumsOfMinutes: number
  /** Computations of analytics that are under way: each may hold some megabytes. */
  readonly computations: number
  /** Different values that a computation adds up one by one, of all dimensions together. */
  readonly summedValues: number
  /** Pages of the database that each connection to SQLite keeps. */
  readonly databasePagesBytes: number
  /** The heap of the counting thread: what lives long, and what is young. */
  readonly counting: { readonly oldBytes: number; readonly youngBytes: number }
  /** By how much a heap grows before V8 collects its garbage, in percent; 0: V8 decides. */
  readonly growingPercent: number
  /** Whether V8 makes less code that is faster but larger, and collects garbage earlier still. */
  readonly isTight: boolean
}

/** Shares out a limit: every part gets all it can use from 1 GiB on, and less in proportion below. */
export function shareMemory(limitBytes: number): MemoryShares {
  const part = (limitBytes - baseBytes) / (enoughBytes - baseBytes)
  const scale = Math.min(1, Math.max(smallest, part))
  const scaled = (number: number) => Math.floor(number * scale)
  const isTight = limitBytes < tightBytes
  return {
    limitBytes,
    shortBytes: limitBytes * (isTight ? 0.78 : 0.85),
    running: Math.max(isTight ? 16 : 32, scaled(500)),
    bodiesBytes: Math.max(16 * mebibyte, scaled(256 * mebibyte)),
    answerBytes: Math.min(32 * mebibyte, Math.floor(limitBytes / 32)),
    guessers: Math.max(2_000, scaled(20_000)),
    links: scaled(100_000),
    waitingVisitsBytes: Math.max(6 * mebibyte, scaled(64 * mebibyte)),
    locationPagesBytes: scaled(16 * mebibyte),
    foldBytes: Math.max(mebibyte / 4, scaled(8 * mebibyte)),
    sliceWork: Math.max(4_000, scaled(25_000)),
    countedValues: scaled(200_000),
    sumsOfMinutes: scaled(250_000),
    computations: isTight ? 1 : Math.max(2, scaled(8)),
    summedValues: scaled(250_000),
    databasePagesBytes: isTight ? mebibyte / 2 : 2 * mebibyte,
    counting: {
      oldBytes: Math.max(limitBytes / 4, 40 * mebibyte),
      youngBytes: Math.max(6 * mebibyte, scaled(48 * mebibyte)),
    },
    growingPercent: growingPercent(scale, isTight),
    isTight,
  }
}

function growingPercent(scale: number, isTight: boolean): number {
  if (isTight) return 20
  return scale < 1 ? 50 : 0
}

/** What this process and its threads may take. Whoever starts several tells each how many there are. */
export const memoryShares = shareMemory(limitOf(Number(process.env.LINNET_WORKERS ?? 1)))

/** How many processes that serve there is memory for. */
export function mostWorkers(bytes = limitOf(1)): number {
  return Math.max(1, Math.floor((bytes - starterBytes) / leastBytes))
}

/** The limit of the container (cgroup v1 and v2), or else the memory of the machine, for each of several workers. */
function limitOf(workers: number): number {
  const constrained = process.constrainedMemory()
  const all = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return workers > 1 ? (all - starterBytes) / workers : all
}
