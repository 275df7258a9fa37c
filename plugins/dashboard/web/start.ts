import { language } from './language/language.ts'
import { loadFirst } from './words.ts'

// Everything reads its words while it is loaded, so they are there before; the browser fetches both at once.
const program = document.querySelector<HTMLLinkElement>('#program')
document.documentElement.lang = language
void loadFirst().then(() => import(/* @vite-ignore */ program?.href ?? ''))
