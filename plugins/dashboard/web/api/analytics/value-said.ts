import { language, locale } from '../../language/language.ts'
import { said } from '../client/said.ts'

const regions = new Intl.DisplayNames(locale, { type: 'region' })
const tongues = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' })

/** Dimensions whose values have names in every language; those of others are what somebody called them. */
const names: Readonly<Record<string, (value: string, label: string) => string>> = {
  visitsByCountry: code => regions.of(code) ?? code,
  visitsByLanguage: tag => tongues.of(tag) ?? tag,
  visitsByCity: (value, label) => [...label.split(', ').slice(0, -1), countryOf(value)].join(', '),
  visitsByDeviceType: (_, label) => said(label),
}

/** Stands for the visits that a dimension has no value of. */
export const noValue = '(none)'

/** Stands for values past those that are counted by themselves. */
const otherValue = '(other)'

/** What a value of a dimension is called in the language in use; the server calls it so in English. */
export function valueSaid(dimension: string, value: string, label: string): string {
  if (language === 'en') return label
  if (value === noValue || value === otherValue) return said(label)
  try {
    return names[dimension]?.(value, label) ?? label
  } catch {
    // A plugin of a stranger counts something else under this name.
    return label
  }
}

function countryOf(city: string): string {
  return regions.of(city.split('|')[0] ?? '') ?? ''
}
