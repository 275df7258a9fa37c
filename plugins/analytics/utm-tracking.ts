import {
  type Dimension,
  definePlugin,
  remember,
  showHidden,
  type Visit,
} from '../../core/plugin.ts'

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
 * A parameter of the short URL says most about this visit. Without one, the parameter of the original URL counts: it is
 * what the target site counts, and where the UTM parameters of a link are stored.
 */
function utmOf(visit: Visit, parameter: string): string | undefined {
  return said(visit.query, parameter) ?? said(queryOf(visit.link.originalUrl), parameter)
}

function said(query: URLSearchParams, parameter: string): string | undefined {
  return showHidden(query.get(parameter) ?? '').trim() || undefined
}

const queryOf = remember(url => new URL(url).searchParams)
