import { isOf, speak } from './language/language.ts'
import type { ServerTexts } from './language/server-texts.ts'
import { type Dictionary, spokenBy } from './language/spoken.ts'
import { loadIn } from './words.ts'

interface Brought {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
}

interface WithTexts extends Brought, ServerTexts {
  readonly dashboard: Dictionary
}

/**
 * Use the first language of these that a plugin brings. If there is none, or if it cannot be had, the dashboard speaks a
 * language of its own.
 */
export async function speakBrought(tags: readonly string[]): Promise<void> {
  try {
    const known = await read<readonly Brought[]>('')
    const found = tags.flatMap(lang => known.find(it => isOf(lang, it.lang)) ?? [])[0]
    if (!found) return
    const { lang, dir, dashboard, sentences, problems } = await read<WithTexts>(`/${found.lang}`)
    loadIn(spokenBy(lang, dashboard), { sentences, problems })
    speak(lang)
    document.documentElement.dir = dir
  } catch {
    // Nobody who cannot read a language should be without a dashboard.
  }
}

async function read<T>(path: string): Promise<T> {
  const answer = await fetch(`/api/v1/languages${path}`)
  return (await answer.json()).data
}
