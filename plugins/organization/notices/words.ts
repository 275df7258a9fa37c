import type { Language } from './settings.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import type { Words } from './words/sentences.ts'

/** What mails say, by language. */
export const words: Readonly<Record<Language, Words>> = { en, de, fr, es }
