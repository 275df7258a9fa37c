import { language, locale } from '../../language/language.ts'
import { said } from '../client/said.ts'

const regions = new Intl.DisplayNames(locale, { type: 'region' })
const tongues = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' })

/** Dimensions whose values have names in every language. Values of other dimensions are names that people chose. */
const names: Readonly<Record<string, (value: string, label: string) => string>> = {
  visitsByCountry: code => regions.of(code) ?? code,
  visitsByLanguage: tag => tongues.of(tag) ?? tag,
  visitsByCity: (value, label) => [...label.split(', ').slice(0, -1), countryOf(value)].join(', '),
  visitsByDeviceType: (_, label) => said(label),
}

/** Stands for visits that have no value in a dimension. */
export const noValue = '(none)'

/** Stands for the values beyond those that are counted separately. */
const otherValue = '(other)'

/** The label of a value in the current language; `label` is the server's, in English. */
export function valueSaid(dimension: string, value: string, label: string): string {
  if (language === 'en') return label
  if (value === noValue || value === otherValue) return said(label)
  try {
    return names[dimension]?.(value, label) ?? label
  } catch {
    // A plugin that we do not know uses this name for something else.
    return label
  }
}

function countryOf(city: string): string {
  return regions.of(city.split('|')[0] ?? '') ?? ''
}
