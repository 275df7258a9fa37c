import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByLanguage',
  about: 'Count visits by the language that the visitor prefers.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByLanguage: {
      label: 'Language',
      chart: 'bar',
      of: visit => languageAndRegion(preferred(visit.language)),
    },
  },
})

/** The tag with the highest weight, the first of equals: RFC 9110, section 12.5.4. */
function preferred(acceptLanguage: string): string {
  const ranges = acceptLanguage.split(',').map(range => {
    const [tag = '', weight = ''] = range.split(';')
    return { tag: tag.trim(), weight: Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1) }
  })
  return ranges.reduce((best, range) => (range.weight > best.weight ? range : best)).tag
}

/** `zh-hant-tw` -> `zh-TW`; undefined for what is no language tag. */
function languageAndRegion(tag: string): string | undefined {
  if (!/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined
  try {
    const { language, region } = new Intl.Locale(tag)
    return region === undefined ? language : `${language}-${region}`
  } catch {
    return undefined
  }
}
