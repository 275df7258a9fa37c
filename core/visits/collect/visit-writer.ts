import type { Database } from '../../storage/database.ts'
import { createVisitCounter } from '../count/count-visits.ts'
import type { LearningMarker } from '../count/marker.ts'
import type { NamedDimension } from '../facts/dimensions.ts'
import type { PlaceOfFiles } from '../facts/place.ts'
import { createFold, type Folded } from '../fold/fold.ts'
import {
  removeSequences,
  storeBatch,
  type VisitedLinks,
  visitedLinks,
} from '../store/store-batch.ts'
import type { PackedVisits } from '../wire/packed-visits.ts'
import type { RecentMinutes, RecentVisits } from './recent-visits.ts'

/** Counts and stores visits, on this thread or on a thread of its own. */
export interface VisitWriter {
  /** Resolves when the whole batch is durable. A sequence number that was stored is not stored again. */
  store(sequence: number, visits: PackedVisits): Promise<StoredVisits>
  /** Folds a slice of the stored visits into the counts; one call at a time. */
  fold(): Promise<Folded>
  /** The stored visits of an account's links in the last minutes. */
  recent(accountId: number): Promise<RecentVisits>
  /** Closes the database; nothing may be called afterwards. */
  close(): Promise<void>
}

export interface StoredVisits {
  /** The row id of the batch; undefined if there was nothing to store, or it was stored before. */
  readonly batchId: number | undefined
  /** Empty if nobody wants to know. */
  readonly visited: VisitedLinks
  /** How often each dimension threw. */
  readonly failedDimensions: Readonly<Record<string, number>>
  /** The first error of each dimension since the last report. */
  readonly failures: Readonly<Record<string, Error>>
}

export interface WriterOptions {
  readonly dimensions: readonly NamedDimension[]
  readonly placeOf: PlaceOfFiles
  /** Shared by all writers: with another marker, visitors who came before would count again. */
  readonly markOf: LearningMarker
  /** Identifies the recorder, across all of its writers. */
  readonly run: string
  /** Shared by all writers: visits from before a change of counting still count. */
  readonly minutes: RecentMinutes
  /** Whether somebody wants to know which links were visited; otherwise none are named. */
  readonly namesVisited: boolean
}

/** A writer that can switch to counting other things. */
export interface ChangeableWriter<Counting> extends VisitWriter {
  /**
   * Prepares to count something else. Once the returned function is called, the next batch and slice are done the new
   * way; those under way are not affected. Rejects if that is not possible, and everything stays as it is.
   */
  prepare(counting: Counting): Promise<() => void>
  /** Call this before closing: it no longer waits for plugins. */
  hurry?(): void
}

/** Uses one writer after another on the same database, for the same run. */
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

/** Does the work on this thread, on a database that the caller opens and closes. */
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
