import { locale } from '../../../language/language.ts'

/** Countries and languages by their names. */

export interface Choice {
  readonly value: string
  readonly label: string
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const pairs = letters.flatMap(one => letters.map(other => one + other))

/** Regions in CLDR that are not countries in ISO 3166-1. */
const noCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '))

const regionNames = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
const languageNames = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })

/** All countries by ISO code. Obsolete codes, which now map to another country, are left out. */
export const countries: readonly Choice[] = pairs
  .map(pair => pair.toUpperCase())
  .filter(code => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code)
  .flatMap(value => choice(value, regionNames.of(value)))
  .sort(byLabel)

/** All languages with a two-letter code. */
export const languages: readonly Choice[] = pairs
  .filter(code => new Intl.Locale(code).language === code)
  .flatMap(value => choice(value, languageNames.of(value)))
  .sort(byLabel)

/** The name of a country; its code if there is no name. */
export function countryName(code: string): string {
  return nameIn(regionNames, code.toUpperCase()) ?? code
}

/** The name of a language, also of a regional one; its code if there is no name. */
export function languageName(code: string): string {
  return nameIn(languageNames, code) ?? code
}

/** Whether a text is a language tag, such as `en-GB`. */
export function isLanguage(text: string): boolean {
  return /^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(text)
}

function nameIn(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code)
  } catch {
    // It throws for an invalid code.
    return undefined
  }
}

function choice(value: string, label: string | undefined): readonly Choice[] {
  return label === undefined ? [] : [{ value, label }]
}

function byLabel(one: Choice, other: Choice): number {
  return one.label.localeCompare(other.label, locale)
}
