import { afterEach, beforeEach, expect, it } from 'vitest'
import { tidyCounts } from '../../../../core/visits/upkeep/tidy-counts.ts'
import visitsByReferer from '../../../../plugins/analytics/visits-by-referer.ts'
import visitsOverTime from '../../../../plugins/analytics/visits-over-time.ts'
import visitsTracking from '../../../../plugins/analytics/visits-tracking.ts'
import { boot, type Harness, type ShownLink } from '../../../harness.ts'
import { shownCounts } from '../counted.ts'

const headers = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  referer: 'https://news.example/',
}
const signal = new AbortController().signal

let linnet: Harness
let link: ShownLink
beforeEach(async () => {
  linnet = await boot([visitsTracking, visitsOverTime, visitsByReferer], {
    at: '2026-01-10T08:00:00Z',
  })
  link = await linnet.create()
  await visitAt('2026-01-10T08:00:00Z')
  await visitAt('2026-01-10T17:00:00Z')
})
afterEach(() => linnet.stop())

async function visitAt(time: string): Promise<void> {
  linnet.at(time)
  await linnet.visit(link, { headers })
  await linnet.app.recorder.catchUp()
}

/** The job, as with this LINNET_RETENTION_DAYS. */
const tidyAt = (time: string, retentionDays: number) =>
  tidyCounts(
    linnet.db,
    { hourly: 60, counts: retentionDays },
    { now: () => new Date(time), signal },
  )

async function sinceEver() {
  const path = `/links/${link.id}/analytics?interval=all&granularity=month`
  return (await linnet.api('GET', path)).body.data
}

it('the nightly job folds what is older than 60 days, and numbers by the day stay', async () => {
  const day = '?from=2026-01-10T00:00:00Z&to=2026-01-11T00:00:00Z&granularity=day'
  const before = (await linnet.api('GET', `/links/${link.id}/analytics${day}`)).body.data
  linnet.at('2026-03-12T01:50:00Z')
  await linnet.run('visits.tidyCounts')
  const rows = await shownCounts(linnet.db)
  expect(rows).toHaveLength(3)
  expect(rows.every(row => row.endsWith(' 12h: 2'))).toBe(true)
  expect((await linnet.api('GET', `/links/${link.id}/analytics${day}`)).body.data).toEqual(before)
})

it('where counts are removed, all of the analytics is what is left, and the total is not', async () => {
  await visitAt('2026-03-01T12:00:00Z')
  await tidyAt('2026-03-12T01:50:00Z', 30)
  linnet.at('2026-03-12T02:00:00Z')
  const { totals, visitsByReferer } = await sinceEver()
  expect(totals.visits).toBe(1)
  expect(visitsByReferer).toMatchObject([{ value: 'news.example', visits: 1, share: 1 }])
  expect((await linnet.api('GET', `/links/${link.id}`)).body.data.visits.total).toBe(3)
})

it('a clock that leaps ahead removes nothing in its first night', async () => {
  await tidyAt('2026-01-11T01:50:00Z', 365)
  const before = await shownCounts(linnet.db)
  await tidyAt('2027-03-01T01:50:00Z', 365)
  await tidyAt('2026-01-12T01:50:00Z', 365)
  expect(await shownCounts(linnet.db)).toEqual(before)
})

it('and a clock that stays there is believed the next night', async () => {
  await tidyAt('2026-01-11T01:50:00Z', 365)
  for (const night of ['2027-03-01T01:50:00Z', '2027-03-02T01:50:00Z']) await tidyAt(night, 365)
  expect((await shownCounts(linnet.db)).filter(row => row.includes('news.example'))).toEqual([])
})
