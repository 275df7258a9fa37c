import { periodOf } from '../../accounts/usage.ts'
import { inChunks } from '../../lib/chunks.ts'
import type { Tx } from '../../storage/database.ts'
import { hourOf } from '../facts/buckets.ts'
import type { Owner } from '../facts/open-visit.ts'
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
 * for, earliest first. Robots cost nothing. Visits of deleted accounts are left out.
 */
export async function spendQuota(tx: Tx, visits: CountedVisits): Promise<Uint32Array> {
  const accounts = await existingAccounts(tx, visits)
  const ours = which(visits, visit => accounts.has(ownerOf(visits, visit).accountId))
  const uses = sumUp(visits, ours)
  for (const chunk of inChunks([...uses.values()])) await spend(tx, uses, chunk)
  const short = [...uses.values()].filter(({ room, wanted }) => room < wanted)
  if (short.length === 0) return ours
  for (const use of short) await giveBack(tx, use)
  return ours.filter(visit => visits.isBot(visit) || takeRoom(uses.get(keyOf(visits, visit))))
}

function which({ size }: CountedVisits, isOne: (visit: number) => boolean): Uint32Array {
  const found = new Uint32Array(size)
  let length = 0
  for (let visit = 0; visit < size; visit += 1) if (isOne(visit)) found[length++] = visit
  return found.subarray(0, length)
}

function ownerOf(visits: CountedVisits, visit: number): Owner {
  return visits.linkOf(visit).owner
}

async function existingAccounts(tx: Tx, visits: CountedVisits): Promise<ReadonlySet<number>> {
  const existing = new Set<number>()
  const ids = new Set<number>()
  for (let visit = 0; visit < visits.size; visit += 1) ids.add(ownerOf(visits, visit).accountId)
  for (const chunk of inChunks([...ids])) {
    const rows = await tx.selectFrom('accounts').select('id').where('id', 'in', chunk).execute()
    for (const { id } of rows) existing.add(id)
  }
  return existing
}

function sumUp(visits: CountedVisits, which: Uint32Array): Map<number, Use> {
  const uses = new Map<number, Use>()
  for (const visit of which) {
    if (visits.isBot(visit)) continue
    const { accountId, maxTrackedVisits: max } = ownerOf(visits, visit)
    const key = keyOf(visits, visit)
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

/** Adding first and checking afterwards locks the row, so that nobody else spends the same room. */
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

/** Account and month as one number, with which every visit is looked up. */
function keyOf(visits: CountedVisits, visit: number): number {
  return keyFor(ownerOf(visits, visit).accountId, monthAt(visits.momentOf(visit)))
}

function keyFor(accountId: number, month: number): number {
  return accountId * monthSpan + month
}

/** How many months a key has room for: until the year 2310. */
const monthSpan = 4_096

/** Months since 1970. */
function monthOf(period: string): number {
  const [year = 0, month = 0] = period.split('-').map(Number)
  return (year - 1970) * 12 + month
}

/** Computed once per hour of visits, because an hour lies within one month. */
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
