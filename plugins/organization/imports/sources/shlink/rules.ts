import { type Json, networkSchema } from '../../../../../core/plugin.ts'
import { oneLine } from '../../reading/texts.ts'

/** A condition, with the names that Shlink gives them. */
export interface ShlinkCondition {
  readonly type: string
  readonly matchKey: string | null
  readonly matchValue: string | null
}

/** A rule, of which all conditions must be met. */
export interface ShlinkRule {
  readonly longUrl: string
  readonly conditions: readonly ShlinkCondition[]
}

type Condition = Readonly<Record<string, Json>>

const maxRules = 50
const maxConditions = 10
const maxNameChars = 100

/**
 * The routing rules of a link for the rules of Shlink, in their order. A rule with a condition that has no equal here is left out,
 * and `changes` says so: without it, the rule would send more visitors elsewhere.
 */
export function routingOf(
  rules: readonly ShlinkRule[],
  changes: string[],
): { readonly dynamicRouting?: Json } {
  const known = rules.flatMap((rule, index) => {
    const made = ruleOf(rule, index + 1)
    if (typeof made !== 'string') return [made]
    changes.push(
      `The rule that leads to ${oneLine(rule.longUrl).slice(0, 200)} is left out: ${made}.`,
    )
    return []
  })
  if (known.length > maxRules) {
    changes.push(`The link has ${known.length} rules, of which the first ${maxRules} come along.`)
  }
  return known.length > 0 ? { dynamicRouting: { rules: known.slice(0, maxRules) } } : {}
}

/** The rule, or why there is none. */
function ruleOf({ longUrl, conditions }: ShlinkRule, number: number): Json | string {
  // Shlink never follows one.
  if (conditions.length === 0) return 'it has no conditions'
  if (conditions.length > maxConditions) return `it has more than ${maxConditions} conditions`
  const made: Condition[] = []
  for (const condition of conditions) {
    const one = conditionOf(condition)
    if (!one) return `nothing here is as its condition ${nameOf(condition)}`
    made.push(one)
  }
  const name = conditions.map(nameOf).join(', ')
  return {
    name: oneLine(`${number}: ${name}`).slice(0, maxNameChars).toWellFormed(),
    originalUrl: longUrl,
    conditions: made,
  }
}

/** What people recognise a condition by. */
function nameOf({ type, matchKey, matchValue }: ShlinkCondition): string {
  const value = [matchKey, matchValue].filter(it => it !== null && it !== '').join('=')
  return oneLine(`${type} ${value}`).slice(0, maxNameChars)
}

/** What Shlink takes for a device is a system, or a kind of devices. */
const devices: Readonly<Record<string, Condition>> = {
  android: is('os', 'Android'),
  ios: is('os', 'iOS'),
  mobile: is('os', ['Android', 'iOS']),
  windows: is('os', 'Windows'),
  macos: is('os', 'Mac OS'),
  linux: is('os', ['Linux', 'Ubuntu', 'Debian', 'Fedora']),
  chromeos: is('os', 'Chrome OS'),
  desktop: is('device', 'desktop'),
}

const browsers: Readonly<Record<string, string>> = {
  chrome: 'Chrome',
  firefox: 'Firefox',
  edge: 'Edge',
  safari: 'Safari',
  opera: 'Opera',
  android_browser: 'Android Browser',
}

const [firstMoment, lastMoment] = ['1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z']

function conditionOf({ type, matchKey, matchValue }: ShlinkCondition): Condition | undefined {
  const value = matchValue ?? ''
  switch (type) {
    case 'device':
      return devices[value]
    case 'browser':
      return browsers[value] === undefined ? undefined : is('browser', browsers[value])
    case 'language':
      return /^[a-z]{2,3}([-_][a-z\d]{1,8})*$/i.test(value)
        ? is('language', value.replaceAll('_', '-'))
        : undefined
    case 'query-param':
      return parameter(matchKey, 'is', value)
    // Without `=`, a parameter is empty.
    case 'valueless-query-param':
      return parameter(matchKey ?? matchValue, 'is', '')
    case 'any-value-query-param':
      return parameter(matchKey ?? matchValue, 'exists', null)
    case 'ip-address': {
      const network = networkOf(value)
      return network === undefined ? undefined : is('network', network)
    }
    case 'geolocation-country-code':
      return /^[a-z]{2}$/i.test(value) ? is('country', value.toUpperCase()) : undefined
    case 'geolocation-city-name':
      return value === '' || value.length > 200 || value.includes('|')
        ? undefined
        : is('city', value)
    case 'before-date':
      return between(firstMoment, value)
    case 'after-date':
      return between(value, lastMoment)
    default:
      return undefined
  }
}

function is(type: string, value: Json): Condition {
  return { type, operator: 'is', value }
}

function parameter(
  key: string | null,
  operator: string,
  value: string | null,
): Condition | undefined {
  const isOne =
    key !== null && key.trim() !== '' && key.length <= 100 && (value ?? '').length <= 500
  return isOne ? { type: 'query_param', operator, key, value } : undefined
}

/** An address, a network such as `192.0.2.0/24`, or one with stars such as `192.0.*.*`, which have to stand at its end. */
function networkOf(value: string): string | undefined {
  const [, start, stars] = /^((?:\d{1,3}\.){1,3})(\*(?:\.\*)*)$/.exec(value) ?? []
  const zeros = stars?.split('.').map(() => '0') ?? []
  const network =
    start === undefined ? value : `${start}${zeros.join('.')}/${32 - 8 * zeros.length}`
  return networkSchema().safeParse(network).success ? network : undefined
}

/** The beginning is included, the end is not. */
function between(from: string, to: string): Condition | undefined {
  const [start, end] = [new Date(from), new Date(to)]
  if (!(start < end)) return undefined
  return { type: 'time', operator: 'between', value: [start.toISOString(), end.toISOString()] }
}
