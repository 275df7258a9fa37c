import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import dynamicRouting from '../../../../plugins/link/dynamic-routing.ts'
import { tries } from '../../../at-night.ts'
import { boot, type Harness } from '../../../harness.ts'
import { mmdbFile } from '../../../mmdb.ts'
import { agents } from '../../analytics/agents.ts'

let linnet: Harness

beforeEach(async () => {
  const networks = {
    '81.2.69.0/24': { country: { iso_code: 'GB' } },
    '2a02:2e0::/32': {
      city: { names: { en: 'Berlin' } },
      country: { iso_code: 'DE' },
      subdivisions: [{ names: { en: 'Land Berlin' } }],
    },
  }
  const geoipFile = mmdbFile(networks, { type: 'GeoLite2-City' })
  linnet = await boot(dynamicRouting, { geoipFile })
})
afterEach(() => linnet.stop())

const linkWith = (...rules: readonly object[]) => linnet.create({ dynamicRouting: { rules } })

async function simulate(link: { readonly id: string }, said: object = {}) {
  const { status, body } = await linnet.api('POST', `/links/${link.id}/simulate`, said)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.data
}

const android = { type: 'os', operator: 'is', value: 'Android' }
const british = { type: 'country', operator: 'is', value: ['GB', 'IE'] }
const shop = 'https://example.com/shop'
const app = 'https://example.com/app'

describe('a simulation', () => {
  it('says which rule wins and why, and which are not reached', async () => {
    const link = await linkWith(
      { name: 'app', originalUrl: app, conditions: [android, british] },
      { name: 'shop', originalUrl: shop, conditions: [] },
      { name: 'never', originalUrl: shop, conditions: [android] },
    )
    expect(await simulate(link, { user_agent: agents.chromeOnAndroid, country: 'fr' })).toEqual({
      rule: 'shop',
      originalUrl: shop,
      rules: [
        {
          name: 'app',
          originalUrl: app,
          wins: false,
          reached: true,
          share: null,
          conditions: [
            {
              type: 'os',
              operator: 'is',
              key: null,
              expected: 'Android',
              seen: 'Android',
              holds: true,
            },
            {
              type: 'country',
              operator: 'is',
              key: null,
              expected: ['GB', 'IE'],
              seen: 'FR',
              holds: false,
            },
          ],
        },
        { name: 'shop', originalUrl: shop, wins: true, reached: true, share: null, conditions: [] },
        {
          name: 'never',
          originalUrl: shop,
          wins: false,
          reached: false,
          share: null,
          conditions: [
            {
              type: 'os',
              operator: 'is',
              key: null,
              expected: 'Android',
              seen: 'Android',
              holds: true,
            },
          ],
        },
      ],
    })
  })

  it('says that the link’s own address is left when no rule fits', async () => {
    const link = await linkWith({ name: 'app', originalUrl: app, conditions: [android] })
    expect(await simulate(link)).toMatchObject({
      rule: null,
      originalUrl: 'https://example.com/',
      rules: [{ reached: true, wins: false, conditions: [{ seen: null, holds: false }] }],
    })
    expect(await simulate(await linnet.create())).toMatchObject({ rule: null, rules: [] })
  })

  it('believes what it is told outright before what user agent and address say', async () => {
    const link = await linkWith({ name: 'app', originalUrl: app, conditions: [android, british] })
    const told = { user_agent: agents.firefoxOnLinux, visitor: '2a02:2e0::1' }
    expect((await simulate(link, told)).rules[0].conditions).toMatchObject([
      { seen: 'Linux' },
      { seen: 'DE' },
    ])
    const better = { ...told, os: 'Android', country: 'GB' }
    expect((await simulate(link, better)).rule).toBe('app')
  })

  it('knows the network and the city of an address, and believes another city', async () => {
    const conditions = [
      { type: 'network', operator: 'is', value: '2a02:2e0::/32' },
      { type: 'city', operator: 'is', value: 'DE||Berlin' },
    ]
    const link = await linkWith({ name: 'app', originalUrl: app, conditions })
    const of = async (said: object) => (await simulate(link, said)).rules[0].conditions
    expect(await of({ visitor: '2a02:2e0::1' })).toMatchObject([
      { seen: '2a02:2e0::1', holds: true },
      { seen: 'DE|Land Berlin|Berlin', holds: true },
    ])
    expect(await of({ visitor: '192.0.2.1', city: 'berlin' })).toMatchObject([
      { seen: '192.0.2.1', holds: false },
      { seen: '||berlin', holds: false },
    ])
    expect(await of({ city: 'DE|Land Berlin|Berlin' })).toMatchObject([
      { seen: null, holds: false },
      { seen: 'DE|Land Berlin|Berlin', holds: true },
    ])
    expect(await of({ visitor: '2a02:2e0::1', country: 'FR' })).toMatchObject([
      { holds: true },
      { seen: null, holds: false },
    ])
  })

  it('is made for now, or for another time', async () => {
    const night = { type: 'time', operator: 'between', value: '22:00-06:00' }
    const link = await linkWith({ name: 'night', originalUrl: app, conditions: [night] })
    expect((await simulate(link)).rules[0].conditions[0].seen).toBe('12:00 UTC')
    expect((await simulate(link, { time: '2026-11-20T23:30:00Z' })).rule).toBe('night')
  })

  it.each<[string, unknown]>([
    ['visitor', 'nobody'],
    ['device', 'toaster'],
    ['country', 'Germany'],
    ['city', 'US|Springfield'],
    ['time', 'noon'],
    ['rules', []],
  ])('refuses a wrong %s', async (name, value) => {
    const { status, body } = await linnet.api(
      'POST',
      `/links/${(await linkWith({ name: 'x', originalUrl: app })).id}/simulate`,
      { [name]: value },
    )
    expect([status, body.errors?.[0]?.field]).toEqual([422, name])
  })

  it('is not made of links that are not there', async () => {
    const answer = await linnet.api('POST', '/links/lnk_nonsense/simulate', {})
    expect(answer.status).toBe(404)
  })

  it('counts nothing', async () => {
    const link = await linkWith({ name: 'x', originalUrl: app })
    await simulate(link)
    const { body } = await linnet.api('GET', `/links/${link.id}`)
    expect(body.data.visits.total).toBe(0)
  })
})

describe('simulation and redirect', () => {
  const words = {
    device: ['desktop', 'mobile', 'tablet', 'other'],
    os: ['Linux', 'Windows', 'Android', 'iOS'],
    browser: ['Firefox', 'Chrome', 'Mobile Safari', 'curl'],
    country: ['GB', 'DE', 'FR'],
    language: ['en', 'en-GB', 'de', 'fr'],
  } as const
  const fact = fc.constantFrom(...(Object.keys(words) as (keyof typeof words)[])).chain(type =>
    fc.record({
      type: fc.constant(type),
      operator: fc.constantFrom('is', 'is_not'),
      value: fc.subarray([...words[type]], { minLength: 1 }),
    }),
  )
  const parameter = fc.record({
    type: fc.constant('query_param'),
    operator: fc.constantFrom('is', 'is_not'),
    key: fc.constantFrom('a', 'utm_source'),
    value: fc.constantFrom('', '1', 'x y'),
  })
  const presence = fc.record({
    type: fc.constant('query_param'),
    operator: fc.constantFrom('exists', 'not_exists'),
    key: fc.constantFrom('a', 'utm_source'),
  })
  const time = fc.record({
    type: fc.constant('time'),
    operator: fc.constantFrom('between', 'not_between'),
    value: fc.constantFrom<string | string[]>('22:00-06:00', '09:00-17:00 America/New_York', [
      '2026-03-01T00:00:00Z',
      '2026-09-01T00:00:00Z',
    ]),
  })
  const rules = fc
    .array(
      fc.record(
        {
          weight: fc.constantFrom(5, 10, 20),
          conditions: fc.array(fc.oneof(fact, parameter, presence, time), { maxLength: 2 }),
        },
        { requiredKeys: ['conditions'] },
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map(made =>
      made.map((rule, index) => ({
        ...rule,
        name: `rule ${index}`,
        originalUrl: `https://example.com/${index}`,
      })),
    )
  const visits = fc.record({
    visitor: fc.oneof(
      fc.nat(255).map(last => `81.2.69.${last}`),
      fc.nat(0xffff).map(last => `2a02:2e0:${last.toString(16)}:1::7`),
      fc.nat(255).map(last => `7.7.7.${last}`),
    ),
    userAgent: fc.constantFrom('', ...Object.values(agents)),
    language: fc.constantFrom('', 'en-GB,en;q=0.9', 'de', 'en;q=0.3,fr', '*', ';q=x,'),
    query: fc.constantFrom('', 'a=1', 'a=x+y&utm_source=', 'utm_source=1&utm_source=%00', '%'),
    time: fc
      .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
      .map(date => date.toISOString()),
  })

  it('always agree', async () => {
    await fc.assert(
      fc.asyncProperty(
        rules,
        fc.array(visits, { minLength: 1, maxLength: 5 }),
        async (given, all) => {
          const link = await linnet.create({ dynamicRouting: { rules: given } })
          for (const said of all) {
            linnet.at(said.time)
            const expected = await simulate(link, said)
            const { location } = await linnet.visit(link, {
              ip: said.visitor,
              query: said.query && `?${said.query}`,
              headers: { 'user-agent': said.userAgent, 'accept-language': said.language },
            })
            expect(location).toBe(expected.originalUrl)
          }
        },
      ),
      tries(100),
    )
  })
})
