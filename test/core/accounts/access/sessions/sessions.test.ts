import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  closeSession,
  closeSessions,
  forgetDeadSessions,
  maxSessions,
  openSession,
  readSession,
  refreshSession,
} from '../../../../../core/accounts/access/sessions/sessions.ts'
import { addAccount, day, minute, openTestDb, stoppedClock } from '../../fixtures.ts'

const start = '2026-11-20T12:00:00.000Z'

async function aSession() {
  const db = await openTestDb()
  const account = await addAccount(db)
  const clock = stoppedClock(start)
  const id = await openSession(db, account.id, clock.now)
  const isAlive = async () => (await readSession(db, id, clock.now)) !== undefined
  const use = async () => {
    const found = await readSession(db, id, clock.now)
    if (found) await refreshSession(db, id, found.seenAt, clock.now)
    return found
  }
  const seenAt = async () => (await readSession(db, id, clock.now))?.seenAt.toISOString()
  return { db, account, clock, id, isAlive, use, seenAt }
}

test('a session leads to its account; the database does not hold its id', async () => {
  const { db, account, id, clock } = await aSession()
  expect(id).toMatch(/^[\w-]{43}$/)
  expect((await readSession(db, id, clock.now))?.account).toEqual({
    ...account,
    signedInAt: clock.now(),
  })
  expect(JSON.stringify(await db.selectFrom('sessions').selectAll().execute())).not.toContain(id)
})

test('a sign-in is noted with its account at most once an hour, and when the clock was set back', async () => {
  const { db, account, clock } = await aSession()
  const after = async (ms: number) => {
    clock.advance(ms)
    await openSession(db, account.id, clock.now)
    const { signed_in_at: at } = await db
      .selectFrom('accounts')
      .select('signed_in_at')
      .executeTakeFirstOrThrow()
    return clock.now().getTime() - (at ?? 0)
  }
  expect(await after(59 * minute)).toBe(59 * minute)
  expect(await after(minute)).toBe(0)
  expect(await after(-day)).toBe(0)
})

test('an id that was never given out leads nowhere', async () => {
  const { db, clock } = await aSession()
  expect(await readSession(db, '', clock.now)).toBeUndefined()
  expect(await readSession(db, 'x'.repeat(43), clock.now)).toBeUndefined()
})

test('a session lasts seven days without use', async () => {
  const { clock, isAlive } = await aSession()
  clock.advance(7 * day)
  expect(await isAlive()).toBe(true)
  clock.advance(1)
  expect(await isAlive()).toBe(false)
})

test('a session in use lasts thirty days, no longer', async () => {
  const { clock, use } = await aSession()
  for (let days = 0; days < 30; days += 6) {
    clock.advance(6 * day)
    expect(await use()).toBeDefined()
  }
  clock.advance(1)
  expect(await use()).toBeUndefined()
})

test('an account has a hundred sessions: one more ends the one that was used longest ago', async () => {
  const { db, clock, account, id, use, isAlive } = await aSession()
  const other = await addAccount(db)
  const theirs = await openSession(db, other.id, clock.now)
  clock.advance(minute)
  const second = await openSession(db, account.id, clock.now)
  for (let open = 2; open < maxSessions; open += 1) {
    clock.advance(1)
    await openSession(db, account.id, clock.now)
  }
  const isThere = async (id: string) => (await readSession(db, id, clock.now)) !== undefined
  expect([await isAlive(), await isThere(second)]).toEqual([true, true])
  clock.advance(minute)
  await use()
  const last = await openSession(db, account.id, clock.now)
  expect([await isAlive(), await isThere(second), await isThere(last)]).toEqual([true, false, true])
  expect(await isThere(theirs)).toBe(true)
  expect(id).not.toBe(last)
})

test('the use of a session is noted at most once a minute', async () => {
  const { clock, use, seenAt } = await aSession()
  clock.advance(minute - 1)
  await use()
  expect(await seenAt()).toBe(start)
  clock.advance(1)
  await use()
  expect(await seenAt()).toBe('2026-11-20T12:01:00.000Z')
})

test('the use of a session is noted in order, also where an earlier request ends later', async () => {
  const { db, clock, id, seenAt, use } = await aSession()
  const earlier = await readSession(db, id, clock.now)
  clock.advance(2 * minute)
  await use()
  await refreshSession(db, id, earlier?.seenAt ?? new Date(), () => new Date(start))
  await refreshSession(
    db,
    id,
    earlier?.seenAt ?? new Date(),
    () => new Date('2026-11-20T12:01:00.000Z'),
  )
  expect(await seenAt()).toBe('2026-11-20T12:02:00.000Z')
})

describe('when the clock jumps', () => {
  test('back, the use of a session is noted again', async () => {
    const { clock, use, seenAt } = await aSession()
    clock.advance(-2 * minute)
    await use()
    expect(await seenAt()).toBe('2026-11-20T11:58:00.000Z')
  })

  test('a session found dead stays dead after the clock is set back', async () => {
    const { clock, isAlive } = await aSession()
    clock.advance(400 * day)
    expect(await isAlive()).toBe(false)
    clock.set(start)
    expect(await isAlive()).toBe(false)
  })

  test('a session from a clock that ran far ahead does not live until that day', async () => {
    const { clock, isAlive } = await aSession()
    clock.advance(-8 * day)
    expect(await isAlive()).toBe(false)
  })

  test('a small step back ends no session', async () => {
    const { clock, isAlive, use } = await aSession()
    clock.advance(-2 * day)
    await use()
    expect(await isAlive()).toBe(true)
  })
})

test('signing out ends one session; signing out everywhere ends all of one account', async () => {
  const { db, account, clock, id, isAlive } = await aSession()
  const second = await openSession(db, account.id, clock.now)
  const bystander = await openSession(db, (await addAccount(db)).id, clock.now)

  await closeSession(db, id, clock.now)
  expect(await isAlive()).toBe(false)
  expect(await readSession(db, second, clock.now)).toBeDefined()

  await closeSessions(db, account.id, clock.now)
  expect(await readSession(db, second, clock.now)).toBeUndefined()
  expect(await readSession(db, bystander, clock.now)).toBeDefined()
})

test('signing in clears away what is left of dead sessions', async () => {
  const { db, account, clock } = await aSession()
  clock.advance(8 * day)
  await openSession(db, account.id, clock.now)
  expect(await db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
})

test('sessions that are over are deleted at night, also of people who never come back', async () => {
  const { db, account, clock, isAlive, use } = await aSession()
  await openSession(db, (await addAccount(db)).id, clock.now)
  clock.advance(5 * day)
  await use()
  clock.advance(5 * day)
  await forgetDeadSessions(db, clock.now)
  expect(await isAlive()).toBe(true)
  const left = await db.selectFrom('sessions').select('account_id').execute()
  expect(left).toEqual([{ account_id: account.id }])
})

test('at night sessions that are over are deleted a hundred at a time, and those that last are kept', async () => {
  const { db, account, clock, isAlive, use } = await aSession()
  clock.advance(5 * day)
  await use()
  const long = clock.now().getTime() - 40 * day
  const row = { account_id: account.id, methods: '[]' }
  const times = { created_at: long, authenticated_at: long, seen_at: long }
  const rows = Array.from({ length: 1_000 }, (_, i) => ({ ...row, ...times, id_hash: `${i}` }))
  await db.insertInto('sessions').values(rows).execute()
  const deleted: bigint[] = []
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      deleted.push(result.numAffectedRows ?? 0n)
      return result
    },
  }
  await forgetDeadSessions(db.withPlugin(watch), clock.now)
  expect(deleted.reduce((sum, it) => sum + it, 0n)).toBe(1_000n)
  expect(deleted.filter(it => it > 100n)).toEqual([])
  expect(await isAlive()).toBe(true)
  expect(await db.selectFrom('sessions').select('id_hash').execute()).toHaveLength(1)
})
