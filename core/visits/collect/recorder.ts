import { collectGarbage } from '../../lib/memory/collect-garbage.ts'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import { type MemoryWatch, watchMemory } from '../../lib/memory/watch-memory.ts'
import { counted } from '../../lib/text/shown.ts'
import type { Log } from '../../plugin.ts'
import type { Storage } from '../../storage/database.ts'
import { withData } from '../count/dimension-data.ts'
import { createMarker } from '../count/marker.ts'
import { dayOf } from '../facts/buckets.ts'
import { type NamedDimension, noteDimensionFailures } from '../facts/dimensions.ts'
import type { Places } from '../facts/open-places.ts'
import { cutForCounting, type RawVisit } from '../facts/open-visit.ts'
import { placeUnknown } from '../facts/place.ts'
import type { PlaceSource } from '../facts/place-files.ts'
import { newRun, type VisitedLinks } from '../store/store-batch.ts'
import { trackRetries } from '../upkeep/retry-state.ts'
import { type AgreedSalt, createVisitPacker, type PackedVisits } from '../wire/packed-visits.ts'
import { createBatchQueue } from './batch-queue.ts'
import { foldWhenIdle } from './fold-when-idle.ts'
import { type RecentVisits, rememberMinutes } from './recent-visits.ts'
import type { Counting, FromOutside } from './serve-writer.ts'
import { shareMinutes } from './shared-minutes.ts'
import { agreeAhead, agreeOnSalts } from './shared-salts.ts'
import { type ChangeableWriter, writeHere, writersInTurn } from './visit-writer.ts'
import { watchDrops } from './watch-drops.ts'
import { writerInThread } from './writer-in-thread.ts'

/** Counts visits after the response, off its critical path. */
export interface Recorder {
  /** Never throws and never waits. */
  record(visit: RawVisit): void
  /** Resolves when visits can be stored without waiting for other servers, in some two seconds at most. */
  ready(): Promise<void>
  /** Whether so many visits are waiting that callers should slow down: beyond `maxQueued`, visits are dropped. */
  isBehind(): boolean
  /** Call this when something else stored visits, in the row with this id if that is known: they are folded like any others. */
  stored(batchId?: number): void
  /**
   * Resolves when everything recorded so far is in the counts. Rejects if visits cannot be stored or folded now; they
   * are kept, and the counts are merely older than they should be.
   */
  catchUp(): Promise<void>
  /** The stored visits of an account's links in the last minutes, from all servers on the database. */
  recent(accountId: number): Promise<RecentVisits>
  health(): RecorderHealth
  /**
   * Prepares to count something else, and returns a function that switches to it; each batch is counted entirely the
   * old way or entirely the new way. Rejects if that is not possible, and everything stays as it is.
   */
  prepare(counted: CountingConfig): Promise<() => void>
  /**
   * Stores and folds what is left for at most `withinMs` milliseconds, by default 4,000, and takes up to one more
   * second to close the database; returns how many visits could not be stored.
   */
  close(withinMs?: number): Promise<{ readonly lost: number }>
}

export interface RecorderHealth {
  /** Visits that are not stored yet. */
  readonly queued: number
  /** Visits that were never queued, because the queue was full or closed, or memory was short. */
  readonly dropped: number
  /** Whether visits are dropped now, so that memory is left for redirects. */
  readonly isMemoryShort: boolean
  /** Why visits cannot be stored or folded at present. */
  readonly failing: string | undefined
  /** How often each dimension threw. */
  readonly failedDimensions: Readonly<Record<string, number>>
}

/** What is counted. */
export interface CountingConfig {
  /** The features whose plugins count, in running order; the thread loads them. */
  readonly features: readonly string[]
  /** Where the thread finds those that do not come with Linnet; absent if there are none. */
  readonly outside?: readonly FromOutside[]
  /** The dimensions of the same plugins, for use without a thread. */
  readonly dimensions: readonly NamedDimension[]
  /** Locates visitors; without it, locations are unknown. */
  readonly places?: Places
  /** Whether anybody wants to know which links were visited; by default, if there is an `onVisited`. */
  readonly namesVisited?: boolean
}

export interface RecorderOptions extends CountingConfig {
  readonly storage: Storage
  /** Where location data comes from; the thread opens the files itself. */
  readonly placeSource?: PlaceSource
  /** The folder of files of plugins; undefined: there is none. */
  readonly filesFolder?: string | undefined
  /** The thread's program; without it, or with a database in memory, the work is done on this thread. */
  readonly workerUrl?: URL
  /** Called once per batch, when it is durable. */
  onVisited?(visits: VisitedLinks): void
  readonly log: Log
  readonly intervalMs?: number
  readonly fullBatch?: number
  readonly maxQueued?: number
  /** How many bytes of visits may wait; by default, what the limit of the process leaves for them. */
  readonly maxQueuedBytes?: number
  /** How memory is watched; by default, as much of it is short as the limit of the process says. */
  readonly memory?: Pick<MemoryWatch, 'inUse' | 'shortBytes'>
  /** How often to check whether a plugin blocks the thread, in milliseconds; by default each second. */
  readonly lookMs?: number
  /**
   * How long the thread may take to load other plugins, in milliseconds; the default is longer than it waits for a
   * hanging one.
   */
  readonly prepareMs?: number
}

/** How long storing the last visits and folding the last counts may take by default. */
const closeMs = 4_000

/** Start recording. Visits that an earlier run stored but did not fold are folded first. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { log, onVisited, intervalMs = 250, fullBatch = 2_000, maxQueued = 50_000 } = options
  const { maxQueuedBytes = memoryShares.waitingVisitsBytes } = options
  const writer = startWriter(options)
  const isShared = options.storage.address !== undefined && 'url' in options.storage.address
  const saltsOf = isShared ? agreeOnSalts(options.storage) : undefined
  const agreed = saltsOf && agreeAhead(saltsOf)
  const recent = isShared ? shareMinutes(options.storage, writer.recent) : writer.recent
  let counting: CountingConfig = options
  const failedDimensions: Record<string, number> = {}
  const failing = noteDimensionFailures(log)
  const storing = trackRetries(
    log,
    'Visits cannot be stored. They are kept in memory and retried.',
    'Visits are stored again.',
  )
  const folding = trackRetries(
    log,
    'Visits are stored but cannot be added to the counts. This is retried.',
    'Visits are added to the counts again.',
  )
  const drops = watchDrops(log)
  const memory = watchShortage(log, () => queue.dropped(), options.memory)
  const packer = createVisitPacker()
  const queue = createBatchQueue({
    newBatch: packer.newBatch,
    send: store,
    intervalMs,
    fullBatch,
    maxWaiting: maxQueued,
    maxBytes: maxQueuedBytes,
    isShut: memory.isShort,
    retries: storing,
    onArrived: packer.reuse,
    onDrop: drops.add,
  })
  const folder = foldWhenIdle({
    fold: () => writer.fold().catch(noted),
    isBusy: queue.isBusy,
    retries: folding,
    isShared,
  })

  /** The thread has its own connection, so damage that it finds is reported here. */
  function noted(error: unknown): never {
    options.storage.damage.report(error)
    throw error
  }

  /** The salts agreed on with other servers; undefined if there are none, or nothing counts different values. */
  async function agreedSalts({ at }: PackedVisits): Promise<readonly AgreedSalt[] | undefined> {
    if (!counting.dimensions.some(({ distinct }) => distinct)) return undefined
    return saltsOf?.([...new Set(Array.from(at, dayOf))])
  }

  async function store(sequence: number, visits: PackedVisits): Promise<void> {
    const salts = await agreedSalts(visits).catch(noted)
    const stored = await writer.store(sequence, { ...visits, salts }).catch(noted)
    for (const [name, times] of Object.entries(stored.failedDimensions)) {
      failedDimensions[name] = (failedDimensions[name] ?? 0) + times
    }
    for (const [name, error] of Object.entries(stored.failures)) {
      failing.report(counting.dimensions.find(it => it.name === name) ?? { name }, 'of', error)
    }
    if (stored.batchId !== undefined) folder.stored(stored.batchId)
    if (stored.visited.length > 0) tell(stored.visited)
  }

  function tell(visited: VisitedLinks): void {
    try {
      onVisited?.(visited)
    } catch (error) {
      log.error('Visits were stored, but a listener for visits failed.', { error })
    }
  }

  async function close(withinMs: number): Promise<{ lost: number }> {
    const giveUpAt = performance.now() + withinMs
    writer.hurry?.()
    const lost = await queue.close(withinMs)
    drops.close()
    memory.stop()
    if (!(await folder.close(Math.max(giveUpAt - performance.now(), 0)))) {
      log.info('Visits are stored that are not in the counts yet. The next start adds them.')
    }
    try {
      await writer.close()
    } catch (error) {
      log.warn('The recorder did not close its database properly. No visits are lost.', {
        error,
      })
    }
    return { lost }
  }

  let closing: ReturnType<typeof close> | undefined

  return {
    record: visit => queue.add(cutForCounting(visit)),
    ready: async () => agreed,
    isBehind: () => queue.fullness() >= 0.2,
    stored: (batchId = Number.MAX_SAFE_INTEGER) => folder.stored(batchId),
    async catchUp() {
      await queue.flush()
      await folder.foldNow()
    },
    recent,
    health: () => ({
      queued: queue.waiting(),
      dropped: queue.dropped(),
      isMemoryShort: memory.isShort(),
      failing: storing.reason() ?? folding.reason(),
      failedDimensions: { ...failedDimensions },
    }),
    async prepare(next) {
      const change = await writer.prepare(next)
      return () => {
        counting = next
        change()
      }
    },
    close(withinMs = closeMs) {
      closing ??= close(withinMs)
      return closing
    },
  }
}

/** Says when memory begins to be short and when that has ended, and collects garbage in between. */
function watchShortage(log: Log, dropped: () => number, memory: RecorderOptions['memory']) {
  let before: number | undefined
  return watchMemory({
    ...memory,
    onShort(bytes) {
      void collectGarbage()
      if (before !== undefined) return
      before = dropped()
      const mebibytes = Math.round(bytes / 2 ** 20)
      log.warn(`Memory is short: ${mebibytes} MiB are in use. Visits are not counted now`)
    },
    onEnough() {
      const since = dropped() - (before ?? 0)
      before = undefined
      log.warn(`Memory is no longer short: ${counted(since, 'visit')} not counted`, { since })
    },
  })
}

function startWriter(options: RecorderOptions): ChangeableWriter<CountingConfig> {
  const { storage, workerUrl, onVisited, placeSource, filesFolder } = options
  const { lookMs = 1_000, prepareMs = 15_000 } = options
  const run = newRun()
  const { address } = storage
  const namesVisited = (counted: CountingConfig) => counted.namesVisited ?? onVisited !== undefined
  if (address === undefined || workerUrl === undefined) {
    const markOf = createMarker()
    const minutes = rememberMinutes()
    const make = (counted: CountingConfig) => {
      const { dimensions, places } = counted
      return writeHere(storage.db, {
        dimensions: withData(dimensions, filesFolder),
        placeOf: places?.of ?? placeUnknown,
        markOf,
        run,
        minutes,
        namesVisited: namesVisited(counted),
      })
    }
    return writersInTurn(make(options), make)
  }
  const inThread = (counted: CountingConfig): Counting => ({
    features: counted.features,
    outside: counted.outside ?? [],
    namesVisited: namesVisited(counted),
  })
  const data = {
    ...inThread(options),
    address,
    run,
    filesFolder,
    ...(placeSource && { places: placeSource }),
  }
  const thread = writerInThread(workerUrl, data, { lookMs, prepareMs })
  return { ...thread, prepare: counted => thread.prepare(inThread(counted)) }
}
