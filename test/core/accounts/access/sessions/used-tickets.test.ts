import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isSpent, spendTicket } from '../../../../../core/accounts/access/sessions/used-tickets.ts'
import type { Database } from '../../../../../core/storage/database.ts'
import { isOnServer } from '../../../../open-storage.ts'
import { day, minute, openTestDb, stoppedClock } from '../../fixtures.ts'

async function withOld(count: number) {
  const db = await openTestDb()
  const clock = stoppedClock()
  const at = clock.now().getTime()
  const old = Array.from({ length: count }, (_, i) => ({
    id: `old-${i}`,
    ends_at: at - day - 1 - i,
  }))
  if (count > 0) await db.insertInto('used_tickets').values(old).execute()
  const spend = (id: string) => spendTicket(db, { id, endsAt: at + minute }, clock.now)
  return { db, clock, spend }
}

const left = async (db: Database) =>
  (await db.selectFrom('used_tickets').select('id').execute()).length

test('a ticket is used up once, and is forgotten a day after its end', async () => {
  const { db, clock, spend } = await withOld(0)
  expect(await spend('one')).toBe(true)
  expect(await spend('one')).toBe(false)
  clock.advance(day)
  await spend('two')
  expect(await isSpent(db, { id: 'one' })).toBe(true)
  clock.advance(2 * minute)
  await spend('three')
  expect(await isSpent(db, { id: 'one' })).toBe(false)
})

test('however many are old, each use forgets some of them, the oldest', async () => {
  const { db, spend } = await withOld(150)
  await spend('one')
  expect(await left(db)).toBe(150 - 64 + 1)
  expect(await isSpent(db, { id: 'old-149' })).toBe(false)
  expect(await isSpent(db, { id: 'old-0' })).toBe(true)
  for (const id of ['two', 'three']) await spend(id)
  expect(await left(db)).toBe(3)
})

test.skipIf(isOnServer)('old ones are found by an index, and not among all', async () => {
  const { db } = await withOld(0)
  const { rows } = await sql<{ detail: string }>`explain query plan delete from used_tickets
    where id in (select id from used_tickets where ends_at < 1 order by ends_at limit 64)`.execute(
    db,
  )
  const plan = rows.map(({ detail }) => detail).join()
  expect(plan).toContain('INDEX used_tickets_ends')
  expect(plan).not.toContain('SCAN')
})
