/**
 * The languages of the dashboard, by their own names. English is in `texts.ts` and `texts/`, the others in
 * folders there.
 */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const

export type Language = keyof typeof languages

export const allLanguages = Object.keys(languages) as readonly Language[]

/** The key in local storage that keeps the choice. */
export const languageKey = 'linnet-language'

/**
 * The current language: the one chosen in this browser, or the first of the browser's languages that the
 * dashboard has.
 */
export const language: Language = languageOf([chosen(), ...navigator.languages])

/** How numbers and dates are written: by the browser's locale if it is of the current language. */
export const locale: string =
  navigator.languages.find(tag => knownLanguage(tag) === language) ?? language

/** The first of these tags whose language the dashboard has, or English. */
export function languageOf(tags: readonly string[]): Language {
  return tags.map(knownLanguage).find(it => it !== undefined) ?? 'en'
}

function knownLanguage(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split('-')
  return allLanguages.find(it => it === primary)
}

/** Empty if no language was chosen, or if the browser does not allow storage. */
function chosen(): string {
  try {
    return localStorage.getItem(languageKey) ?? ''
  } catch {
    return ''
  }
}
