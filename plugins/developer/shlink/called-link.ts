import { type Called, isRefusal, type Refusal, refusalOf, z } from '../../../core/plugin.ts'
import { problem, type Said } from './answers.ts'
import { type Asked, atom } from './asked.ts'

/** The members of a link in the API that Shlink has too. Plugins that are off add none of theirs. */
export const linkSchema = z.object({
  id: z.string(),
  shortCode: z.string(),
  shortUrl: z.string(),
  originalUrl: z.string(),
  domain: z.string(),
  title: z.string().nullable(),
  createdAt: z.string(),
  visits: z.object({ total: z.number() }),
  startsAt: z.string().nullish(),
  expiresAt: z.string().nullish(),
  maxVisits: z.number().nullish(),
  tags: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
  crawlable: z.boolean().nullish(),
  forwardQuery: z.boolean().nullish(),
  dynamicRouting: z.object({ rules: z.array(z.looseObject({})) }).nullish(),
})
export type Link = z.output<typeof linkSchema>

const one = z.object({ data: linkSchema })

export function linkIn(called: Called): Link | Refusal {
  return called.status < 300 ? one.parse(called.body).data : refusalOf(called)
}

/** The host that Shlink calls the default one. */
export function defaultHost({ links }: Pick<Asked, 'links'>): string {
  return new URL(links.mainUrl()).host
}

/** The name of a host for the API: undefined for the default one. */
export function hostNamed(asked: Asked, domain: string | null | undefined): string | undefined {
  return !domain || domain === 'DEFAULT' || domain === defaultHost(asked) ? undefined : domain
}

/** The link of the account that the path and the query name. */
export async function findNamed(asked: Asked): Promise<Link | Said> {
  const { named, query, call } = asked
  const domain = query.get('domain') ?? undefined
  const host = hostNamed(asked, domain)
  const fits = named !== '' && named.length <= 255 && (host?.length ?? 0) <= 253
  const wanted = new URLSearchParams({ short_code: named, ...(host && { domain: host }) })
  const found = fits ? linkIn(await call('GET', `/links/lookup?${wanted}`)) : undefined
  if (found && (!isRefusal(found) || (found.status !== 404 && found.status !== 422))) return found
  const on = domain ? ` for domain "${domain}"` : ''
  const detail = `No URL found with short code "${named}"${on}`
  return problem(asked, 404, 'short-url-not-found', detail, {
    shortCode: named,
    ...(domain && { domain }),
  })
}

/** A link as Shlink shows it. */
export function shown(asked: Asked, link: Link) {
  const { shortCode, shortUrl, originalUrl, domain, title, visits } = link
  return {
    ...{ shortCode, shortUrl, longUrl: originalUrl, dateCreated: atom(link.createdAt) },
    visitsSummary: summary(visits.total),
    // What it was called in Shlink 3.
    visitsCount: visits.total,
    tags: link.tags.map(({ name }) => name),
    meta: {
      validSince: atom(link.startsAt),
      validUntil: atom(link.expiresAt),
      maxVisits: link.maxVisits ?? null,
    },
    domain: domain === defaultHost(asked) ? null : domain,
    title,
    crawlable: link.crawlable ?? false,
    forwardQuery: link.forwardQuery ?? false,
    hasRedirectRules: (link.dynamicRouting?.rules.length ?? 0) > 0,
  }
}

/** Linnet leaves robots out of the visits of a link, so none of them are robots. */
export function summary(total: number) {
  return { total, nonBots: total, bots: 0 }
}

export function isSaid(it: object): it is Said {
  return 'kind' in it
}
