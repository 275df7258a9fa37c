import { language, others } from './language/language.ts'
import { loadFirst } from './words.ts'

// Modules read their texts while they are loaded, so the texts come first; the browser fetches both at once.
const program = document.querySelector<HTMLLinkElement>('#program')
async function start(): Promise<void> {
  // Who reads a language of the dashboard does not wait for this.
  if (others.length > 0) await (await import('./speak-brought.ts')).speakBrought(others)
  document.documentElement.lang = language
  await loadFirst()
  await import(/* @vite-ignore */ program?.href ?? '')
}

void start()
