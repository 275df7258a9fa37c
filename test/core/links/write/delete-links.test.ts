import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { readPublicId } from '../../../../core/lib/public-id.ts'
import { definePlugin } from '../../../../core/plugin.ts'
import visitsOverTime from '../../../../plugins/analytics/visits-over-time.ts'
import visitsTracking from '../../../../plugins/analytics/visits-tracking.ts'
import { boot } from '../../../harness.ts'
import { otherAccount } from '../../../plugins/organization/other-account.ts'
import { count } from '../../visits/counted.ts'

const noonHour = Date.UTC(2026, 10, 20, 12) / 3_600_000

test.each([0, 30])(
  'a link with many counts is gone for everybody at once, and from the numbers of its account, where it is kept for %d days',
  async deletedDays => {
    const linnet = await boot([visitsTracking, visitsOverTime], { deletedDays })
    onTestFinished(() => linnet.stop())
    const link = await linnet.create()
    const stays = await linnet.create()
    for (const [{ id }, rows] of [[link, 2_500] as const, [stays, 3] as const]) {
      const hours = Array.from({ length: rows }, (_, index) => ({ hour: noonHour - index }))
      const owner = { accountId: linnet.account.rowId }
      await count(linnet.db, { id: readPublicId('lnk', id) ?? 0, owner }, hours)
    }

    expect(await linnet.api('DELETE', `/links/${link.id}`)).toMatchObject({ status: 204 })
    expect((await linnet.visit(link)).status).toBe(404)
    expect((await linnet.api('GET', `/links/${link.id}`)).status).toBe(404)
    const left = await linnet.db.selectFrom('link_counts').selectAll().execute()
    expect(left.length).toBeGreaterThan(3)
    const all = '/analytics?interval=all&granularity=month'
    const visits = async () => (await linnet.api('GET', all)).body.data.totals.visits
    expect(await visits()).toBe(3)
    const rows = await linnet.db.selectFrom('link_counts').selectAll().execute()
    expect(rows).toHaveLength(deletedDays === 0 ? 3 : 2_503)
    if (deletedDays === 0) return

    // Restored, deleted and restored before all of it was moved: none of it is lost or counted twice.
    const path = `/links/${link.id}`
    for (let time = 0; time < 2; time += 1) {
      expect(await linnet.api('POST', `${path}/restore`)).toMatchObject({ status: 200 })
      expect((await linnet.api('DELETE', path)).status).toBe(204)
    }
    expect(await visits()).toBe(3)
    expect((await linnet.api('POST', `${path}/restore`)).status).toBe(200)
    expect(await visits()).toBe(2_503)
    expect((await linnet.api('GET', `${path}${all}`)).body.data.totals.visits).toBe(2_500)
  },
)

/** A plugin that remembers what it was told, and takes its time over each link. */
function aWitness() {
  const told: string[] = []
  const most = { atOnce: 0 }
  let underWay = 0
  const plugin = definePlugin({
    feature: 'third.witness',
    about: 'Remember links that are gone.',
    on: {
      async deleted({ id, addresses }, { links }) {
        underWay += 1
        most.atOnce = Math.max(most.atOnce, underWay)
        expect(await links.find(id)).toBeUndefined()
        told.push(`${id} ${addresses[0]?.url}`)
        underWay -= 1
      },
    },
  })
  return { told, most, plugin }
}

async function untilLength(list: readonly unknown[], length: number): Promise<void> {
  while (list.length < length) await turn()
}

test('plugins are told of every link that goes with its account, after it, some at a time', async () => {
  const { told, most, plugin } = aWitness()
  const linnet = await boot(plugin)
  onTestFinished(() => linnet.stop())
  const call = await otherAccount(linnet)
  const mine = await linnet.create()
  const urls = Array.from({ length: 120 }, (_, index) => `https://example.com/${index}`)
  const made = []
  for (const original_url of urls) {
    made.push((await call('POST', '/links', { original_url })).body.data.id)
  }

  expect(await call('DELETE', '/profile')).toMatchObject({ status: 204 })
  await untilLength(told, made.length)
  expect([...told].sort()).toEqual(made.map((id, index) => `${id} ${urls[index]}`).sort())
  expect(most.atOnce).toBeLessThanOrEqual(50)
  expect((await linnet.visit(mine)).status).toBe(302)
})

test('an account that stays keeps its links, and nobody is told', async () => {
  const { told, plugin } = aWitness()
  const linnet = await boot(plugin)
  onTestFinished(() => linnet.stop())
  const link = await linnet.create()
  expect(await linnet.api('DELETE', '/profile')).toMatchObject({
    status: 409,
    body: { code: 'last_admin' },
  })
  await linnet.api('DELETE', `/links/${link.id}`)
  await untilLength(told, 1)
  expect(told).toEqual([`${link.id} https://example.com/`])
})

test('what plugins have of a link goes with it some at a time, also with its account, and redirects in between', async () => {
  const linnet = await boot([], { deletedDays: 0 })
  onTestFinished(() => linnet.stop())
  const table = sql`create table acme_seen (link_id bigint references links on delete cascade)`
  await table.execute(linnet.db)
  await sql`create index acme_seen_link on acme_seen (link_id)`.execute(linnet.db)
  const call = await otherAccount(linnet)
  for (const path of ['/links/', '/profile']) {
    const made = (await call('POST', '/links', { original_url: 'https://example.com/' })).body.data
    const rows = Array.from({ length: 3_000 }, () => sql`(${readPublicId('lnk', made.id)})`)
    await sql`insert into acme_seen (link_id) values ${sql.join(rows)}`.execute(linnet.db)
    let turns = 0
    const tick = () => {
      turns += 1
      next = setImmediate(tick)
    }
    let next = setImmediate(tick)
    expect((await call('DELETE', path === '/links/' ? `${path}${made.id}` : path)).status).toBe(204)
    clearImmediate(next)
    expect(turns).toBeGreaterThanOrEqual(46)
    const left = await sql`select * from acme_seen`.execute(linnet.db)
    expect(left.rows).toEqual([])
  }
})
