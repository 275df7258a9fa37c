import { remember } from '../../lib/memory/remember.ts'
import { weighted } from '../../lib/text/weighted.ts'
import { type PageLanguage, pageLanguages } from '../../plugin/answers/visitor-text.ts'

/**
 * The language of a page for an `Accept-Language` header: of those that the visitor reads the preferred one, or
 * else English. A language stands for all its regions. RFC 9110, section 12.5.4.
 */
export function chooseLanguage(acceptLanguage = ''): PageLanguage {
  return acceptLanguage.length > mostRemembered ? weigh(acceptLanguage) : chosen(acceptLanguage)
}

/** Browsers send few different headers, and hardly any longer than this. */
const mostRemembered = 100
const chosen = remember(weigh, 200)

function weigh(acceptLanguage: string): PageLanguage {
  const known = weighted(acceptLanguage.slice(0, 512)).flatMap(({ value, weight }) => {
    const language = languageOf(value)
    return language && weight > 0 ? { language, weight } : []
  })
  const [best] = known.sort((a, b) => b.weight - a.weight)
  return best?.language ?? 'en'
}

function languageOf(name: string): PageLanguage | undefined {
  const [primary] = name.toLowerCase().split('-', 1)
  return pageLanguages.find(language => language === primary)
}
