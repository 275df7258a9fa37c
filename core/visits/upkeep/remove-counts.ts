import { type Database, inTransaction, type Tx } from '../../storage/database.ts'
import type { CountsToRemoveTable as Gone } from '../../storage/schema.ts'
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

/**
 * Removes the counts of a link in the transaction that deletes it, as many as one slice has time for. The rest is
 * noted in the same transaction for `removeSlice`. Returns false if there is a rest.
 */
export async function removeLinkCounts(tx: Tx, { rowId, accountId }: LinkRow): Promise<boolean> {
  const link = { owner: 'link', id: rowId, account_id: accountId } as const
  if (await removeUntil(tx, link, performance.now() + sliceMs)) return true
  // Another process that deletes the link at the same moment may have noted it already.
  await tx
    .insertInto('counts_to_remove')
    .values(link)
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return false
}

/** Notes that the counts of an account and of all its links are to be removed, before these are deleted. */
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

async function removeNote(tx: Tx, { owner, id }: Gone): Promise<void> {
  await tx.deleteFrom('counts_to_remove').where('owner', '=', owner).where('id', '=', id).execute()
}

/** Returns false if there was nothing to remove. */
async function removeSome(tx: Tx, gone: Gone): Promise<boolean> {
  const isLink = gone.owner === 'link'
  if (await removeCounts(tx, isLink ? linkCounts : accountCounts, gone)) return true
  const sketches = isLink ? sketchesOfLinks : sketchesOfAccounts
  const removed = await deleteSketches(tx, sketches, all =>
    all.where(sketches.owner, '=', gone.id).limit(sketchesAtOnce),
  )
  return removed > 0
}

/** Counts that are removed from a link are subtracted from its account in the same transaction. */
async function removeCounts(tx: Tx, table: CountsTableName, gone: Gone): Promise<boolean> {
  const rows = await tx
    .selectFrom(table)
    .select(['bucket', 'packed'])
    .where('owner_id', '=', gone.id)
    .orderBy('bucket')
    .limit(countsAtOnce)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return false
  if (table === linkCounts && (await exists(tx, gone.account_id))) {
    const taken = rows
      .filter(({ bucket }) => bucket !== allTimeBucket)
      .map(({ bucket, packed }) => ({
        owner: gone.account_id,
        bucket,
        counts: unpackCounts(packed, -1),
      }))
    await addToAccounts(tx, taken)
  }
  await tx
    .deleteFrom(table)
    .where('owner_id', '=', gone.id)
    .where('bucket', '<=', last.bucket)
    .execute()
  return true
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
