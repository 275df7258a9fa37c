import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import dynamicRouting from '../../../../plugins/link/dynamic-routing.ts'
import { boot, type Harness, type ShownLink } from '../../../harness.ts'
import { agents } from '../../analytics/agents.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot(dynamicRouting)
})
afterEach(() => linnet.stop())

const own = 'https://example.com/'
const to = (name: string) => `https://example.com/${name}`
const headers = { 'user-agent': agents.firefoxOnLinux }
const visitors = Array.from({ length: 2_000 }, (_, index) => `81.2.${index >> 8}.${index & 255}`)

const rule = (name: string, weight: number | null, conditions: readonly object[] = []) => ({
  name,
  originalUrl: to(name),
  weight,
  conditions,
})

const linkWith = (...rules: readonly object[]) => linnet.create({ dynamicRouting: { rules } })

async function addressesOf(
  link: ShownLink,
  {
    at = linnet,
    agent = agents.firefoxOnLinux,
    of = visitors,
  }: { at?: Harness; agent?: string; of?: readonly string[] } = {},
): Promise<readonly string[]> {
  const all: string[] = []
  const headers = { 'user-agent': agent }
  for (const ip of of) all.push((await at.visit(link, { ip, headers })).location ?? '')
  return all
}

/**
 * Whether as many per cent went where as is `expected`. Seven points are more than six standard
 * deviations, so that no key, which is another one in each run, fails by chance.
 */
function expectShares(went: readonly string[], expected: Readonly<Record<string, number>>): void {
  for (const [name, share] of Object.entries(expected)) {
    const url = name === 'own' ? own : to(name)
    const percent = (went.filter(it => it === url).length / went.length) * 100
    expect(Math.abs(percent - share), `${name}: ${percent} %`).toBeLessThan(7)
  }
}

describe('a split', () => {
  it('gives each rule its weight of the visitors, and the rest goes on', async () => {
    const went = await addressesOf(await linkWith(rule('a', 30), rule('b', 50)))
    expectShares(went, { a: 30, b: 50, own: 20 })
  })

  it('keeps a visitor where they were, also after a restart', async () => {
    const link = await linkWith(rule('a', 50), rule('b', 50))
    // Half of them are in each place, so that these are enough to tell.
    const of = visitors.slice(0, 200)
    const went = await addressesOf(link, { of })
    expect(await addressesOf(link, { of })).toEqual(went)
    const again = await linnet.restart([dynamicRouting])
    expect(await addressesOf(link, { at: again, of })).toEqual(went)
    await again.app.close()
  })

  it('is drawn anew for another link, another browser and the next split of a link', async () => {
    const link = await linkWith(rule('a', 50), rule('b', 50))
    const other = await linkWith(rule('a', 50), rule('b', 50))
    const went = await addressesOf(link)
    const moved = (others: readonly string[]) =>
      others.filter((url, index) => url !== went[index]).length / went.length
    expect(moved(await addressesOf(other))).toBeCloseTo(0.5, 1)
    expect(moved(await addressesOf(link, { agent: agents.safariOnMac }))).toBeCloseTo(0.5, 1)

    const divided = await linkWith(rule('a', 50), rule('mobile', null, [mobile]), rule('b', 50))
    expectShares(await addressesOf(divided), { a: 50, b: 25, own: 25 })
  })

  it('takes for a rule with conditions only those who fit', async () => {
    const went = await addressesOf(await linkWith(rule('phone', 50, [mobile]), rule('b', 50)))
    expectShares(went, { phone: 0, b: 50, own: 50 })
  })

  it('leaves everybody to a rule that has all of the weight', async () => {
    const link = await linkWith(rule('a', 100), rule('never', null))
    const went = await addressesOf(link, { of: visitors.slice(0, 200) })
    expect(new Set(went)).toEqual(new Set([to('a')]))
  })

  it('treats the network of an IPv6 visitor as one', async () => {
    const link = await linkWith(...Array.from({ length: 20 }, (_, index) => rule(`${index}`, 5)))
    const from = async (ip: string) => (await linnet.visit(link, { ip, headers })).location
    expect(await from('2a02:2e0:1:2::1')).toBe(await from('2a02:2e0:1:2:ffff::9'))
  })

  it('sets no cookie and keeps nothing of the visitors', async () => {
    const link = await linkWith(rule('a', 50))
    const visited = await linnet.visit(link, { ip: '81.2.69.142', headers })
    expect(visited.headers).not.toHaveProperty('set-cookie')
    const [row, ...more] = await linnet.db
      .selectFrom('link_dynamic_routing_keys' as 'meta')
      .selectAll()
      .execute()
    expect(more).toEqual([])
    expect(row).toEqual({ id: 1, key: expect.stringMatching(/^[\w-]{43}$/) })
  })
})

const mobile = { type: 'device', operator: 'is', value: 'mobile' }
