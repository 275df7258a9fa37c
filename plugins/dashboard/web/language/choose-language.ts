import { type Language, languageKey } from './language.ts'

/** Speak another language in this browser from now on. Every word on the screen is another then, so the page begins anew. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(languageKey, language)
  location.reload()
}
