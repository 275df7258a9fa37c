import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { inChunks } from '../../lib/chunks.ts'
import type { HandedOver } from '../../plugin/write-links.ts'
import type { Tx } from '../../storage/database.ts'
import { accountCounts, allTimeBucket, linkCounts } from '../tables/counts-table.ts'
import { createAddToRows, createMergeRows } from '../tables/merge-rows.ts'
import { unpackCounts } from '../tables/packed-counts.ts'
import { marksOf, packSketch } from '../tables/sketch.ts'
import { sketchesOfAccounts, sketchesOfLinks } from '../tables/sketches-table.ts'

/** How many rows are read and merged at once. */
const rowsAtOnce = 100

const addToAccounts = createAddToRows(accountCounts)

interface Sketch {
  readonly owner: number
  readonly dimension: number
  readonly day: number
  readonly visits: number
  readonly sketch: Uint8Array
}

const addSketches = createMergeRows({
  table: sketchesOfAccounts.table,
  key: [sketchesOfAccounts.owner, 'dimension', 'day'],
  others: ['visits', 'sketch'],
  keyOf: (it: Sketch) => [it.owner, it.dimension, it.day],
  merge: ({ visits, sketch }, before) => [
    visits + (before?.visits ?? 0),
    packSketch(marksOf(sketch), before?.sketch),
  ],
})

/**
 * Moves what was counted of links from the numbers of their account to those of another, in the transaction that gives the
 * links to it. Nothing is lost or counted twice: visits that are not folded yet are added to the account that has the
 * link then.
 */
export async function handOverCounts(tx: Tx, { from, to, links }: HandedOver): Promise<void> {
  if (links) {
    await moveCountsOf(tx, links, from, to)
    await addSketchesOf(tx, links, to)
  } else {
    await mergeAccountCounts(tx, from, to)
    await mergeAccountSketches(tx, from, to)
  }
  await passNotes(tx, { from, to, links })
}

/** An account whose links all go has no counts but theirs. */
async function mergeAccountCounts(tx: Tx, from: number, to: number): Promise<void> {
  for (;;) {
    const rows = await countsOf(tx, accountCounts, from)
    const last = rows.at(-1)
    if (!last) return
    await addToAccounts(
      tx,
      rows.map(({ bucket, packed }) => ({ owner: to, bucket, counts: unpackCounts(packed) })),
    )
    await tx
      .deleteFrom(accountCounts)
      .where('owner_id', '=', from)
      .where('bucket', '<=', last.bucket)
      .execute()
    await yieldToRedirects()
  }
}

async function moveCountsOf(
  tx: Tx,
  links: readonly number[],
  from: number,
  to: number,
): Promise<void> {
  for (const link of links) {
    // Sums of all time are not in an account.
    for (let after: number = allTimeBucket; ; ) {
      const rows = await countsOf(tx, linkCounts, link, after)
      const last = rows.at(-1)
      if (!last) break
      for (const [owner, times] of [[from, -1] as const, [to, 1] as const]) {
        await addToAccounts(
          tx,
          rows.map(({ bucket, packed }) => ({
            ...{ owner, bucket },
            counts: unpackCounts(packed, times),
          })),
        )
      }
      after = last.bucket
      await yieldToRedirects()
    }
  }
}

function countsOf(tx: Tx, table: typeof linkCounts, owner: number, after = -1) {
  return tx
    .selectFrom(table)
    .select(['bucket', 'packed'])
    .where('owner_id', '=', owner)
    .where('bucket', '>', after)
    .orderBy('bucket')
    .limit(rowsAtOnce)
    .execute()
}

async function mergeAccountSketches(tx: Tx, from: number, to: number): Promise<void> {
  const { table, owner } = sketchesOfAccounts
  for (;;) {
    const rows = await tx
      .selectFrom(table)
      .select(['dimension', 'day', 'visits', 'sketch'])
      .where(owner, '=', from)
      .orderBy('dimension')
      .orderBy('day')
      .limit(rowsAtOnce)
      .execute()
    if (rows.length === 0) return
    await addSketches(
      tx,
      rows.map(row => ({ ...row, owner: to })),
    )
    for (const { dimension, day } of rows) {
      await tx
        .deleteFrom(table)
        .where(owner, '=', from)
        .where('dimension', '=', dimension)
        .where('day', '=', day)
        .execute()
    }
    await yieldToRedirects()
  }
}

/** The account that had the links keeps its own: nothing can be taken out of a sketch. */
async function addSketchesOf(tx: Tx, links: readonly number[], to: number): Promise<void> {
  const { table, owner } = sketchesOfLinks
  for (const link of links) {
    const rows = await tx
      .selectFrom(table)
      .select(['dimension', 'day', 'visits', 'sketch'])
      .where(owner, '=', link)
      .execute()
    await addSketches(
      tx,
      rows.map(row => ({ ...row, owner: to })),
    )
    await yieldToRedirects()
  }
}

/** What is noted of counts that are still on their way is for the other account now. */
async function passNotes(tx: Tx, { from, to, links }: HandedOver): Promise<void> {
  const notes = tx
    .updateTable('counts_to_remove')
    .set({ account_id: to })
    .where('account_id', '=', from)
    .where('owner', '!=', 'account')
  if (!links) return void (await notes.execute())
  for (const some of inChunks(links)) await notes.where('id', 'in', some).execute()
}
