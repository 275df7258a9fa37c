import type { Json } from '../../../../core/plugin.ts'
import { quoted } from './texts.ts'

/** Who is sent elsewhere, as other programs have it. */
export interface Elsewhere {
  readonly ios?: string | null | undefined
  readonly ipad?: string | null | undefined
  readonly android?: string | null | undefined
  readonly desktop?: string | null | undefined
  /** URLs by country. */
  readonly countries?: Readonly<Record<string, string>> | null | undefined
  /** Shares of all others, in per cent. */
  readonly split?: readonly { readonly url: string; readonly weight: number }[]
}

const maxRules = 50
const maxValues = 50

/** The same as routing rules of a link: devices first, then countries, then shares. Nothing if nobody is sent elsewhere. */
export function routingOf(
  elsewhere: Elsewhere,
  changes: string[],
): { readonly dynamicRouting?: Json } {
  const { ios, ipad, android, desktop, countries, split = [] } = elsewhere
  const rules = [
    ...(ipad ? [rule('iPad', ipad, [is('os', 'iOS'), is('device', 'tablet')])] : []),
    ...(ios ? [rule('iOS', ios, [is('os', 'iOS')])] : []),
    ...(android ? [rule('Android', android, [is('os', 'Android')])] : []),
    ...(desktop ? [rule('Desktop', desktop, [is('device', 'desktop')])] : []),
    ...countryRules(countries ?? {}, changes),
    ...split.map(({ url, weight }, index) => ({
      ...rule(`Side ${'ABCDEFGHIJ'[index] ?? index + 1}`, url, []),
      weight: Math.round(weight),
    })),
  ]
  if (rules.length > maxRules) {
    changes.push(`The link has ${rules.length} rules, of which the first ${maxRules} come along.`)
  }
  return rules.length > 0 ? { dynamicRouting: { rules: rules.slice(0, maxRules) } } : {}
}

/** Countries that lead to the same URL have one rule. */
function countryRules(countries: Readonly<Record<string, string>>, changes: string[]) {
  const known = Object.entries(countries).filter(([country, url]) => {
    const isKnown = /^[a-z]{2}$/i.test(country) && url !== ''
    if (!isKnown) changes.push(`The rule for the country ${quoted(country)} does not come along.`)
    return isKnown
  })
  return [...Map.groupBy(known, ([, url]) => url)].flatMap(([url, all]) => {
    const names = all.map(([country]) => country.toUpperCase())
    const parts = Array.from({ length: Math.ceil(names.length / maxValues) }, (_, index) =>
      names.slice(index * maxValues, (index + 1) * maxValues),
    )
    return parts.map(part => rule(nameOf(part), url, [is('country', part)]))
  })
}

function nameOf(countries: readonly string[]): string {
  const [first, ...others] = countries
  return others.length > 4 ? `${first} and ${others.length} more` : countries.join(', ')
}

function rule(name: string, originalUrl: string, conditions: readonly Json[]) {
  return { name, originalUrl, conditions }
}

function is(type: string, value: Json): Json {
  return { type, operator: 'is', value }
}
