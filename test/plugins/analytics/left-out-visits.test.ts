import { afterEach, describe, expect, it, vi } from 'vitest'
import { definePlugin } from '../../../core/plugin.ts'
import leftOutVisits from '../../../plugins/analytics/left-out-visits.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import { aPerson, nobody } from '../../api/people.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'
import { openSession } from '../../inside.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const feature = 'analytics.leftOutVisits'
const all = [leftOutVisits, visitsTracking, linkExpiration]

async function bootWith(
  settings: { readonly networks?: string[]; readonly owners?: boolean } = {},
) {
  linnet = await boot(all, { settings: { plugins: { settings: { [feature]: settings } } } })
}

const totalOf = async ({ id }: ShownLink): Promise<number> => {
  await linnet.app.recorder.catchUp()
  return (await linnet.api('GET', `/links/${id}`)).body.data.visits.total
}
/** So many visits are counted, and no more. Sessions are looked up when the visitor has the response. */
const expectTotal = async (link: ShownLink, total: number) => {
  await vi.waitFor(async () => expect(await totalOf(link)).toBeGreaterThanOrEqual(total))
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve))
  expect(await totalOf(link)).toBe(total)
}
const mine = async () => ({
  cookie: `other=1; __Host-linnet=${await openSession(linnet.db, linnet.account.rowId, () => new Date('2026-11-20T12:00:00Z'))}`,
})

describe('visits from networks', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', 0],
    ['192.0.2.7', '192.0.2.8', 1],
    ['192.0.2.0/24', '192.0.2.255', 0],
    ['192.0.2.9/24', '192.0.2.1', 0],
    ['192.0.2.0/24', '192.0.3.0', 1],
    ['192.0.2.0/24', '::ffff:192.0.2.1', 0],
    ['2001:db8::/32', '2001:db8:ffff::1', 0],
    ['2001:db8::/32', '2001:db9::1', 1],
    ['::/0', '192.0.2.1', 1],
    ['0.0.0.0/0', '192.0.2.1', 0],
  ])('named as %s: a visit from %s counts %i times, and redirects', async (network, ip, total) => {
    await bootWith({ networks: [network] })
    const link = await linnet.create()
    for (let visit = 0; visit < 2; visit += 1) {
      expect((await linnet.visit(link, { ip })).status).toBe(302)
    }
    await expectTotal(link, 2 * total)
  })

  it('are all counted while nothing is set', async () => {
    await bootWith()
    const link = await linnet.create()
    await linnet.visit(link)
    await linnet.visit(link, { headers: await mine() })
    await expectTotal(link, 2)
  })

  it('are left out from the next visit on after a change, and use up a limit', async () => {
    await bootWith()
    const link = await linnet.create({ maxVisits: 2 })
    await linnet.visit(link)
    const change = { settings: { networks: ['203.0.113.0/24'] } }
    expect((await linnet.api('PATCH', `/admin/plugins/${feature}`, change)).status).toBe(200)
    expect((await linnet.visit(link)).status).toBe(302)
    expect((await linnet.visit(link)).status).toBe(410)
    await expectTotal(link, 1)
  })

  it.each([
    ['office'],
    ['192.0.2.0/33'],
    ['2001:db8::/129'],
    ['192.0.2.0/'],
    ['192.0.2.0/24/8'],
    ['192.0.2.256'],
    ['192.0.2'],
    ['192.0.2.1-192.0.2.9'],
    ['::ffff:192.0.2.0/120'],
    [''],
    [' 192.0.2.1'],
    ['1'.repeat(61)],
  ])('cannot be named as %j', async network => {
    await bootWith()
    const settings = { networks: ['192.0.2.1', network] }
    const { status, body } = await linnet.api('PATCH', `/admin/plugins/${feature}`, { settings })
    expect(status).toBe(422)
    expect(body.errors).toEqual([
      {
        field: 'settings.networks[1]',
        code: network.length > 60 ? 'too_big' : 'invalid',
        message: 'Enter an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.',
      },
    ])
  })

  it('are at most a hundred', async () => {
    await bootWith()
    const settings = { networks: Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`) }
    const { status, body } = await linnet.api('PATCH', `/admin/plugins/${feature}`, { settings })
    expect([status, body.errors[0].field]).toEqual([422, 'settings.networks'])
  })
})

describe('visits of the owner of the link', () => {
  it('are left out where the browser is signed in, and only if that is set', async () => {
    await bootWith({ owners: true })
    const link = await linnet.create()
    const headers = await mine()
    for (let visit = 0; visit < 3; visit += 1) {
      expect((await linnet.visit(link, { headers })).status).toBe(302)
    }
    await expectTotal(link, 0)
    await linnet.visit(link)
    await linnet.visit(link, { headers: { cookie: '__Host-linnet=x; __Host-linnet-away=y' } })
    await expectTotal(link, 2)
  })

  it('of anybody else count, and so do those of who signed out', async () => {
    await bootWith({ owners: true })
    const link = await linnet.create()
    const eve = await aPerson(linnet)
    await linnet.visit(link, { headers: await eve.session() })
    await expectTotal(link, 1)
    const headers = await mine()
    await linnet.visit(link, { headers })
    await expectTotal(link, 1)
    const signedOut = await linnet.api('DELETE', '/session', undefined, headers)
    expect(signedOut.status).toBe(204)
    await linnet.visit(link, { headers })
    await expectTotal(link, 2)
  })

  it('do not keep a session alive', async () => {
    await bootWith({ owners: true })
    const link = await linnet.create()
    const headers = await mine()
    linnet.at('2026-11-26T12:00:00Z')
    await linnet.visit(link, { headers })
    await expectTotal(link, 0)
    linnet.at('2026-11-28T12:00:00Z')
    const { status } = await linnet.api('GET', '/profile', undefined, { ...nobody, ...headers })
    expect(status).toBe(401)
  })

  it('count on custom domains, whatever a browser sends there', async () => {
    const host = 'links.example.com'
    const hosting = definePlugin({
      feature: 'b.hosting',
      about: 'Have a host.',
      unstable: {
        hosts: () => [{ name: host, accountId: 1, rootUrl: null, notFoundUrl: null }],
      },
      prepare: ({ kind }) => (kind === 'create' ? { domain: host } : undefined),
    })
    linnet = await boot([...all, hosting], {
      settings: { plugins: { settings: { [feature]: { owners: true } } } },
    })
    const link = await linnet.create()
    expect(link.shortUrl).toContain(host)
    const headers = { ...(await mine()), host }
    expect((await linnet.visit(link, { headers })).status).toBe(302)
    await expectTotal(link, 1)
  })
})
