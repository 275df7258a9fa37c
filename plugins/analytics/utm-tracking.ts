import { type Dimension, definePlugin, remember, type Visit } from '../../core/plugin.ts'

export default definePlugin({
  feature: 'analytics.utmTracking',
  label: 'UTM tracking',
  about: 'Count visits by UTM parameter.',
  needs: ['analytics.visitsTracking'],
  dimensions: {
    utmSource: dimension('UTM source', 'utm_source'),
    utmMedium: dimension('UTM medium', 'utm_medium'),
    utmCampaign: dimension('UTM campaign', 'utm_campaign'),
    utmTerm: dimension('UTM term', 'utm_term'),
    utmContent: dimension('UTM content', 'utm_content'),
  },
})

function dimension(label: string, parameter: string): Dimension {
  return { label, chart: 'table', none: 'None', of: visit => utmOf(visit, parameter) }
}

/**
 * What stands in the short URL that was followed tells most about this visit. Without it counts what the
 * link's own address says: that is what the site behind it will count, and where parameters that are
 * given to a link are written.
 */
function utmOf(visit: Visit, parameter: string): string | undefined {
  return said(visit.query, parameter) ?? said(queryOf(visit.link.originalUrl), parameter)
}

function said(query: URLSearchParams, parameter: string): string | undefined {
  return query.get(parameter)?.trim() || undefined
}

const queryOf = remember(url => new URL(url).searchParams)
