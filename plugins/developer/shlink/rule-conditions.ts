import type { Json } from '../../../core/plugin.ts'

/** A condition of a rule of Shlink. */
export interface Condition {
  readonly type: string
  readonly matchKey: string | null
  readonly matchValue: string | null
}

type Own = Readonly<Record<string, Json>>

/** Devices of Shlink, as conditions of Linnet: some are kinds of devices here, others systems. */
const devices: Readonly<Record<string, Own>> = {
  android: { type: 'os', value: 'Android' },
  ios: { type: 'os', value: 'iOS' },
  windows: { type: 'os', value: 'Windows' },
  macos: { type: 'os', value: 'Mac OS' },
  linux: { type: 'os', value: 'Linux' },
  chromeos: { type: 'os', value: 'Chrome OS' },
  mobile: { type: 'device', value: 'mobile' },
  desktop: { type: 'device', value: 'desktop' },
}

const browsers: Readonly<Record<string, string>> = {
  chrome: 'Chrome',
  firefox: 'Firefox',
  edge: 'Edge',
  safari: 'Safari',
  opera: 'Opera',
  android_browser: 'Android Browser',
}

/** Conditions whose value is the same on both sides. */
const sameValues: Readonly<Record<string, string>> = {
  language: 'language',
  'geolocation-country-code': 'country',
  'geolocation-city-name': 'city',
}

const [beginning, end] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z']

/** A condition of Shlink as one of Linnet, or why it has none: a sentence. */
export function ownCondition({
  type,
  matchKey,
  matchValue,
}: {
  readonly type: string
  readonly matchKey?: string | null | undefined
  readonly matchValue?: string | null | undefined
}): Own | string {
  const value = matchValue ?? ''
  const is = { operator: 'is' }
  const same = Object.hasOwn(sameValues, type) ? sameValues[type] : undefined
  if (same !== undefined) return { type: same, ...is, value }
  const parameter = { type: 'query_param', key: matchKey ?? '' }
  switch (type) {
    case 'device':
      return Object.hasOwn(devices, value)
        ? { ...devices[value], ...is }
        : `There is no device ${value}.`
    case 'browser':
      return Object.hasOwn(browsers, value)
        ? { type, ...is, value: browsers[value] ?? '' }
        : `There is no browser ${value}.`
    case 'query-param':
      return { ...parameter, ...is, value }
    case 'any-value-query-param':
      return { ...parameter, operator: 'exists' }
    case 'valueless-query-param':
      return { ...parameter, ...is, value: '' }
    case 'ip-address':
      return { type: 'network', ...is, value: networkOf(value) }
    case 'before-date':
      return { type: 'time', operator: 'between', value: [beginning, value] }
    case 'after-date':
      return { type: 'time', operator: 'between', value: [value, end] }
    default:
      return `There is no condition ${type}.`
  }
}

/** Shlink writes `1.2.*.*` for `1.2.0.0/16`. Stars in other places stay, and are refused as no network. */
function networkOf(value: string): string {
  const stars = /^(?:\d{1,3}\.){1,3}(\*(?:\.\*){0,2})$/.exec(value)?.[1]?.split('.').length
  return stars !== undefined && value.split('.').length === 4
    ? `${value.replaceAll('*', '0')}/${32 - 8 * stars}`
    : value
}

/** A condition of Linnet as those of Shlink of which one has to be met; undefined if it has no words for it. */
export function conditionsOf({
  type,
  operator,
  key,
  value,
}: Own): readonly Condition[] | undefined {
  const parameter = (type: string, matchValue: string | null) => [
    { type, matchKey: `${key}`, matchValue },
  ]
  if (type === 'query_param' && operator === 'exists')
    return parameter('any-value-query-param', null)
  if (type === 'time') return operator === 'between' ? dateOf(value) : undefined
  if (operator !== 'is') return undefined
  const all = [value]
    .flat()
    .map(one => (typeof one === 'string' ? isOne(`${type}`, one, key) : undefined))
  return all.every(it => it !== undefined) ? all : undefined
}

function isOne(type: string, value: string, key: Json | undefined): Condition | undefined {
  const plain = (type: string, matchValue = value) => ({ type, matchKey: null, matchValue })
  if (type === 'query_param') {
    return value === ''
      ? { type: 'valueless-query-param', matchKey: `${key}`, matchValue: null }
      : { type: 'query-param', matchKey: `${key}`, matchValue: value }
  }
  if (type === 'network') return plain('ip-address')
  const same = Object.entries(sameValues).find(([, ours]) => ours === type)
  if (same) return plain(same[0])
  if (type === 'browser') {
    const found = Object.entries(browsers).find(([, ours]) => isSame(ours, value))
    return found && plain('browser', found[0])
  }
  const device = Object.entries(devices).find(
    ([, it]) => it.type === type && isSame(`${it.value}`, value),
  )
  return device && plain('device', device[0])
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Only a beginning or only an end. */
function dateOf(value: Json | undefined): readonly Condition[] | undefined {
  const [from, to] = Array.isArray(value) ? value : []
  const date = (type: string, matchValue: Json | undefined) => [
    { type, matchKey: null, matchValue: `${matchValue}` },
  ]
  if (typeof from !== 'string' || typeof to !== 'string') return undefined
  if (from.startsWith('0001-')) return date('before-date', to)
  return to.startsWith('9999-') ? date('after-date', from) : undefined
}
