import { languageKey } from './language.ts'

/** Use another language in this browser from now on. Every text on the screen changes, so the page is reloaded. */
export function chooseLanguage(tag: string): void {
  localStorage.setItem(languageKey, tag)
  location.reload()
}
