import { type Database, inTransaction, type Tx } from '../storage/database.ts'
import type { CountsToRemoveTable as Gone } from '../storage/schema.ts'
import type { CountWindow } from './count-windows.ts'
import {
  blocksOfAccounts,
  type CountsTable,
  countsOfAccounts,
  countsOfLinks,
} from './counts-table.ts'
import { type SketchesTable, sketchesOfAccounts, sketchesOfLinks } from './sketches-table.ts'
import { takeFromAccountCounts } from './take-from-account-counts.ts'

/** A link by its row, and the row of its account. */
interface LinkRow {
  readonly rowId: number
  readonly accountId: number
}

/** So many rows are removed, and taken out of the counts of an account, in some four milliseconds. */
const sliceRows = 1_000

/** What it takes to look for what is left of a link, in rows. */
const lookRows = 10

/**
 * Remove what was counted of a link, in the transaction that deletes it: as much of it as a slice has
 * room for. The rest is noted in the same transaction, and `removeSlice` removes it. False: there is some.
 */
export async function removeLinkCounts(tx: Tx, { rowId, accountId }: LinkRow): Promise<boolean> {
  const owner = { owner: 'link', id: rowId, account_id: accountId } as const
  // Who deletes it at the same moment may have noted it before.
  await tx
    .insertInto('counts_to_remove')
    .values(owner)
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return (await remove(tx, owner, sliceRows)) > 0
}

/** Note what is to be removed of an account and of all its links, before they are deleted. */
export async function noteAccountCounts(tx: Tx, accountId: number): Promise<void> {
  await tx
    .insertInto('counts_to_remove')
    .columns(['owner', 'id', 'account_id'])
    .expression(from =>
      from
        .selectFrom('links')
        .select(({ val }) => [val('link' as const).as('owner'), 'id', 'account_id'])
        .where('account_id', '=', accountId)
        .where(({ or, exists, selectFrom }) =>
          or(
            ([countsOfLinks, sketchesOfLinks] as const).map(({ table }) =>
              exists(
                selectFrom(table as 'visit_counts')
                  .select('link_id')
                  .whereRef('link_id', '=', 'links.id'),
              ),
            ),
          ),
        ),
    )
    .execute()
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

/** Remove a slice of what is noted, in one transaction; true when nothing is left. */
export function removeSlice(db: Database): Promise<boolean> {
  return inTransaction(db, async tx => {
    for (let room = sliceRows; room > 0; ) {
      const next = await tx
        .selectFrom('counts_to_remove')
        .selectAll()
        .orderBy('owner', 'desc')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      if (next === undefined) return true
      room = await remove(tx, next, room)
    }
    return false
  })
}

/** Gives for how many rows there is room left; 0: there may be more of this one. */
async function remove(tx: Tx, owner: Gone, room: number): Promise<number> {
  const left = await (owner.owner === 'link' ? removeOfLink : removeOfAccount)(tx, owner, room)
  if (left <= 0) return 0
  await tx
    .deleteFrom('counts_to_remove')
    .where('owner', '=', owner.owner)
    .where('id', '=', owner.id)
    .execute()
  return left - lookRows
}

/** What goes from a link goes from the counts of its account in the same transaction. */
async function removeOfLink(tx: Tx, { id, account_id }: Gone, room: number): Promise<number> {
  const counts = await firstCounts(tx, countsOfLinks, id, room)
  if (await exists(tx, account_id)) await takeFromAccountCounts(tx, account_id, counts)
  const removed = await removeCounts(tx, countsOfLinks, counts)
  return removeSketches(tx, sketchesOfLinks, id, room - removed)
}

async function removeOfAccount(tx: Tx, { id }: Gone, room: number): Promise<number> {
  let left = room
  for (const table of [countsOfAccounts, blocksOfAccounts]) {
    if (left > 0) left -= await removeCounts(tx, table, await firstCounts(tx, table, id, left))
  }
  return removeSketches(tx, sketchesOfAccounts, id, left)
}

/** An account that is deleted too has no counts to take anything out of. */
async function exists(tx: Tx, accountId: number): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return account !== undefined
}

/** So many counts of an owner, which lie together. */
async function firstCounts(
  tx: Tx,
  { table, owner }: CountsTable,
  id: number,
  most: number,
): Promise<CountWindow> {
  const last = await tx
    .selectFrom(table)
    .select(['dimension', 'bucket', 'value'])
    .where(owner, '=', id)
    .orderBy('dimension')
    .orderBy('bucket')
    .orderBy('value')
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst()
  return eb => {
    const isOwn = eb(owner, '=', id)
    if (last === undefined) return isOwn
    const upTo = eb.tuple(last.dimension, last.bucket, last.value)
    return eb.and([isOwn, eb(eb.refTuple('dimension', 'bucket', 'value'), '<=', upTo)])
  }
}

async function removeCounts(tx: Tx, { table }: CountsTable, counts: CountWindow): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom(table).where(counts).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Gives for how many rows there is room left. */
async function removeSketches(
  tx: Tx,
  { table, owner }: SketchesTable,
  id: number,
  room: number,
): Promise<number> {
  if (room === 0) return 0
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple(owner, 'dimension', 'day'),
        'in',
        selectFrom(table)
          .select([owner, 'dimension', 'day'])
          .where(owner, '=', id)
          .limit(room)
          .$asTuple(owner, 'dimension', 'day'),
      ),
    )
    .executeTakeFirstOrThrow()
  return room - Number(numDeletedRows)
}
