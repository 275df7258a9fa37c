/** The languages of the dashboard, each by its own name. English is in `texts.ts` and `texts/`, every other in a folder there. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const

export type Language = keyof typeof languages

export const allLanguages = Object.keys(languages) as readonly Language[]

/** Where the choice is kept, in this browser. */
export const languageKey = 'linnet-language'

/** What the dashboard speaks: what was chosen in this browser, or else the first of the browser's languages that it knows. */
export const language: Language = languageOf([chosen(), ...navigator.languages])

/** How numbers and dates are written: as the browser has it, where that is the language in use. */
export const locale: string =
  navigator.languages.find(tag => knownLanguage(tag) === language) ?? language

/** The first of these that the dashboard knows, and English where it knows none. */
export function languageOf(tags: readonly string[]): Language {
  return tags.map(knownLanguage).find(it => it !== undefined) ?? 'en'
}

function knownLanguage(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split('-')
  return allLanguages.find(it => it === primary)
}

/** Nothing where nothing was chosen, or the browser lets nothing be kept. */
function chosen(): string {
  try {
    return localStorage.getItem(languageKey) ?? ''
  } catch {
    return ''
  }
}
