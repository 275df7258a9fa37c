import type { Database } from '../../storage/database.ts'
import { createVisitCounter } from '../count/count-visits.ts'
import type { LearningMarker } from '../count/marker.ts'
import type { Failure } from '../facts/dimension-failures.ts'
import type { NamedDimension } from '../facts/dimensions.ts'
import type { PlaceOf } from '../facts/place.ts'
import { createFold, type Folded } from '../fold/fold.ts'
import { removeSequences } from '../store/last-sequence.ts'
import { storeBatch, type VisitedLinks, visitedLinks } from '../store/store-batch.ts'
import type { PackedVisits } from '../wire/packed-visits.ts'
import type { RecentMinutes, RecentVisits } from './recent-visits.ts'

/** Where visits are worked out and written: on this thread, or on one of their own. */
export interface VisitWriter {
  /** All of the batch is durable when it resolves. A sequence that was stored is not stored again. */
  store(sequence: number, visits: PackedVisits): Promise<StoredVisits>
  /** Fold a slice of what is stored into the counts; one at a time. */
  fold(): Promise<Folded>
  /** What was stored of an account's links in the last minutes. */
  recent(accountId: number): Promise<RecentVisits>
  /** Let go of the database; nothing may be asked afterwards. */
  close(): Promise<void>
}

export interface StoredVisits {
  /** Its row; undefined when there was nothing to keep, or it was kept before. */
  readonly batchId: number | undefined
  /** Empty where nobody wants to know. */
  readonly visited: VisitedLinks
  /** How often each dimension threw. */
  readonly failedDimensions: Readonly<Record<string, number>>
  /** What they failed of first, where it is news. */
  readonly failures: Readonly<Record<string, Failure>>
}

export interface WriterOptions {
  readonly dimensions: readonly NamedDimension[]
  readonly placeOf: PlaceOf
  /** One for all of the writers: by another, who came before would count again. */
  readonly markOf: LearningMarker
  /** Names the recorder, through all of its writers. */
  readonly run: string
  /** One for all of the writers: what counts otherwise now was visited before. */
  readonly minutes: RecentMinutes
  /** Somebody wants to know which links were visited; otherwise none are named. */
  readonly namesVisited: boolean
}

/** One that can be told to count other things, by what it then needs to know. */
export interface ChangeableWriter<Counting> extends VisitWriter {
  /**
   * Make ready to count something else. From the call of what it gives, the next batch and slice are
   * worked out so; those under way as before. Rejects when that cannot be, and all stays as it is.
   */
  prepare(counting: Counting): Promise<() => void>
  /** It is to close soon: wait for no plugin any more. */
  hurry?(): void
}

/** One writer after another on the same database, for the same run. */
export function writersInTurn<Counting>(
  first: VisitWriter,
  make: (counting: Counting) => VisitWriter | Promise<VisitWriter>,
): ChangeableWriter<Counting> {
  let writer = first
  return {
    store: (sequence, visits) => writer.store(sequence, visits),
    fold: () => writer.fold(),
    recent: accountId => writer.recent(accountId),
    close: () => writer.close(),
    async prepare(counting) {
      const next = await make(counting)
      return () => {
        writer = next
      }
    },
  }
}

/** Do the work here, on a database that someone else opened and closes. */
export function writeHere(db: Database, options: WriterOptions): VisitWriter {
  const { dimensions, placeOf, markOf, run, minutes, namesVisited } = options
  const count = createVisitCounter(dimensions, placeOf, markOf)
  return {
    async store(sequence, visits) {
      for (const salt of visits.salts ?? []) markOf.learn(salt)
      const { counted, failedDimensions, failures } = count(visits)
      const { batchId, kept } = await storeBatch(db, counted, { run, sequence })
      minutes.add(counted, kept)
      const visited = namesVisited ? visitedLinks(counted, kept) : []
      return { batchId, visited, failedDimensions, failures }
    },
    fold: createFold(db),
    recent: async accountId => minutes.read(accountId),
    close: () => removeSequences(db, run),
  }
}
