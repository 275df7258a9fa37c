import { periodOf } from '../../accounts/usage.ts'
import { inChunks } from '../../lib/chunks.ts'
import { remember } from '../../lib/memory/remember.ts'
import type { Tx } from '../../storage/database.ts'
import { hourOf } from '../facts/buckets.ts'
import type { CountedVisits } from '../wire/counted-visits.ts'

/** How many visits one account wants to track in a calendar month, and how many it may. */
interface Use {
  readonly accountId: number
  readonly period: string
  max: number
  wanted: number
  room: number
}

/**
 * Counts tracked visits towards the usage of their accounts, and returns the numbers of the visits that there is room
 * for, earliest first. Robots cost nothing. A deleted account has no room, but whoever got the link from it has.
 */
export async function spendQuota(tx: Tx, visits: CountedVisits): Promise<Uint32Array> {
  const existing = await existingAccounts(tx, sumUp(visits, recordedOwner).values())
  const accountOf = await ownersNow(tx, visits, existing)
  const uses = sumUp(visits, accountOf)
  const spending = [...uses.values()].filter(({ accountId }) => existing.has(accountId))
  for (const chunk of inChunks(spending)) await spend(tx, chunk)
  const short = spending.filter(({ room, wanted }) => room < wanted)
  for (const use of short) await giveBack(tx, use)
  const all = new Uint32Array(visits.size).map((_, visit) => visit)
  if (short.length === 0 && spending.length === uses.size) return all
  return all.filter(
    visit => visits.isBot(visit) || takeRoom(uses.get(keyOf(visits, visit, accountOf))),
  )
}

/** The account whose room a visit takes. */
type AccountOf = (visits: CountedVisits, visit: number) => number

const recordedOwner: AccountOf = (visits, visit) => visits.linkOf(visit).owner.accountId

function sumUp(visits: CountedVisits, accountOf: AccountOf): ReadonlyMap<number, Use> {
  const uses = new Map<number, Use>()
  for (let visit = 0; visit < visits.size; visit += 1) {
    if (visits.isBot(visit)) continue
    const { maxTrackedVisits: max } = visits.linkOf(visit).owner
    const accountId = accountOf(visits, visit)
    const key = keyOf(visits, visit, accountOf)
    const use = uses.get(key)
    if (use === undefined) {
      const period = periodOf(new Date(visits.momentOf(visit)))
      uses.set(key, { accountId, period, max, wanted: 1, room: 0 })
    } else {
      use.wanted += 1
      use.max = max
    }
  }
  return uses
}

async function existingAccounts(tx: Tx, uses: Iterable<Use>): Promise<Set<number>> {
  const existing = new Set<number>()
  for (const chunk of inChunks([...new Set([...uses].map(({ accountId }) => accountId))])) {
    const rows = await tx.selectFrom('accounts').select('id').where('id', 'in', chunk).execute()
    for (const { id } of rows) existing.add(id)
  }
  return existing
}

/** Finds who has the links now of accounts that were deleted since they were visited, and adds them to those that exist. */
async function ownersNow(tx: Tx, visits: CountedVisits, existing: Set<number>): Promise<AccountOf> {
  const handedOver = new Set<number>()
  for (let visit = 0; visit < visits.size; visit += 1) {
    if (visits.isBot(visit)) continue
    const { id, owner } = visits.linkOf(visit)
    if (!existing.has(owner.accountId)) handedOver.add(id)
  }
  if (handedOver.size === 0) return recordedOwner
  const owners = new Map<number, number>()
  for (const chunk of inChunks([...handedOver])) {
    const rows = await tx
      .selectFrom('links')
      .select(['id', 'account_id'])
      .where('id', 'in', chunk)
      .execute()
    for (const { id, account_id: owner } of rows) {
      owners.set(id, owner)
      existing.add(owner)
    }
  }
  return (visits, visit) =>
    owners.get(visits.linkOf(visit).id) ?? visits.linkOf(visit).owner.accountId
}

/** Adding first and checking afterwards locks the row, so that nobody else spends the same room. */
async function spend(tx: Tx, uses: readonly Use[]): Promise<void> {
  const rows = await tx
    .insertInto('usage')
    .values(
      uses.map(({ accountId, period, wanted }) => ({
        account_id: accountId,
        period,
        links_created: 0,
        visits_tracked: wanted,
      })),
    )
    .onConflict(conflict =>
      conflict.columns(['account_id', 'period']).doUpdateSet(({ eb, ref }) => ({
        visits_tracked: eb('usage.visits_tracked', '+', ref('excluded.visits_tracked')),
      })),
    )
    .returning(['account_id', 'period', 'visits_tracked'])
    .execute()
  for (const { account_id, period, visits_tracked } of rows) {
    const use = uses.find(it => it.accountId === account_id && it.period === period)
    if (use) use.room = roomFor(use, visits_tracked - use.wanted)
  }
}

function roomFor({ max, wanted }: Use, usedBefore: number): number {
  return Math.min(Math.max(max - usedBefore, 0), wanted)
}

async function giveBack(tx: Tx, { accountId, period, wanted, room }: Use): Promise<void> {
  await tx
    .updateTable('usage')
    .set(({ eb }) => ({ visits_tracked: eb('visits_tracked', '-', wanted - room) }))
    .where('account_id', '=', accountId)
    .where('period', '=', period)
    .execute()
}

function takeRoom(use: Use | undefined): boolean {
  if (use === undefined || use.room === 0) return false
  use.room -= 1
  return true
}

/** Account and month as one number, with which every visit is looked up. */
function keyOf(visits: CountedVisits, visit: number, accountOf: AccountOf): number {
  const month = monthOf(hourOf(visits.momentOf(visit)))
  return accountOf(visits, visit) * monthSpan + month
}

/** How many months a key has room for: until the year 2310. */
const monthSpan = 4_096

/** The month of an hour: both since 1970 UTC. It is worked out once per hour of visits. */
const monthOf = remember((hour: number) => {
  const date = new Date(hour * 3_600_000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
})
