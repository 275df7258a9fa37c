import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import dynamicRouting from '../../../plugins/link/dynamic-routing.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'
import { mmdbFile } from '../../mmdb.ts'
import { agents } from '../analytics/agents.ts'

let linnet: Harness

beforeEach(async () => {
  const networks = {
    '81.2.69.0/24': { country: { iso_code: 'GB' } },
    '81.2.70.0/24': {
      city: { names: { en: 'Springfield' } },
      country: { iso_code: 'US' },
      subdivisions: [{ names: { en: 'Illinois' } }],
    },
    '81.2.71.0/24': { city: { names: { en: 'São Paulo' } }, country: { iso_code: 'BR' } },
  }
  const geoipFile = mmdbFile(networks, { type: 'GeoLite2-City' })
  linnet = await boot(dynamicRouting, { geoipFile })
})
afterEach(() => linnet.stop())

const own = 'https://example.com/'
const there = 'https://example.com/there'

const rule = (conditions: readonly object[], more: object = {}) => ({
  name: 'rule',
  original_url: there,
  conditions,
  ...more,
})

const make = (rules: unknown) =>
  linnet.api('POST', '/links', { original_url: own, dynamic_routing: { rules } })

async function linkWith(...rules: readonly object[]): Promise<ShownLink> {
  const { status, body } = await make(rules)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body.data
}

describe('a condition', () => {
  type Visit = Parameters<Harness['visit']>[1]
  const by = (agent: string): Visit => ({ headers: { 'user-agent': agent } })
  const speaking = (language: string): Visit => ({ headers: { 'accept-language': language } })
  const city = (value: unknown) => ({ type: 'city', operator: 'is', value })
  const network = (value: unknown) => ({ type: 'network', operator: 'is', value })
  const daily = { type: 'time', operator: 'between', value: '22:00-06:00' }
  const berlin = { type: 'time', operator: 'between', value: '13:00-13:01 Europe/Berlin' }
  const once = {
    type: 'time',
    operator: 'between',
    value: ['2026-11-20T12:00:00Z', '2026-11-20T14:00:00+01:00'],
  }
  const no = (condition: object) => ({ ...condition, operator: 'not_between' })

  it.each<[condition: object, fits: boolean, visit: Visit, at?: string]>([
    [{ type: 'device', operator: 'is', value: 'desktop' }, true, by(agents.firefoxOnLinux)],
    [{ type: 'device', operator: 'is', value: 'mobile' }, false, by(agents.firefoxOnLinux)],
    [
      { type: 'device', operator: 'is', value: ['mobile', 'desktop'] },
      true,
      by(agents.firefoxOnLinux),
    ],
    [{ type: 'device', operator: 'is_not', value: 'mobile' }, true, by(agents.firefoxOnLinux)],
    [{ type: 'device', operator: 'is', value: 'desktop' }, false, {}],
    [{ type: 'device', operator: 'is_not', value: 'desktop' }, true, {}],
    [{ type: 'os', operator: 'is', value: 'linux' }, true, by(agents.firefoxOnLinux)],
    [{ type: 'os', operator: 'is_not', value: ['Linux', 'iOS'] }, false, by(agents.firefoxOnLinux)],
    [{ type: 'browser', operator: 'is', value: 'FIREFOX' }, true, by(agents.firefoxOnLinux)],
    [{ type: 'browser', operator: 'is', value: 'Safari' }, true, by(agents.safariOnIphone)],
    // As it calls itself.
    [{ type: 'browser', operator: 'is', value: 'Mobile Safari' }, true, by(agents.safariOnIphone)],
    [{ type: 'browser', operator: 'is', value: 'Mobile Safari' }, false, by(agents.safariOnMac)],
    [{ type: 'browser', operator: 'is', value: 'Fire' }, false, by(agents.firefoxOnLinux)],
    [{ type: 'country', operator: 'is', value: 'gb' }, true, { ip: '81.2.69.142' }],
    [{ type: 'country', operator: 'is', value: ['DE', 'GB'] }, true, { ip: '81.2.69.142' }],
    [{ type: 'country', operator: 'is_not', value: 'GB' }, false, { ip: '81.2.69.142' }],
    [{ type: 'country', operator: 'is', value: 'GB' }, false, { ip: '7.7.7.7' }],
    [{ type: 'country', operator: 'is_not', value: 'GB' }, true, { ip: '7.7.7.7' }],
    [city('Springfield'), true, { ip: '81.2.70.7' }],
    [city(' springFIELD '), true, { ip: '81.2.70.7' }],
    [city('US|Illinois|Springfield'), true, { ip: '81.2.70.7' }],
    [city('us|illinois|springfield'), true, { ip: '81.2.70.7' }],
    [city('US||Springfield'), true, { ip: '81.2.70.7' }],
    [city('|Illinois|Springfield'), true, { ip: '81.2.70.7' }],
    [city('US|Oregon|Springfield'), false, { ip: '81.2.70.7' }],
    [city('CA||Springfield'), false, { ip: '81.2.70.7' }],
    [city('Spring'), false, { ip: '81.2.70.7' }],
    [city('Illinois'), false, { ip: '81.2.70.7' }],
    [city(['Munich', 'sao paulo']), true, { ip: '81.2.71.7' }],
    [city('SÃO PAULO'), true, { ip: '81.2.71.7' }],
    [city('BR||São Paulo'), true, { ip: '81.2.71.7' }],
    [city('Springfield'), false, { ip: '81.2.69.7' }],
    [{ ...city('Springfield'), operator: 'is_not' }, true, { ip: '81.2.69.7' }],
    [{ ...city('Springfield'), operator: 'is_not' }, false, { ip: '81.2.70.7' }],
    [network('192.0.2.0/24'), true, { ip: '192.0.2.255' }],
    [network('192.0.2.0/24'), false, { ip: '192.0.3.1' }],
    [network('192.0.2.7'), true, { ip: '192.0.2.7' }],
    [network('192.0.2.7/24'), true, { ip: '192.0.2.1' }],
    [network(['10.0.0.0/8', '2001:db8::/32']), true, { ip: '2001:db8:1::1' }],
    [network('2001:db8::/32'), false, { ip: '2001:db9::1' }],
    [network('192.0.2.0/24'), true, { ip: '::ffff:192.0.2.1' }],
    [network('::/0'), false, { ip: '192.0.2.1' }],
    [{ ...network('192.0.2.0/24'), operator: 'is_not' }, false, { ip: '192.0.2.1' }],
    [{ ...network('192.0.2.0/24'), operator: 'is_not' }, true, { ip: '192.0.3.1' }],
    [{ type: 'language', operator: 'is', value: 'en' }, true, speaking('en-GB,en;q=0.9')],
    [{ type: 'language', operator: 'is', value: 'en-GB' }, true, speaking('EN-gb')],
    [{ type: 'language', operator: 'is', value: 'en-GB' }, false, speaking('en')],
    [{ type: 'language', operator: 'is', value: 'de' }, false, speaking('den')],
    [{ type: 'language', operator: 'is', value: 'fr' }, true, speaking('en;q=0.5, fr;q=0.8')],
    [{ type: 'language', operator: 'is', value: 'en' }, false, speaking('en;q=0.5, fr;q=0.8')],
    [{ type: 'language', operator: 'is_not', value: 'fr' }, true, {}],
    [{ type: 'query_param', operator: 'is', key: 'ref', value: 'a' }, true, { query: '?ref=a' }],
    [{ type: 'query_param', operator: 'is', key: 'ref', value: 'a' }, false, { query: '?ref=A' }],
    [
      { type: 'query_param', operator: 'is', key: 'ref', value: ['a', 'b'] },
      true,
      { query: '?ref=x&ref=b' },
    ],
    [{ type: 'query_param', operator: 'is', key: 'ref', value: '' }, true, { query: '?ref' }],
    [{ type: 'query_param', operator: 'is_not', key: 'ref', value: 'a' }, true, {}],
    [
      { type: 'query_param', operator: 'is_not', key: 'ref', value: 'a' },
      false,
      { query: '?ref=a' },
    ],
    [{ type: 'query_param', operator: 'exists', key: 'ref' }, true, { query: '?ref=' }],
    [{ type: 'query_param', operator: 'exists', key: 'ref' }, false, { query: '?Ref=' }],
    [{ type: 'query_param', operator: 'not_exists', key: 'ref' }, true, {}],
    [daily, true, {}, '2026-11-20T22:00:00Z'],
    [daily, true, {}, '2026-11-20T05:59:59.999Z'],
    [daily, false, {}, '2026-11-20T06:00:00Z'],
    [daily, false, {}, '2026-11-20T21:59:59Z'],
    [no(daily), true, {}, '2026-11-20T12:00:00Z'],
    [berlin, true, {}, '2026-11-20T12:00:30Z'],
    [berlin, true, {}, '2026-07-20T11:00:30Z'],
    [berlin, false, {}, '2026-07-20T12:00:30Z'],
    [once, true, {}, '2026-11-20T12:00:00Z'],
    [once, false, {}, '2026-11-20T13:00:00Z'],
    [once, false, {}, '2026-11-20T11:59:59.999Z'],
    [no(once), true, {}, '2026-11-20T13:00:00Z'],
  ])('%j fits: %s, on %j %s', async (condition, fits, visit, at) => {
    if (at) linnet.at(at)
    const link = await linkWith(rule([condition]))
    const headers = visit?.headers ?? {}
    expect(await linnet.visit(link, { ...visit, headers })).toMatchObject({
      status: 302,
      location: fits ? there : own,
    })
  })
})

describe('rules', () => {
  const linux = { type: 'os', operator: 'is', value: 'Linux' }
  const german = { type: 'language', operator: 'is', value: 'de' }
  const onLinux = { 'user-agent': agents.firefoxOnLinux }
  const to = (name: string) => `https://example.com/${name}`

  it('fit when all of their conditions hold', async () => {
    const link = await linkWith(rule([linux, german]))
    const inGerman = { ...onLinux, 'accept-language': 'de-AT' }
    expect((await linnet.visit(link, { headers: onLinux })).location).toBe(own)
    expect((await linnet.visit(link, { headers: inGerman })).location).toBe(there)
  })

  it('are asked in their order, and the first that fits wins', async () => {
    const link = await linkWith(
      rule([german], { original_url: to('german') }),
      rule([linux], { original_url: to('linux') }),
      rule([], { original_url: to('rest') }),
      rule([linux], { original_url: to('never') }),
    )
    const both = { ...onLinux, 'accept-language': 'de' }
    expect((await linnet.visit(link, { headers: both })).location).toBe(to('german'))
    expect((await linnet.visit(link, { headers: onLinux })).location).toBe(to('linux'))
    expect((await linnet.visit(link)).location).toBe(to('rest'))
  })

  it('show in the link as they were given, with nothing left out, and can be sent back', async () => {
    const link = await linkWith(
      rule([linux, { type: 'query_param', operator: 'exists', key: 'a' }]),
    )
    const shown = {
      rules: [
        {
          name: 'rule',
          originalUrl: there,
          weight: null,
          conditions: [
            { type: 'os', operator: 'is', key: null, value: 'Linux' },
            { type: 'query_param', operator: 'exists', key: 'a', value: null },
          ],
        },
      ],
    }
    expect(link.dynamicRouting).toEqual(shown)
    const again = await linnet.api('PATCH', `/links/${link.id}`, { dynamicRouting: shown })
    expect(again.body.data.dynamicRouting).toEqual(shown)
    expect((await linnet.create()).dynamicRouting).toBeNull()
  })

  it('change at once, and go with null', async () => {
    const link = await linkWith(rule([]))
    expect((await linnet.visit(link)).location).toBe(there)
    const change = (dynamic_routing: unknown) =>
      linnet.api('PATCH', `/links/${link.id}`, { dynamic_routing })
    await change({ rules: [rule([], { original_url: to('elsewhere') })] })
    expect((await linnet.visit(link)).location).toBe(to('elsewhere'))
    await change(null)
    expect((await linnet.visit(link)).location).toBe(own)
    expect(linnet.app.cache.get(link.shortCode)?.redirect).toBeDefined()
  })

  it('also send who only asks for the headers', async () => {
    const link = await linkWith(rule([]))
    expect(await linnet.visit(link, { method: 'HEAD' })).toMatchObject({ location: there })
  })

  it('need the plan, but not to be followed or taken away', async () => {
    const link = await linkWith(rule([]))
    await linnet.api('PATCH', '/admin/plans/unlimited', { link: { dynamicRouting: false } })
    expect(await make([rule([])])).toMatchObject({ status: 403 })
    expect((await linnet.visit(link)).location).toBe(there)
    const change = { dynamic_routing: null }
    expect(await linnet.api('PATCH', `/links/${link.id}`, change)).toMatchObject({ status: 200 })
  })
})

describe('what is wrong with rules', () => {
  const os = { type: 'os', operator: 'is', value: 'Linux' }
  const condition = (it: object) => [rule([]), rule([]), rule([{ ...os, ...it }])]
  const at = 'rules[2].conditions[0]'

  it.each([
    [
      { type: 'city', value: 'US|Springfield' },
      'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield.',
    ],
    [
      { type: 'city', value: 5 },
      'Enter a city by its English name, such as Munich, or as US|Illinois|Springfield, or a list of them.',
    ],
    [
      { type: 'network', value: '192.0.2.0/33' },
      'Enter an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.',
    ],
    [
      { type: 'network', value: null },
      'Enter an address or a network, such as 192.0.2.0/24 or 2001:db8::/32, or a list of them.',
    ],
    [
      { type: 'weather' },
      'Must be one of: device, os, browser, country, city, network, language, query_param, time.',
    ],
  ])('is told in plain words what is wrong with %j', async (it, sentence) => {
    const { body } = await make(condition(it))
    expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([sentence])
  })

  it('is told in plain words what an empty condition lacks', async () => {
    const { body } = await make(condition({ value: [] }))
    expect(body.errors[0].message).toBe('Enter at least one value.')
  })

  it.each<[field: string, rules: unknown]>([
    ['rules', 'none'],
    ['rules', []],
    ['rules', Array(51).fill(rule([]))],
    ['rules[0]', [5]],
    ['rules[0].name', [rule([], { name: '' })]],
    ['rules[1].original_url', [rule([]), rule([], { original_url: 'javascript:alert(1)' })]],
    ['rules[1].original_url', [rule([]), rule([], { original_url: 'https://a:b@example.com/' })]],
    ['rules[1].original_url', [rule([]), rule([], { original_url: 'https://go.example.org/x' })]],
    ['rules[0].weight', [rule([], { weight: 0 })]],
    ['rules[0].weight', [rule([], { weight: 101 })]],
    ['rules[0].weight', [rule([], { weight: 1.5 })]],
    ['rules[2].weight', [50, 50, 1].map(weight => rule([], { weight }))],
    ['rules[0].extra', [rule([], { extra: 1 })]],
    ['rules[0].conditions', [rule(Array(11).fill(os))]],
    [`${at}.type`, condition({ type: 'weather' })],
    [`${at}.operator`, condition({ operator: 'exists' })],
    [`${at}.key`, condition({ key: 'os' })],
    [`${at}.value`, condition({ value: '' })],
    [`${at}.value`, condition({ value: [] })],
    [`${at}.value`, condition({ value: 5 })],
    [`${at}.value`, condition({ value: null })],
    [`${at}.value`, condition({ value: Array(51).fill('Linux') })],
    [`${at}.value`, condition({ type: 'device', value: 'toaster' })],
    [`${at}.value`, condition({ type: 'country', value: 'Germany' })],
    [`${at}.value`, condition({ type: 'city', value: '' })],
    [`${at}.value`, condition({ type: 'city', value: 'Springfield|' })],
    [`${at}.value`, condition({ type: 'city', value: 'US|Springfield' })],
    [`${at}.value`, condition({ type: 'city', value: 'US|Illinois|' })],
    [`${at}.value`, condition({ type: 'city', value: 'USA|Illinois|Springfield' })],
    [`${at}.value`, condition({ type: 'city', value: 'US|Illinois|Springfield|North' })],
    [`${at}.value`, condition({ type: 'city', value: 'x'.repeat(201) })],
    [`${at}.value`, condition({ type: 'city', value: ['Munich', 5] })],
    [`${at}.operator`, condition({ type: 'city', operator: 'exists', value: 'Munich' })],
    [`${at}.value`, condition({ type: 'network', value: '' })],
    [`${at}.value`, condition({ type: 'network', value: 'office' })],
    [`${at}.value`, condition({ type: 'network', value: '192.0.2.0/33' })],
    [`${at}.value`, condition({ type: 'network', value: '2001:db8::/129' })],
    [`${at}.value`, condition({ type: 'network', value: '192.0.2.1-192.0.2.9' })],
    [`${at}.value[1]`, condition({ type: 'network', value: ['192.0.2.0/24', '192.0.2'] })],
    [`${at}.value`, condition({ type: 'network', value: Array(51).fill('192.0.2.1') })],
    [`${at}.key`, condition({ type: 'network', key: 'a', value: '192.0.2.1' })],
    [`${at}.value`, condition({ type: 'language', value: 'e' })],
    [`${at}.value`, condition({ type: 'time', operator: 'between', value: 'noon' })],
    [`${at}.value`, condition({ type: 'time', operator: 'between', value: '24:00-06:00' })],
    [`${at}.value`, condition({ type: 'time', operator: 'between', value: '06:00-06:00' })],
    [
      `${at}.value`,
      condition({ type: 'time', operator: 'between', value: '06:00-07:00 Mars/Olympus' }),
    ],
    [
      `${at}.value`,
      condition({
        type: 'time',
        operator: 'between',
        value: ['2026-11-21T00:00:00Z', '2026-11-20T00:00:00Z'],
      }),
    ],
    [`${at}.key`, condition({ type: 'query_param', operator: 'exists', value: null })],
    [`${at}.value`, condition({ type: 'query_param', operator: 'exists', key: 'a', value: 'b' })],
    [`${at}.operator`, condition({ type: 'query_param', operator: 'like', key: 'a', value: 'b' })],
  ])('is named: %s', async (field, rules) => {
    const { status, body } = await make(rules)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field: `dynamic_routing.${field}` }])
    expect(body.errors[0].message).toMatch(/^[A-Z].{5,}\.$/)
    expect((await linnet.api('GET', '/links')).body.data).toEqual([])
  })

  it('is said all at once', async () => {
    const { body } = await make([
      rule(
        [
          { ...os, operator: 'like' },
          { ...os, value: '' },
        ],
        { name: '' },
      ),
    ])
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'dynamic_routing.rules[0].name',
      'dynamic_routing.rules[0].conditions[0].operator',
      'dynamic_routing.rules[0].conditions[1].value',
    ])
  })
})
