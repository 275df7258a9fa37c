import { definePlugin, parseUrl, remember } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByReferer',
  about: 'Count visits by the website they come from.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    // Our own pages never show up here: they tell browsers to send no referer.
    visitsByReferer: {
      label: 'Referer',
      chart: 'bar',
      none: 'Direct / unknown',
      of: visit => siteOf(visit.referer),
    },
  },
})

const siteOf = remember(nameOf)

/** What a referer of a site or of an Android app begins with; an extension of a browser is neither. */
const site = /^(https?|android-app):$/

/** Host name without `www.`; undefined where there is none. IP addresses are no names of sites. */
function nameOf(referer: string): string | undefined {
  const url = parseUrl(referer)
  if (!url) return undefined
  const { protocol, hostname } = url
  const isAddress = hostname.startsWith('[') || /(^|\.)\d+$/.test(hostname)
  if (isAddress || !site.test(protocol)) return undefined
  return hostname.replace(/^www\.|\.$/g, '') || undefined
}
