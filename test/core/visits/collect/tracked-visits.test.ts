import { afterEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import visitsOverTime from '../../../../plugins/analytics/visits-over-time.ts'
import visitsTracking from '../../../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness } from '../../../harness.ts'
import {
  bootInFile,
  countsIn,
  dimensions,
  listeningLog,
  ownedBy,
  totalsIn,
  usageIn,
  visitOf,
} from '../fixtures.ts'

describe('two recorders on one database', () => {
  it('never pass the limit together, and lose nothing of what is within', async () => {
    const { storage, db, link, file } = await bootInFile()
    const other = await openSqlite(file)
    const limited = ownedBy(link, { maxTrackedVisits: 100 })
    const log = listeningLog()
    const recorders = [storage, other].map(its =>
      createRecorder({ storage: its, features: [], dimensions, log, fullBatch: 7, intervalMs: 1 }),
    )
    for (let visit = 0; visit < 80; visit += 1) {
      for (const recorder of recorders) recorder.record(visitOf(limited))
    }
    await Promise.all(recorders.map(recorder => recorder.catchUp()))
    await Promise.all(recorders.map(recorder => recorder.close()))
    await other.close()

    expect(await usageIn(db)).toEqual({ '2026-11': 100 })
    expect(await totalsIn(db)).toEqual({ [link.id]: 100 })
    expect(await countsIn(db)).toEqual(['overTime 100', 'visits 100'])
    expect(log.lines).toEqual([])
  })
})

describe('an account that has tracked all that its plan allows', () => {
  let linnet: Harness
  afterEach(() => linnet.stop())

  const tracked = async () => {
    const { plan } = (await linnet.api('GET', '/profile')).body.data
    return `${plan.usage.visitsTrackedThisMonth} of ${plan.limits.maxTrackedVisitsPerMonth}`
  }

  async function bootWithLimit() {
    linnet = await boot([visitsTracking, visitsOverTime], {
      plan: 'free',
      at: '2026-11-30T23:59:00Z',
      settings: { plans: { free: { limits: { maxTrackedVisitsPerMonth: 3 } } } },
    })
    const link = await linnet.create()
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' }
    const visit = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        expect((await linnet.visit(link, { headers })).status).toBe(302)
      }
    }
    const total = async () => {
      await linnet.app.recorder.catchUp()
      return (await linnet.api('GET', `/links/${link.id}`)).body.data.visits.total
    }
    return { visit, total }
  }

  it('goes on redirecting, tracks no more, and is told so by its profile', async () => {
    const { visit, total } = await bootWithLimit()
    await visit(2)
    expect([await total(), await tracked()]).toEqual([2, '2 of 3'])
    await visit(5)
    expect([await total(), await tracked()]).toEqual([3, '3 of 3'])
  })

  it('tracks again from the first moment of the next month, while no job ran', async () => {
    const { visit, total } = await bootWithLimit()
    await visit(5)
    await total()
    linnet.at('2026-12-01T00:00:00Z')
    expect(await tracked()).toBe('0 of 3')
    await visit(5)
    expect([await total(), await tracked()]).toEqual([6, '3 of 3'])
  })

  it('counts visits that were late for midnight in the month that they were made in', async () => {
    const { visit, total } = await bootWithLimit()
    await visit(1)
    linnet.at('2026-12-01T00:00:10Z')
    await visit(1)
    expect([await total(), await tracked()]).toEqual([2, '1 of 3'])
    linnet.at('2026-11-30T23:59:59Z')
    expect(await tracked()).toBe('1 of 3')
  })
})
