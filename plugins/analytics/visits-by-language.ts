import { definePlugin, preferredLanguage, remember } from '../../core/plugin.ts'

/** Loaded when first needed, because loading the names from ICU would slow down each start. */
const nameOf = remember(tag => {
  const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
  return names.of(tag) ?? tag
})

export default definePlugin({
  feature: 'analytics.visitsByLanguage',
  about: 'Count visits by preferred language.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByLanguage: {
      label: 'Language',
      chart: 'bar',
      of: visit => languageOf(visit.language),
      labelOf: nameOf,
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
