import {
  type Agent,
  parseUrl,
  readAgent,
  remember,
  showHidden,
  siteOf,
} from '../../../../core/plugin.ts'

/** What another program keeps of a visit. */
export interface FoundVisit {
  readonly agent: Agent
  readonly referer: string | null
  /** ISO 3166-1 alpha-2, in any case. */
  readonly country?: string | null
  /** Its name in English, and that of its region. */
  readonly city?: string | null
  readonly region?: string | null
  /** The short URL with its query. */
  readonly visitedUrl?: string | null
  readonly originalUrl: string
}

/** Thousands are remembered. */
const maxUrl = 2_048
const maxAgent = 500

/** Browser and device, as visits here have them. */
export function agentOf(userAgent: string | null | undefined): Agent {
  return readAgent((userAgent ?? '').slice(0, maxAgent))
}

/** By what the visit would be counted here: dimensions with their values, as analytics name them. */
export function valuesOfVisit(visit: FoundVisit): readonly [string, string, number][] {
  const { agent, city, region } = visit
  const referer = visit.referer?.slice(0, maxUrl)
  const country = countryOf(visit.country)
  const values: Readonly<Record<string, string | undefined>> = {
    visitsByCountry: country,
    visitsByCity: country && city ? [country, region ?? '', city].join('|') : undefined,
    visitsByReferer: referer ? rememberedSite(referer) : undefined,
    visitsByBrowser: agent.browser,
    visitsByOperatingSystem: agent.os,
    visitsByDeviceType: agent.device,
    ...utmOf(visit.originalUrl.slice(0, maxUrl)),
    ...(visit.visitedUrl && utmOf(visit.visitedUrl.slice(0, maxUrl))),
  }
  return Object.entries(values).flatMap(([name, value]) => (value ? [[name, value, 1]] : []))
}

/** Two letters in capitals; undefined for all else, such as `unknown`. */
export function countryOf(text: string | null | undefined): string | undefined {
  return text && /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : undefined
}

const rememberedSite = remember(siteOf)

const dimensions = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
} as const

/** The UTM parameters of a URL, by the names of their dimensions. */
export const utmOf = remember((text: string): Readonly<Record<string, string>> => {
  const query = parseUrl(text)?.searchParams
  if (!query || query.size === 0) return {}
  const found = Object.entries(dimensions).map(([name, parameter]) => {
    return [name, showHidden(query.get(parameter) ?? '').trim()] as const
  })
  return Object.fromEntries(found.filter(([, value]) => value !== ''))
})
