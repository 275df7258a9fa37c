import { type Language, languageKey } from './language.ts'

/** Use another language in this browser from now on. Every text on the screen changes, so the page is reloaded. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(languageKey, language)
  location.reload()
}
