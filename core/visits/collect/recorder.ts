import type { Log } from '../../plugin.ts'
import type { Storage } from '../../storage/database.ts'
import { createMarker } from '../count/marker.ts'
import { dayOf } from '../facts/buckets.ts'
import { errorOf, noteDimensionFailures } from '../facts/dimension-failures.ts'
import type { NamedDimension } from '../facts/dimensions.ts'
import { noPlaces, type Places } from '../facts/open-places.ts'
import { cutForCounting, type RawVisit } from '../facts/open-visit.ts'
import type { PlaceSource } from '../facts/place-files.ts'
import { newRun } from '../store/last-sequence.ts'
import type { VisitedLinks } from '../store/store-batch.ts'
import { trackRetries } from '../upkeep/retry-state.ts'
import { type AgreedSalt, createVisitPacker, type PackedVisits } from '../wire/packed-visits.ts'
import { createBatchQueue } from './batch-queue.ts'
import { foldWhenIdle } from './fold-when-idle.ts'
import { type RecentVisits, rememberMinutes } from './recent-visits.ts'
import type { Counting, FromOutside } from './serve-writer.ts'
import { shareMinutes } from './shared-minutes.ts'
import { agreeOnSalts } from './shared-salts.ts'
import { type ChangeableWriter, writeHere, writersInTurn } from './visit-writer.ts'
import { watchDrops } from './watch-drops.ts'
import { writerInThread } from './writer-in-thread.ts'

/** Counts visits, after the response and off its path. */
export interface Recorder {
  /** Never throws and never waits. */
  record(visit: RawVisit): void
  /** So many visits wait to be stored that whoever brings more should be in no hurry: past more they are dropped. */
  isBehind(): boolean
  /**
   * All that was recorded before is in the counts when it resolves. Rejects when the visits cannot be
   * stored or folded now; they are kept, and the counts are only older than they should be.
   */
  catchUp(): Promise<void>
  /** What was stored of an account's links in the last minutes, by all servers on the database. */
  recent(accountId: number): Promise<RecentVisits>
  health(): RecorderHealth
  /**
   * Make ready to count something else, and give what has it be so: each batch is worked out by what was
   * counted before or by what is counted then. Rejects when that cannot be, and all stays as it is.
   */
  prepare(counted: CountingConfig): Promise<() => void>
  /**
   * Store and fold what is left for so many milliseconds, 4,000 unless said, and one second to let go of the
   * database; says how many visits could not be stored.
   */
  close(withinMs?: number): Promise<{ readonly lost: number }>
}

export interface RecorderHealth {
  /** Visits that are not stored yet. */
  readonly queued: number
  /** Visits that were never queued, because the queue was full or closed. */
  readonly dropped: number
  /** Why visits cannot be stored or folded at present. */
  readonly failing: string | undefined
  /** How often each dimension threw. */
  readonly failedDimensions: Readonly<Record<string, number>>
}

/** What is counted. */
export interface CountingConfig {
  /** What the thread loads: the features whose plugins count, in running order. */
  readonly features: readonly string[]
  /** Where the thread finds those that did not come with Linnet; absent: there are none. */
  readonly outside?: readonly FromOutside[]
  /** The same plugins' dimensions, for when there is no thread. */
  readonly dimensions: readonly NamedDimension[]
  /** Where visitors are; absent: nobody knows. */
  readonly places?: Places
  /** Whether anybody wants to know which links were visited; absent: whoever gave `onVisited`. */
  readonly namesVisited?: boolean
}

export interface RecorderOptions extends CountingConfig {
  readonly storage: Storage
  /** The operator's own MMDB file, for the thread to look into by itself. */
  readonly placeSource?: PlaceSource
  /** The thread's program; without it, and for a database in memory, the work is done here. */
  readonly workerUrl?: URL
  /** Called once a batch, when it is durable. */
  onVisited?(visits: VisitedLinks): void
  readonly log: Log
  readonly intervalMs?: number
  readonly fullBatch?: number
  readonly maxQueued?: number
  /** How often is looked whether the thread still gets answers from plugins; absent: each second. */
  readonly lookMs?: number
  /** How long the thread may take to read other plugins; absent: longer than it waits for one that hangs then. */
  readonly prepareMs?: number
}

/** How long the last visits may take to be stored, and the last counts to be folded, unless said. */
const closeMs = 4_000

/** Start recording. Visits that an earlier run stored and did not fold are folded first. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { log, onVisited, intervalMs = 250, fullBatch = 2_000, maxQueued = 50_000 } = options
  const writer = startWriter(options)
  const isShared = options.storage.address !== undefined && 'url' in options.storage.address
  const saltsOf = isShared ? agreeOnSalts(options.storage) : undefined
  const recent = isShared ? shareMinutes(options.storage, writer.recent) : writer.recent
  let counted: CountingConfig = options
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
  const packer = createVisitPacker()
  const queue = createBatchQueue({
    newBatch: packer.newBatch,
    send: store,
    intervalMs,
    fullBatch,
    maxWaiting: maxQueued,
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

  /** The thread has a connection of its own. */
  function noted(error: unknown): never {
    options.storage.damage.report(error)
    throw error
  }

  /** None where there is no other server, or nobody counts what is different. */
  async function agreedSalts({ at }: PackedVisits): Promise<readonly AgreedSalt[] | undefined> {
    if (!counted.dimensions.some(({ distinct }) => distinct)) return undefined
    return saltsOf?.([...new Set(Array.from(at, dayOf))])
  }

  async function store(sequence: number, visits: PackedVisits): Promise<void> {
    const salts = await agreedSalts(visits).catch(noted)
    const stored = await writer.store(sequence, { ...visits, salts }).catch(noted)
    for (const [name, times] of Object.entries(stored.failedDimensions)) {
      failedDimensions[name] = (failedDimensions[name] ?? 0) + times
    }
    for (const [name, failure] of Object.entries(stored.failures)) {
      const dimension = counted.dimensions.find(it => it.name === name) ?? { name }
      failing.report(dimension, 'of', errorOf(failure))
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
    await folder.close(Math.max(giveUpAt - performance.now(), 0))
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
    isBehind: () => queue.waiting() >= maxQueued / 5,
    async catchUp() {
      await queue.flush()
      await folder.foldNow()
    },
    recent,
    health: () => ({
      queued: queue.waiting(),
      dropped: queue.dropped(),
      failing: storing.reason() ?? folding.reason(),
      failedDimensions: { ...failedDimensions },
    }),
    async prepare(next) {
      const change = await writer.prepare(next)
      return () => {
        counted = next
        change()
      }
    },
    close(withinMs = closeMs) {
      closing ??= close(withinMs)
      return closing
    },
  }
}

function startWriter(options: RecorderOptions): ChangeableWriter<CountingConfig> {
  const { storage, workerUrl, onVisited, placeSource } = options
  const { lookMs = 1_000, prepareMs = 15_000 } = options
  const run = newRun()
  const { address } = storage
  const namesVisited = (counted: CountingConfig) => counted.namesVisited ?? onVisited !== undefined
  if (address === undefined || workerUrl === undefined) {
    const markOf = createMarker()
    const minutes = rememberMinutes()
    const make = (counted: CountingConfig) => {
      const { dimensions, places = noPlaces } = counted
      return writeHere(storage.db, {
        dimensions,
        placeOf: places.of,
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
    ...(placeSource && { places: placeSource }),
  }
  const thread = writerInThread(workerUrl, data, { lookMs, prepareMs })
  return { ...thread, prepare: counted => thread.prepare(inThread(counted)) }
}
