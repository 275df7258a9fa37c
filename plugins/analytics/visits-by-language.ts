import { definePlugin, preferredLanguage, remember } from '../../core/plugin.ts'
import { englishNames } from './english-names.ts'

export default definePlugin({
  feature: 'analytics.visitsByLanguage',
  about: 'Count visits by preferred language.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByLanguage: {
      label: 'Language',
      chart: 'bar',
      of: visit => languageOf(visit.language),
      labelOf: englishNames('language'),
    },
  },
})

const languageOf = remember(header => languageAndRegion(preferredLanguage(header)))

/** `zh-hant-tw` -> `zh-TW`; undefined if the text is not a language tag. */
function languageAndRegion(tag: string): string | undefined {
  if (!/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined
  try {
    const { language, region } = new Intl.Locale(tag)
    return region === undefined ? language : `${language}-${region}`
  } catch {
    return undefined
  }
}
