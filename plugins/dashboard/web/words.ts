import { allLanguages, type Language, language } from './language/language.ts'
import type { ServerTexts } from './language/server-texts.ts'
import type { Translated } from './language/translated.ts'

/**
 * The texts of the current language. Pages import them from `texts.ts` and `texts/`, where they are English; in
 * the browser the imports are resolved here by name (`build/words.ts`). A language is two files to a browser:
 * what the first screen needs, and the rest, which is loaded with the first page that is loaded later.
 */
export const words: Record<string, unknown> = {}

const first: Loaders<typeof import('./texts.ts')> = {
  en: () => import('./texts.ts'),
  de: () => import('./texts/de/first.ts'),
  fr: () => import('./texts/fr/first.ts'),
  es: () => import('./texts/es/first.ts'),
}

const rest: Loaders<typeof import('./texts/rest.ts')> = {
  en: () => import('./texts/rest.ts'),
  de: () => import('./texts/de/rest.ts'),
  fr: () => import('./texts/fr/rest.ts'),
  es: () => import('./texts/es/rest.ts'),
}

type Loaders<Words> = Readonly<Record<Language, () => Promise<Translated<Words>>>>

export const loadFirst = (): Promise<void> => load(first)
export const loadRest = (): Promise<void> => load(rest)

let spoken = (texts: object): object => texts

/** Load all texts in a language that a plugin brings: as this translates them, and with these of the server. */
export function loadIn(translate: (english: object) => object, serverTexts: ServerTexts): void {
  spoken = translate
  words.serverTexts = serverTexts
}

async function load(loaders: Loaders<object>): Promise<void> {
  const read = loaders[allLanguages.find(it => it === language) ?? 'en']
  Object.assign(words, spoken(await read()))
}
