import { type PageLanguage, wordsOf } from './words.ts'

/** Returns the name of a value of a dimension. */
export type NameValue = (
  dimension: string,
  row: { readonly value: string; readonly label: string },
) => string

/** Names values in a language. The labels of rows are in English. */
export function namesIn(language: PageLanguage): NameValue {
  const { none, other, devices } = wordsOf(language)
  const regions = new Intl.DisplayNames(language, { type: 'region' })
  const tongues = new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' })
  const countryOf = (city: string) => regions.of(city.split('|')[0] ?? '') ?? ''
  const names: Readonly<Record<string, (value: string, label: string) => string | undefined>> = {
    visitsByCountry: code => regions.of(code),
    visitsByLanguage: tag => tongues.of(tag),
    visitsByCity: (value, label) =>
      [...label.split(', ').slice(0, -1), countryOf(value)].join(', '),
    visitsByDeviceType: device => devices[device],
  }
  return (dimension, { value, label }) => {
    if (language === 'en') return label
    if (value === '(none)') return none[label] ?? label
    if (value === '(other)') return other
    try {
      return names[dimension]?.(value, label) ?? label
    } catch {
      // Another plugin may count something else under this name.
      return label
    }
  }
}
