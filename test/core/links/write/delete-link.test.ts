import { expect, onTestFinished, test } from 'vitest'
import { readPublicId } from '../../../../core/lib/public-id.ts'
import visitsOverTime from '../../../../plugins/analytics/visits-over-time.ts'
import visitsTracking from '../../../../plugins/analytics/visits-tracking.ts'
import { boot } from '../../../harness.ts'
import { count } from '../../visits/counted.ts'

const noonHour = Date.UTC(2026, 10, 20, 12) / 3_600_000

test('a link with many counts is gone for everybody at once, and from the numbers of its account', async () => {
  const house = await boot([visitsTracking, visitsOverTime])
  onTestFinished(() => house.stop())
  const link = await house.create()
  const stays = await house.create()
  for (const [{ id }, rows] of [[link, 2_500] as const, [stays, 3] as const]) {
    const hours = Array.from({ length: rows }, (_, index) => ({ hour: noonHour - index }))
    const owner = { accountId: house.account.rowId }
    await count(house.db, { id: readPublicId('lnk', id) ?? 0, owner }, hours)
  }

  expect(await house.api('DELETE', `/links/${link.id}`)).toMatchObject({ status: 204 })
  expect((await house.visit(link)).status).toBe(404)
  expect((await house.api('GET', `/links/${link.id}`)).status).toBe(404)
  const left = await house.db.selectFrom('link_counts').selectAll().execute()
  expect(left.length).toBeGreaterThan(3)
  const { body } = await house.api('GET', '/analytics?interval=all&granularity=month')
  expect(body.data.totals.visits).toBe(3)
  expect(await house.db.selectFrom('link_counts').selectAll().execute()).toHaveLength(3)
})
