import { describe, expect, it } from 'vitest'
import { routingSchema } from '../../../../../../plugins/link/dynamic-routing/rules.ts'
import { routingOf } from '../../../../../../plugins/organization/imports/sources/shlink/rules.ts'

const longUrl = 'https://example.com/there'
const routed = (type: string, matchValue: string | null, matchKey: string | null = null) => {
  const changes: string[] = []
  const { dynamicRouting } = routingOf(
    [{ longUrl, conditions: [{ type, matchKey, matchValue }] }],
    changes,
  )
  return { dynamicRouting, changes }
}

describe('a condition of Shlink becomes one of dynamic routing', () => {
  it.each<[type: string, value: string | null, key: string | null, condition: object]>([
    ['device', 'android', null, { type: 'os', value: 'Android' }],
    ['device', 'ios', null, { type: 'os', value: 'iOS' }],
    ['device', 'mobile', null, { type: 'os', value: ['Android', 'iOS'] }],
    ['device', 'windows', null, { type: 'os', value: 'Windows' }],
    ['device', 'macos', null, { type: 'os', value: 'Mac OS' }],
    ['device', 'linux', null, { type: 'os', value: ['Linux', 'Ubuntu', 'Debian', 'Fedora'] }],
    ['device', 'chromeos', null, { type: 'os', value: 'Chrome OS' }],
    ['device', 'desktop', null, { type: 'device', value: 'desktop' }],
    ['browser', 'chrome', null, { type: 'browser', value: 'Chrome' }],
    ['browser', 'android_browser', null, { type: 'browser', value: 'Android Browser' }],
    ['language', 'en', null, { type: 'language', value: 'en' }],
    ['language', 'pt_BR', null, { type: 'language', value: 'pt-BR' }],
    ['query-param', 'x', 'a', { type: 'query_param', key: 'a', value: 'x' }],
    [
      'any-value-query-param',
      null,
      'a',
      { type: 'query_param', key: 'a', operator: 'exists', value: null },
    ],
    ['valueless-query-param', null, 'a', { type: 'query_param', key: 'a', value: '' }],
    ['ip-address', '192.0.2.7', null, { type: 'network', value: '192.0.2.7' }],
    ['ip-address', '192.0.2.0/24', null, { type: 'network', value: '192.0.2.0/24' }],
    ['ip-address', '192.0.*.*', null, { type: 'network', value: '192.0.0.0/16' }],
    ['ip-address', '192.0.2.*', null, { type: 'network', value: '192.0.2.0/24' }],
    ['geolocation-country-code', 'de', null, { type: 'country', value: 'DE' }],
    ['geolocation-city-name', 'São Paulo', null, { type: 'city', value: 'São Paulo' }],
    [
      'before-date',
      '2026-12-01T00:00:00+01:00',
      null,
      {
        type: 'time',
        operator: 'between',
        value: ['1970-01-01T00:00:00.000Z', '2026-11-30T23:00:00.000Z'],
      },
    ],
    [
      'after-date',
      '2026-12-01T00:00:00+00:00',
      null,
      {
        type: 'time',
        operator: 'between',
        value: ['2026-12-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z'],
      },
    ],
  ])('%s %s %s', (type, value, key, condition) => {
    const { dynamicRouting, changes } = routed(type, value, key)
    expect(changes).toEqual([])
    const read = routingSchema.parse(dynamicRouting)
    expect(read.rules).toEqual([
      {
        ...read.rules[0],
        originalUrl: longUrl,
        conditions: [{ operator: 'is', key: null, ...condition }],
      },
    ])
  })
})

it.each([
  ['device', 'toaster'],
  ['browser', 'netscape'],
  ['language', '*'],
  ['query-param', 'x'],
  ['ip-address', '10.*.1.2'],
  ['ip-address', '1.2.*'],
  ['ip-address', '999.1.1.1'],
  ['geolocation-country-code', 'Germany'],
  ['geolocation-city-name', ''],
  ['before-date', 'soon'],
  ['moon-phase', 'full'],
])('a rule with %s %s is left out, since without it, it would be met by more', (type, value) => {
  const { dynamicRouting, changes } = routed(type, value)
  expect(dynamicRouting).toBeUndefined()
  expect(changes).toEqual([
    `The rule that leads to ${longUrl} is left out: nothing here is as its condition ${`${type} ${value}`.trim()}.`,
  ])
})

it('keeps to the limits of dynamic routing', () => {
  const changes: string[] = []
  const condition = { type: 'language', matchKey: null, matchValue: 'en' }
  const many = Array.from({ length: 51 }, () => ({ longUrl, conditions: [condition] }))
  const { dynamicRouting } = routingOf(
    [{ longUrl, conditions: Array(11).fill(condition) }, ...many],
    changes,
  )
  expect(routingSchema.parse(dynamicRouting).rules).toHaveLength(50)
  expect(changes).toEqual([
    `The rule that leads to ${longUrl} is left out: it has more than 10 conditions.`,
    'The link has 51 rules, of which the first 50 come along.',
  ])
})
