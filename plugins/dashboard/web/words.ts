import { type Language, language } from './language/language.ts'
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

export const loadFirst = (): Promise<void> => load(first[language])
export const loadRest = (): Promise<void> => load(rest[language])

async function load(read: () => Promise<object>): Promise<void> {
  Object.assign(words, await read())
}
