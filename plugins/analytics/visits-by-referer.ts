import { definePlugin, parseUrl, remember } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.visitsByReferer',
  about: 'Count visits by the website they come from.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    // Our own pages never appear here, because they tell browsers to send no referer.
    visitsByReferer: {
      label: 'Referer',
      chart: 'bar',
      none: 'Direct / unknown',
      of: visit => siteOf(visit.referer),
    },
  },
})

const siteOf = remember(nameOf)

/** The protocols of referers of sites and Android apps, as opposed to browser extensions. */
const site = /^(https?|android-app):$/

/** The host name without `www.`; undefined if there is none, or if it is an IP address. */
function nameOf(referer: string): string | undefined {
  const url = parseUrl(referer)
  if (!url) return undefined
  const { protocol, hostname } = url
  const isAddress = hostname.startsWith('[') || /(^|\.)\d+$/.test(hostname)
  if (isAddress || !site.test(protocol)) return undefined
  return hostname.replace(/^www\.|\.$/g, '') || undefined
}
