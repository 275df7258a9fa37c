import { locale } from '../../../language/language.ts'

/** Countries and languages by their names. */

export interface Choice {
  readonly value: string
  readonly label: string
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const pairs = letters.flatMap(one => letters.map(other => one + other))

/** Regions of CLDR that are no country of ISO 3166-1. */
const noCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '))

const regionNames = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
const languageNames = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })

/** Every country by its ISO code. Codes of old are those of another country now, and left out. */
export const countries: readonly Choice[] = pairs
  .map(pair => pair.toUpperCase())
  .filter(code => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code)
  .flatMap(value => choice(value, regionNames.of(value)))
  .sort(byLabel)

/** Every language of two letters. */
export const languages: readonly Choice[] = pairs
  .filter(code => new Intl.Locale(code).language === code)
  .flatMap(value => choice(value, languageNames.of(value)))
  .sort(byLabel)

/** A country by its name; else its code. */
export function countryName(code: string): string {
  return nameIn(regionNames, code.toUpperCase()) ?? code
}

/** A language by its name, also that of one country; else its code. */
export function languageName(code: string): string {
  return nameIn(languageNames, code) ?? code
}

/** Whether a text is a language tag, as `en-GB`. */
export function isLanguage(text: string): boolean {
  return /^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(text)
}

function nameIn(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code)
  } catch {
    // It throws for what is no code.
    return undefined
  }
}

function choice(value: string, label: string | undefined): readonly Choice[] {
  return label === undefined ? [] : [{ value, label }]
}

function byLabel(one: Choice, other: Choice): number {
  return one.label.localeCompare(other.label, locale)
}
