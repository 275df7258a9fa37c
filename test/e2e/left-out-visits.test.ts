import { expect, it } from 'vitest'
import { firstOf } from '../at-night.ts'
import { admin, createLink, serve } from './server.ts'

it.each(firstOf(1, ['1', '0']))(
  'visits are left out by the address that a trusted proxy tells, and by who is signed in, with LINNET_FAST_LANE=%s',
  async fastLane => {
    const server = await serve({
      env: { LINNET_FAST_LANE: fastLane, LINNET_TRUSTED_PROXIES: '1' },
    })
    const path = '/admin/plugins/analytics.leftOutVisits'
    const settings = { networks: ['192.0.2.0/24', '2001:db8::/32'], owners: true }
    expect((await server.api('PATCH', path, { enabled: true, settings })).status).toBe(200)
    const { id, shortCode } = await createLink(server, {})
    const signedIn = await server.api('POST', '/session', admin, {
      ...{ authorization: '', 'sec-fetch-site': 'same-origin' },
    })
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
    expect(cookie).not.toBe('')
    const visit = async (headers = {}) =>
      expect((await server.get(`/${shortCode}`, headers)).status).toBe(302)
    // What the client wrote itself stands first.
    const from = (...addresses: readonly string[]) => ({ 'x-forwarded-for': addresses.join(', ') })
    for (let round = 0; round < 2; round += 1) {
      await visit(from('192.0.2.7'))
      await visit(from('203.0.113.7', '2001:db8::7'))
      await visit({ ...from('203.0.113.7'), cookie })
      await visit(from('192.0.2.7', '203.0.113.7'))
      await visit({ ...from('203.0.113.7'), cookie: 'linnet=wrong' })
    }
    const totals = async () => (await server.api('GET', `/links/${id}/analytics`)).body.data.totals
    await expect.poll(totals).toMatchObject({ visits: 4 })
  },
)
