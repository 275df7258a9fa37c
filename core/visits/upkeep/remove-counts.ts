import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { inChunks } from '../../lib/chunks.ts'
import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import type { CountsTable, CountsToRemoveTable as Gone } from '../../storage/schema.ts'
import {
  accountCounts,
  allTimeBucket,
  type CountsTableName,
  linkCounts,
} from '../tables/counts-table.ts'
import { createAddToRows } from '../tables/merge-rows.ts'
import { unpackCounts } from '../tables/packed-counts.ts'
import { deleteSketches, sketchesOfAccounts, sketchesOfLinks } from '../tables/sketches-table.ts'

/** A link and its account, by row id. */
interface LinkRow {
  readonly rowId: number
  readonly accountId: number
}

/**
 * A slice ends after this many milliseconds, but not before this many steps: subtracting from a large account takes
 * longer than removing the few counts of most links.
 */
const sliceMs = 4
const leastSteps = 4

/** How many rows to remove between two checks of the clock. */
const countsAtOnce = 10
const sketchesAtOnce = 100

const addToAccounts = createAddToRows(accountCounts)
const addToLinks = createAddToRows(linkCounts)

/**
 * Removes the counts of a link in the transaction that deletes it, as many as one slice has time for. The rest is
 * noted in the same transaction for `removeSlice`. Returns false if there is a rest.
 */
export function removeLinkCounts(tx: Tx, { rowId, accountId }: LinkRow): Promise<boolean> {
  return beginWork(tx, { owner: 'link', id: rowId, account_id: accountId })
}

/**
 * Moves the counts of a link that can be restored out of all numbers, in the transaction that deletes it. Returns false
 * if a rest is noted for `removeSlice`.
 */
export function setCountsAside(tx: Tx, link: LinkRow): Promise<boolean> {
  return turnAround(tx, link, { from: 'put_back', to: 'set_aside' })
}

/** Moves the counts of a link back into all numbers, in the transaction that restores it. The same otherwise. */
export function putCountsBack(tx: Tx, link: LinkRow): Promise<boolean> {
  return turnAround(tx, link, { from: 'set_aside', to: 'put_back' })
}

/** A row of counts is either in all numbers or set aside, so work on the way can be turned around at any row. */
async function turnAround(
  tx: Tx,
  { rowId, accountId }: LinkRow,
  { from, to }: { readonly from: Gone['owner']; readonly to: Gone['owner'] },
): Promise<boolean> {
  await removeNote(tx, { owner: from, id: rowId })
  return beginWork(tx, { owner: to, id: rowId, account_id: accountId })
}

/** Notes that everything is to be removed that was counted of links that were set aside, and cannot be restored any more. */
export async function noteSetAside(tx: Tx, links: readonly LinkRow[]): Promise<void> {
  for (const some of inChunks(links)) {
    const ids = some.map(({ rowId }) => rowId)
    await tx
      .deleteFrom('counts_to_remove')
      .where('owner', '=', 'set_aside')
      .where('id', 'in', ids)
      .execute()
    // What was not set aside yet is still in the numbers of the account. Sketches are where they were.
    const notes = some.flatMap(({ rowId, accountId }) =>
      [rowId, -rowId].map(id => ({ owner: 'link' as const, id, account_id: accountId })),
    )
    await note(tx, ...notes)
    // An account may have deleted tens of thousands before it goes.
    await yieldToRedirects()
  }
}

async function beginWork(tx: Tx, work: Gone): Promise<boolean> {
  if (await removeUntil(tx, work, performance.now() + sliceMs)) return true
  await note(tx, work)
  return false
}

/** Another process that deletes the same at the same moment may have noted it already. */
async function note(tx: Tx, ...work: readonly Gone[]): Promise<void> {
  await tx
    .insertInto('counts_to_remove')
    .values(work)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Notes that the counts of an account and of all its links are to be removed, before these are deleted. */
export async function noteAccountCounts(tx: Tx, accountId: number): Promise<void> {
  const deleted = await tx
    .selectFrom('deleted_links')
    .select('id')
    .where('account_id', '=', accountId)
    .execute()
  await noteSetAside(
    tx,
    deleted.map(({ id }) => ({ rowId: id, accountId })),
  )
  await noteLinkCounts(tx, accountId)
  await tx
    .insertInto('counts_to_remove')
    .columns(['owner', 'id', 'account_id'])
    .expression(from =>
      from
        .selectFrom('accounts')
        .select(({ val }) => [val('account' as const).as('owner'), 'id', 'id as account_id'])
        .where('id', '=', accountId),
    )
    .execute()
}

/** Notes that the counts of links of an account are to be removed, before these are deleted; without `ids` those of all. */
export async function noteLinkCounts(
  tx: Tx,
  accountId: number,
  ids?: readonly number[],
): Promise<void> {
  await tx
    .insertInto('counts_to_remove')
    .columns(['owner', 'id', 'account_id'])
    .expression(from =>
      from
        .selectFrom('links')
        .select(({ val }) => [val('link' as const).as('owner'), 'id', 'account_id'])
        .where('account_id', '=', accountId)
        .$if(ids !== undefined, all => all.where('id', 'in', ids ?? []))
        .where(({ or, exists, selectFrom }) =>
          or([
            exists(
              selectFrom('link_counts').select('owner_id').whereRef('owner_id', '=', 'links.id'),
            ),
            exists(
              selectFrom('link_sketches').select('link_id').whereRef('link_id', '=', 'links.id'),
            ),
          ]),
        ),
    )
    .execute()
}

/** Removes a slice of what is noted, in one transaction; returns true if nothing is left. */
export function removeSlice(db: Database): Promise<boolean> {
  return inTransaction(db, async tx => {
    const until = performance.now() + sliceMs
    for (let hasWorked = false; ; hasWorked = true) {
      const next = await tx
        .selectFrom('counts_to_remove')
        .selectAll()
        .orderBy('owner', 'desc')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      if (next === undefined) return true
      if (hasWorked && performance.now() >= until) return false
      if (await removeUntil(tx, next, until)) await removeNote(tx, next)
    }
  })
}

/** Returns false if there may be more. */
async function removeUntil(tx: Tx, gone: Gone, until: number): Promise<boolean> {
  for (let step = 0; step < leastSteps || performance.now() < until; step += 1) {
    if (!(await removeSome(tx, gone))) return true
  }
  return false
}

async function removeNote(tx: Tx, { owner, id }: Pick<Gone, 'owner' | 'id'>): Promise<void> {
  await tx.deleteFrom('counts_to_remove').where('owner', '=', owner).where('id', '=', id).execute()
}

/** Returns false if there was nothing to remove. */
async function removeSome(tx: Tx, gone: Gone): Promise<boolean> {
  if (gone.owner === 'set_aside') return moveCounts(tx, gone, { from: gone.id, to: -gone.id })
  if (gone.owner === 'put_back') return moveCounts(tx, gone, { from: -gone.id, to: gone.id })
  const isLink = gone.owner === 'link'
  if (await removeCounts(tx, isLink ? linkCounts : accountCounts, gone)) return true
  const sketches = isLink ? sketchesOfLinks : sketchesOfAccounts
  const removed = await deleteSketches(tx, sketches, all =>
    all.where(sketches.owner, '=', gone.id).limit(sketchesAtOnce),
  )
  return removed > 0
}

/**
 * Moves some counts of a link to the negative of its id, or from there, and changes those of its account accordingly, in one
 * transaction.
 */
async function moveCounts(
  tx: Tx,
  { account_id }: Gone,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const rows = await firstRows(tx, linkCounts, from)
  const last = rows.at(-1)
  if (last === undefined) return false
  const moved = rows.map(({ bucket, packed }) => ({
    owner: to,
    bucket,
    counts: unpackCounts(packed),
  }))
  await addToLinks(tx, moved)
  await changeAccount(tx, account_id, rows, to > 0 ? 1 : -1)
  await deleteRows(tx, linkCounts, from, last.bucket)
  return true
}

/**
 * Counts that are removed from a link are subtracted from its account in the same transaction; those that were set aside have been
 * already.
 */
async function removeCounts(tx: Tx, table: CountsTableName, gone: Gone): Promise<boolean> {
  const rows = await firstRows(tx, table, gone.id)
  const last = rows.at(-1)
  if (last === undefined) return false
  if (table === linkCounts && gone.id > 0) await changeAccount(tx, gone.account_id, rows, -1)
  await deleteRows(tx, table, gone.id, last.bucket)
  return true
}

type BucketRow = Pick<CountsTable, 'bucket' | 'packed'>

function firstRows(tx: Tx, table: CountsTableName, owner: number): Promise<readonly BucketRow[]> {
  return tx
    .selectFrom(table)
    .select(['bucket', 'packed'])
    .where('owner_id', '=', owner)
    .orderBy('bucket')
    .limit(countsAtOnce)
    .execute()
}

async function deleteRows(
  tx: Tx,
  table: CountsTableName,
  owner: number,
  upTo: number,
): Promise<void> {
  await tx.deleteFrom(table).where('owner_id', '=', owner).where('bucket', '<=', upTo).execute()
}

/** Adds counts of a link to those of its account, or subtracts them. Sums of all time are not in an account. */
async function changeAccount(
  tx: Tx,
  accountId: number,
  rows: readonly BucketRow[],
  times: 1 | -1,
): Promise<void> {
  if (!(await exists(tx, accountId))) return
  const changes = rows
    .filter(({ bucket }) => bucket !== allTimeBucket)
    .map(({ bucket, packed }) => ({
      owner: accountId,
      bucket,
      counts: unpackCounts(packed, times),
    }))
  await addToAccounts(tx, changes)
}

/** A deleted account has no counts to subtract from. */
async function exists(tx: Tx, accountId: number): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return account !== undefined
}
