import { language } from './language/language.ts'
import { loadFirst } from './words.ts'

// Modules read their texts while they are loaded, so the texts come first; the browser fetches both at once.
const program = document.querySelector<HTMLLinkElement>('#program')
document.documentElement.lang = language
void loadFirst().then(() => import(/* @vite-ignore */ program?.href ?? ''))
