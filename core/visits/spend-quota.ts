import { periodOf } from '../accounts/usage.ts'
import type { Tx } from '../storage/database.ts'
import { hourOf } from './buckets.ts'
import { inChunks } from './chunks.ts'
import type { CountedVisit } from './counted-visits.ts'

/** What one account wants to track in one calendar month, and in the end what it may. */
interface Use {
  readonly accountId: number
  readonly period: string
  max: number
  wanted: number
  room: number
}

/**
 * Count tracked visits towards their accounts' usage and give back those that there is room for, the
 * earliest first. Robots cost nothing. Visits of an account that was deleted meanwhile are left out.
 */
export async function spendQuota(
  tx: Tx,
  visits: readonly CountedVisit[],
): Promise<readonly CountedVisit[]> {
  const accounts = await existingAccounts(tx, visits)
  const ours = visits.filter(({ owner }) => accounts.has(owner.accountId))
  const uses = sumUp(ours)
  for (const chunk of inChunks(inKeyOrder(uses))) await spend(tx, uses, chunk)
  const short = [...uses.values()].filter(({ room, wanted }) => room < wanted)
  if (short.length === 0) return ours
  for (const use of short) await giveBack(tx, use)
  return ours.filter(visit => visit.isBot || takeRoom(uses.get(keyOf(visit))))
}

async function existingAccounts(
  tx: Tx,
  visits: readonly CountedVisit[],
): Promise<ReadonlySet<number>> {
  const existing = new Set<number>()
  const owners = new Set(visits.map(({ owner }) => owner))
  const ids = new Set(Array.from(owners, ({ accountId }) => accountId))
  for (const chunk of inChunks([...ids])) {
    const rows = await tx.selectFrom('accounts').select('id').where('id', 'in', chunk).execute()
    for (const { id } of rows) existing.add(id)
  }
  return existing
}

function sumUp(visits: readonly CountedVisit[]): Map<number, Use> {
  const uses = new Map<number, Use>()
  for (const visit of visits) {
    if (visit.isBot) continue
    const { accountId, maxTrackedVisits: max } = visit.owner
    const key = keyOf(visit)
    const use = uses.get(key)
    if (use === undefined) {
      uses.set(key, { accountId, period: periodOf(new Date(visit.at)), max, wanted: 1, room: 0 })
    } else {
      use.wanted += 1
      use.max = max
    }
  }
  return uses
}

/** Two recorders that lock rows in one order never wait for each other in a circle. */
function inKeyOrder(uses: ReadonlyMap<number, Use>): readonly Use[] {
  return [...uses.values()].sort(
    (a, b) => a.accountId - b.accountId || a.period.localeCompare(b.period),
  )
}

/** Adding first and looking then holds the row, so that nobody else spends the same room. */
async function spend(tx: Tx, uses: Map<number, Use>, chunk: readonly Use[]): Promise<void> {
  const rows = await tx
    .insertInto('usage')
    .values(
      chunk.map(({ accountId, period, wanted }) => ({
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
  for (const row of rows) {
    const use = uses.get(keyFor(row.account_id, monthOf(row.period)))
    if (use) use.room = roomFor(use, row.visits_tracked - use.wanted)
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

/** Account and month in one number: every visit is looked up by it. */
function keyOf({ owner, at }: CountedVisit): number {
  return keyFor(owner.accountId, monthAt(at))
}

function keyFor(accountId: number, month: number): number {
  return accountId * monthSpan + month
}

/** Months that a key has room for: until the year 2310. */
const monthSpan = 4_096

/** Since 1970. */
function monthOf(period: string): number {
  const [year = 0, month = 0] = period.split('-').map(Number)
  return (year - 1970) * 12 + month
}

/** Worked out once an hour of visits: all of an hour are in one month. */
function monthAt(at: number): number {
  const hour = hourOf(at)
  if (hour !== lastHour) {
    lastHour = hour
    lastMonth = monthOf(periodOf(new Date(at)))
  }
  return lastMonth
}

let lastHour = Number.NaN
let lastMonth = 0
