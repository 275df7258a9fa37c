/** Too much work is waiting already; try again in a moment. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

export interface QueueLimits {
  /** How many run at the same time. */
  readonly atOnce: number
  /** How many of one lane run at the same time; by default as many as of all. */
  readonly atOnceInLane?: number
  /** How many wait in one lane; when one more comes, the one with the worst rank is refused. */
  readonly maxWaiting: number
  /** How long work may wait before it is refused, in milliseconds. */
  readonly maxWaitMs: number
  /** Whether work may begin whose turn it is; by default always. */
  readonly mayBegin?: () => boolean
  readonly monotonicMs?: () => number
}

/** Where work stands in line. */
export interface PlaceInQueue {
  /** Lanes take turns, so that no other lane can keep this one from moving. */
  readonly lane: string
  /** Within a lane the lowest goes first, and the highest is the first to be refused. */
  readonly rank: number
}

/** Runs work at its turn. Throws `Overloaded` for work that is refused, which has then not begun. */
export type BoundedQueue = <T>(work: () => Promise<T>, place?: PlaceInQueue) => Promise<T>

interface Waiting extends PlaceInQueue {
  begin(): void
  refuse(why: Overloaded): void
  readonly giveUpAt: number
  readonly timer: NodeJS.Timeout
}

const tooLong = 'The wait was too long.'

const oneLane: PlaceInQueue = { lane: '', rank: 0 }

/** Creates a queue that runs only so much work at a time, and refuses work that would wait too long. */
export function createBoundedQueue({
  atOnce,
  atOnceInLane = atOnce,
  maxWaiting,
  maxWaitMs,
  mayBegin = () => true,
  monotonicMs = () => performance.now(),
}: QueueLimits): BoundedQueue {
  let waiting: readonly Waiting[] = []
  let running: readonly string[] = []

  function takeTurn({ lane, rank }: PlaceInQueue): Promise<void> {
    if (running.length < atOnce && hasRoom(lane)) {
      running = [...running, lane]
      return Promise.resolve()
    }
    return new Promise((begin, refuse) => {
      // It may be long until somebody is done.
      const timer = setTimeout(() => turnAway(it, tooLong), maxWaitMs).unref()
      const it = { lane, rank, begin, refuse, giveUpAt: monotonicMs() + maxWaitMs, timer }
      waiting = [...waiting, it]
      const here = waiting.filter(it => it.lane === lane)
      if (here.length > maxWaiting) turnAway(worstOf(here), 'Too many wait already.')
    })
  }

  function hasRoom(lane: string): boolean {
    return countOf(running, lane) < atOnceInLane
  }

  /** The turn goes straight to the next in line, so that no newcomer gets ahead of it. */
  function endTurn(lane: string): void {
    running = running.toSpliced(running.indexOf(lane), 1)
    const now = monotonicMs()
    for (const it of waiting) if (it.giveUpAt < now) turnAway(it, tooLong)
    const next = nextOf(
      waiting.filter(it => hasRoom(it.lane)),
      running,
    )
    if (!next) return
    waiting = waiting.filter(it => it !== next)
    running = [...running, next.lane]
    clearTimeout(next.timer)
    next.begin()
  }

  function turnAway(it: Waiting, why: string): void {
    waiting = waiting.filter(other => other !== it)
    clearTimeout(it.timer)
    it.refuse(new Overloaded(why))
  }

  return async (work, place = oneLane) => {
    await takeTurn(place)
    try {
      if (!mayBegin()) throw new Overloaded('Memory is short.')
      return await work()
    } finally {
      endTurn(place.lane)
    }
  }
}

/** The last to come of those with the highest rank. */
function worstOf(waiting: readonly Waiting[]): Waiting {
  return waiting.reduce((worst, it) => (it.rank >= worst.rank ? it : worst))
}

/** The first to come of those with the lowest rank, in the lane that has the fewest running. */
function nextOf(waiting: readonly Waiting[], running: readonly string[]): Waiting | undefined {
  const busy = ({ lane }: Waiting) => countOf(running, lane)
  const [next] = waiting.toSorted((a, b) => busy(a) - busy(b) || a.rank - b.rank)
  return next
}

function countOf(running: readonly string[], lane: string): number {
  return running.filter(it => it === lane).length
}
