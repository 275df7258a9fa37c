import { definePlugin } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByReferer',
  about: 'Count visits by the site that they came from.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    visitsByReferer: { label: 'Referer', chart: 'bar', of: visit => hostOf(visit.referer) },
  },
})

/** Host name without `www.`; undefined where there is none. IP addresses are no names of sites. */
function hostOf(referer: string): string | undefined {
  if (!URL.canParse(referer)) return undefined
  const { hostname } = new URL(referer)
  const isAddress = hostname.startsWith('[') || /(^|\.)\d+$/.test(hostname)
  return isAddress ? undefined : hostname.replace(/^www\./, '') || undefined
}
