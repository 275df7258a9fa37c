import { setTimeout as delay } from 'node:timers/promises'
import { memoryShares } from '../../lib/memory/memory-shares.ts'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import { readMeta, writeMeta } from '../../storage/meta.ts'
import { accountCounts, allTimeBucket, linkCounts } from '../tables/counts-table.ts'
import { createAddToRows } from '../tables/merge-rows.ts'
import { createNameIds, idsOfNames } from '../tables/name-ids.ts'
import type { VisitBatch } from '../wire/visit-batch.ts'
import { createAddToSketches, markedNames } from './add-to-sketches.ts'
import { createAddToTotals } from './add-to-totals.ts'
import { FoldedElsewhere, FoldRound } from './fold-round.ts'
import { createValueCap, keepToCap } from './value-cap.ts'

/** The result of one slice of folding. */
export interface Folded {
  /** Whether everything is folded. */
  readonly done: boolean
  /** Batches up to this id are folded; 0 if that is not known yet. */
  readonly upTo: number
  /** Whether another process folds the same visits, so that nothing was done. */
  readonly isElsewhere?: boolean
}

export interface FoldOptions {
  /** How much work a slice is: a visit counts as one, and a link as some more. */
  readonly workASlice?: number
  /** How many bytes of batches are folded together. */
  readonly roundBytes?: number
}

/** Takes at most some thirty milliseconds to write; then others can write. */
const workUnlessSaid = memoryShares.sliceWork

/** A hundred thousand visits and more: what they have in common is written once. */
const bytesUnlessSaid = memoryShares.foldBytes

/**
 * Creates the function that folds the oldest batches into counts, one slice at a time. A slice is one transaction:
 * either counts, totals and progress change, or nothing does. Slices must not overlap.
 */
export function createFold(
  db: Database,
  { workASlice = workUnlessSaid, roundBytes = bytesUnlessSaid }: FoldOptions = {},
): () => Promise<Folded> {
  const nameIds = createNameIds()
  const cap = createValueCap()
  const addToTotals = createAddToTotals()
  const addToLinks = createAddToRows(linkCounts)
  const addToAccounts = createAddToRows(accountCounts)
  const addToSketches = createAddToSketches()

  const me = crypto.randomUUID()

  let round: FoldRound | undefined

  async function writeSlice(tx: Tx, batch: VisitBatch): Promise<void> {
    const links = await addToTotals(tx, batch.links)
    const counts = await keepToCap(tx, batch, links, cap)
    const numbers = [...counts.names(), ...markedNames(batch)]
    const ids = await idsOfNames(tx, numbers, batch.names, nameIds)
    const ofAccounts = counts.regrouped((linkId, bucket) =>
      bucket === allTimeBucket ? undefined : links.get(linkId)?.accountId,
    )
    await addToLinks(tx, counts.toRows(ids))
    await addToAccounts(tx, ofAccounts.toRows(ids))
    await addToSketches(tx, batch, links, ids)
  }

  async function foldSlice(): Promise<Folded> {
    const isNew = round === undefined
    const open = round ?? (await FoldRound.open(db, roundBytes))
    round = open
    if (open.upTo === 0) return over({ done: true, upTo: 0 })
    const slice = open.next(workASlice)
    await inTransaction(db, async tx => {
      await open.note(tx, slice.end)
      if (await foldedOthers(tx, me)) cap.forget()
      await writeSlice(tx, slice)
    })
    open.advance(slice.end)
    if (!open.isOver) return { done: false, upTo: 0 }
    // More batches may have come since it was opened.
    return over({ done: isNew && open.isWhole, upTo: open.upTo })
  }

  function over(folded: Folded): Folded {
    round = undefined
    return folded
  }

  return async () => {
    try {
      return await foldSlice()
    } catch (error) {
      round = undefined
      nameIds.forget()
      cap.forget()
      if (error instanceof FoldedElsewhere) return { done: false, upTo: 0, isElsewhere: true }
      throw error
    }
  }
}

/** If a server folds the same batches, how long to wait before checking again, in milliseconds. */
const elsewhereMs = 200

/** Folds what was stored before, as a command does: a server may be folding it, or there is none. */
export async function foldStored(db: Database, signal: AbortSignal): Promise<void> {
  const { newest } = await db
    .selectFrom('visit_batches')
    .select(({ fn }) => fn.max('id').as('newest'))
    .executeTakeFirstOrThrow()
  const fold = createFold(db)
  while (!signal.aborted) {
    const { done, upTo, isElsewhere } = await fold()
    if (done || upTo >= Number(newest)) return
    if (isElsewhere) await delay(elsewhereMs)
  }
}

const lastFolder = 'fold.by'

/**
 * Whether others have folded since this process last did, so that memory lacks what they added. Notes that this
 * process folds now.
 */
async function foldedOthers(tx: Tx, me: string): Promise<boolean> {
  if ((await readMeta(tx, lastFolder)) === me) return false
  await writeMeta(tx, lastFolder, me)
  return true
}
