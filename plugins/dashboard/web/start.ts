import { language } from './language/language.ts'
import { loadFirst } from './words.ts'

// Everything reads its words while it is loaded, so they are there before; the browser fetches both at once.
const main = document.querySelector<HTMLLinkElement>('#main')
document.documentElement.lang = language
void loadFirst().then(() => import(/* @vite-ignore */ main?.href ?? ''))
