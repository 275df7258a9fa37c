import type { BroughtLanguage } from '../../kernel/hooks/languages.ts'
import { remember } from '../../lib/memory/remember.ts'
import { sayWith } from '../../lib/text/say.ts'
import { weighted } from '../../lib/text/weighted.ts'
import { pageLanguages, type Texts } from '../../plugin/answers/visitor-text.ts'

/** A language that pages are shown in. */
export interface PageLanguage {
  /** As HTML names it, such as `de`. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** The text in this language; undefined if there is none. */
  say(texts: Texts): string | undefined
}

/**
 * Chooses the language of a page for an `Accept-Language` header: of those that the visitor reads the preferred one, or
 * else English. A language stands for all its regions. RFC 9110, section 12.5.4.
 */
export type ChooseLanguage = (acceptLanguage?: string) => PageLanguage

const own = pageLanguages.map(
  (lang): PageLanguage => ({ lang, dir: 'ltr', say: texts => texts[lang] }),
)

export const english: PageLanguage = { lang: 'en', dir: 'ltr', say: ({ en }) => en }

/** Choose among the languages that come with Linnet and these. */
export function createChooseLanguage(brought: readonly BroughtLanguage[] = []): ChooseLanguage {
  const known = new Map([...own, ...brought.map(inPages)].map(it => [it.lang.toLowerCase(), it]))
  known.set('en', english)

  function weigh(acceptLanguage: string): PageLanguage {
    const wanted = weighted(acceptLanguage.slice(0, 512)).flatMap(({ value, weight }) => {
      const language = languageOf(value.toLowerCase())
      return language && weight > 0 ? { language, weight } : []
    })
    const [best] = wanted.sort((a, b) => b.weight - a.weight)
    return best?.language ?? english
  }

  /** RFC 4647, section 3.4: `pt-BR`, then `pt`. */
  function languageOf(lang: string): PageLanguage | undefined {
    const last = lang.lastIndexOf('-')
    return known.get(lang) ?? (last > 0 ? languageOf(lang.slice(0, last)) : undefined)
  }

  const chosen = remember(weigh, 200)
  return (acceptLanguage = '') =>
    acceptLanguage.length > mostRemembered ? weigh(acceptLanguage) : chosen(acceptLanguage)
}

/** Browsers send few different headers, and hardly any longer than this. */
const mostRemembered = 100

/** What a plugin says in a language itself comes before what another brings for it. */
function inPages({ lang, dir, visitors }: BroughtLanguage): PageLanguage {
  const say = sayWith(visitors)
  return { lang, dir, say: texts => texts[lang] ?? say(texts.en) }
}
