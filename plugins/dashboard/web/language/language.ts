/**
 * The languages that come with the dashboard, by their own names. English is in `texts.ts` and `texts/`, the others in
 * folders there. Plugins may bring more.
 */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const

export type Language = keyof typeof languages

export const allLanguages = Object.keys(languages) as readonly Language[]

/** The key in local storage that keeps the choice. */
export const languageKey = 'linnet-language'

/** The languages that are read here: the one chosen in this browser, then those of the browser. */
const read = [chosen(), ...navigator.languages].filter(tag => tag !== '')

/** The current language: the first of these that there is. Fixed before anything but what is beside this file runs. */
export let language: string = languageOf(read)

/** How numbers and dates are written: by the browser's locale if it is of the current language. */
export let locale: string = localeOf(language)

/** What is read here rather than any of the dashboard's own languages. */
export const others = othersOf(read)

/** Use a language that a plugin brings. */
export function speak(tag: string): void {
  language = tag
  locale = localeOf(tag)
}

/** The first of these tags whose language the dashboard has, or English. */
export function languageOf(tags: readonly string[]): Language {
  return tags.map(knownLanguage).find(it => it !== undefined) ?? 'en'
}

/** The tags before the first whose language the dashboard has. */
function othersOf(tags: readonly string[]): readonly string[] {
  const first = tags.findIndex(knownLanguage)
  return tags.slice(0, first < 0 ? undefined : first)
}

/** Whether a tag, such as `pt-BR-x-rio`, is of this language, such as `pt` or `pt-BR`. */
export function isOf(tag: string, of: string): boolean {
  return `${tag}-`.toLowerCase().startsWith(`${of}-`.toLowerCase())
}

function knownLanguage(tag: string): Language | undefined {
  return allLanguages.find(it => isOf(tag, it))
}

function localeOf(of: string): string {
  return navigator.languages.find(tag => isOf(tag, of)) ?? of
}

/** Empty if no language was chosen, or if the browser does not allow storage. */
function chosen(): string {
  try {
    return localStorage.getItem(languageKey) ?? ''
  } catch {
    return ''
  }
}
