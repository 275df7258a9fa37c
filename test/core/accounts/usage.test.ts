import { describe, expect, test } from 'vitest'
import { periodOf, usageOf } from '../../../core/accounts/usage.ts'
import { unlimited } from '../../../core/settings/plan.ts'
import { addAccount, countLinks, openTestDb, stoppedClock } from './fixtures.ts'

async function anAccount(start?: string) {
  const db = await openTestDb()
  const { id } = await addAccount(db)
  const clock = stoppedClock(start)
  const count = (max: number, links = 1) => countLinks(db, id, max, links, clock.now)
  const used = async () => (await usageOf(db, id, clock.now)).linksCreatedThisMonth
  return { db, id, clock, count, used }
}

test('an account that did nothing used nothing', async () => {
  const { db, id, clock } = await anAccount()
  expect(await usageOf(db, id, clock.now)).toEqual({
    linksCreatedThisMonth: 0,
    visitsTrackedThisMonth: 0,
  })
})

describe('links created', () => {
  test('are counted until the limit, and refused from there on', async () => {
    const { count, used } = await anAccount()
    expect(await count(2)).toBeUndefined()
    expect(await count(2)).toBeUndefined()
    expect(await count(2)).toMatchObject({
      code: 'plan_limit_reached',
      status: 403,
      details: { limit: 2, used: 2 },
    })
    expect(await used()).toBe(2)
  })

  test('are refused all together when they do not all fit', async () => {
    const { count, used } = await anAccount()
    expect(await count(5, 6)).toMatchObject({ details: { limit: 5, used: 0 } })
    expect(await count(5, 3)).toBeUndefined()
    expect(await count(5, 3)).toMatchObject({ details: { limit: 5, used: 3 } })
    expect(await count(5, 2)).toBeUndefined()
    expect(await used()).toBe(5)
  })

  test('stay refused when the limit sinks below what is used', async () => {
    const { count } = await anAccount()
    await count(10, 8)
    expect(await count(3)).toMatchObject({ details: { limit: 3, used: 8 } })
    expect(await count(0)).toMatchObject({ details: { limit: 0, used: 8 } })
  })

  test('have no end on a plan without limits', async () => {
    const { count, used } = await anAccount()
    expect(await count(unlimited, 1_000_000)).toBeUndefined()
    expect(await used()).toBe(1_000_000)
  })

  test('never pass the limit, however many requests come at once', async () => {
    const { count, used } = await anAccount()
    const answers = await Promise.all(Array.from({ length: 50 }, () => count(10)))
    expect(answers.filter(refusal => refusal === undefined)).toHaveLength(10)
    expect(await used()).toBe(10)
  })

  test('are not counted when their transaction is undone', async () => {
    const { db, id, clock, used } = await anAccount()
    const undone = db.transaction().execute(async tx => {
      await countLinks(tx, id, 10, 1, clock.now)
      throw new Error('the disk is full')
    })
    await expect(undone).rejects.toThrow('the disk is full')
    expect(await used()).toBe(0)
  })
})

describe('a month', () => {
  test.each([
    ['2026-11-30T23:59:59.999Z', '2026-11'],
    ['2026-12-01T00:00:00.000Z', '2026-12'],
    ['2026-12-01T00:30:00.000+01:00', '2026-11'],
    ['2028-02-29T12:00:00.000Z', '2028-02'],
  ])('of %s is %s: it is counted in UTC', (moment, period) => {
    expect(periodOf(new Date(moment))).toBe(period)
  })

  test('begins at nothing, without any job', async () => {
    const { clock, count, used } = await anAccount('2026-11-30T23:59:59.999Z')
    await count(1)
    expect(await count(1)).toMatchObject({ code: 'plan_limit_reached' })
    clock.set('2026-12-01T00:00:00.000Z')
    expect(await used()).toBe(0)
    expect(await count(1)).toBeUndefined()
  })
})
