import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { z } from '../../../../../core/plugin.ts'
import { announce } from '../../reading/announce.ts'
import { type Api, inPath, openApi, type Query } from '../../reading/api.ts'
import { createSeen } from '../../reading/seen.ts'
import {
  noteNotRead,
  notRead,
  readThing,
  someFlag,
  someNumber,
  someText,
} from '../../reading/service.ts'
import { type Asked, type Item, SourceError } from '../../source.ts'
import { countVisits } from '../../tables/count-visits.ts'
import { type Counting, createCounting } from '../../tables/counting.ts'
import { agentOf } from '../../tables/values-of-visit.ts'
import { visitTimes } from '../../tables/visit-times.ts'
import { withCounts } from '../../tables/whole-link.ts'
import { deviceRules, hostOf, linkOf } from './link.ts'
import type { ShlinkRule } from './rules.ts'

const linksAPage = 50
const visitsAPage = 300

const linkSchema = z.object({
  shortCode: z.string().min(1),
  longUrl: z.string(),
  domain: someText,
  dateCreated: someText,
  title: someText,
  tags: z.array(z.string()).nullish().catch(null),
  // Without one of them, it would lead on where it does not there.
  meta: z
    .object({
      validSince: z.string().nullish(),
      validUntil: z.string().nullish(),
      maxVisits: z.number().nullish(),
    })
    .nullish(),
  crawlable: someFlag,
  forwardQuery: someFlag,
  hasRedirectRules: someFlag,
  visitsSummary: z.object({ nonBots: z.number(), bots: z.number() }).nullish().catch(null),
  // Of servers before 3.4.
  visitsCount: someNumber,
  // Of servers of version 3.
  deviceLongUrls: z.record(z.string(), z.string().nullable()).nullish().catch(null),
})

const visitSchema = z.object({
  date: someText,
  referer: someText,
  userAgent: someText,
  potentialBot: someFlag,
  visitedUrl: someText,
  visitLocation: z
    .object({ countryCode: someText, cityName: someText, regionName: someText })
    .nullish()
    .catch(null),
})

const rulesSchema = z.object({
  redirectRules: z.array(
    z.object({
      longUrl: z.string(),
      priority: z.number().catch(0),
      conditions: z.array(z.object({ type: z.string(), matchKey: someText, matchValue: someText })),
    }),
  ),
})

const domainsSchema = z.object({
  domains: z.object({ data: z.array(z.unknown()) }),
})

const domainSchema = z.object({
  domain: z.string(),
  isDefault: someFlag,
  redirects: z.object({
    baseUrlRedirect: someText,
    regular404Redirect: someText,
    invalidShortUrlRedirect: someText,
  }),
})

/** Domains, tags, links, rules and visits of the REST API of Shlink, version 3. */
export async function* readShlinkApi(
  asked: Asked,
  { url, key }: { readonly url: string; readonly key: string },
): AsyncGenerator<Item> {
  const base = `${url.replace(/\/+$/, '')}/rest/v3`
  const api = openApi(asked, { name: 'Shlink', base, headers: { 'X-Api-Key': key } })
  const db = new BetterSqlite3(join(asked.folder, 'counts.sqlite'))
  try {
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF']) db.pragma(pragma)
    db.exec('BEGIN')
    yield* announce(readAll(asked, api, createCounting(db, asked.now())))
  } finally {
    db.close()
  }
}

async function* readAll(asked: Asked, api: Api, counting: Counting): AsyncGenerator<Item> {
  // An old server has no domains.
  const answer = await api.get('/domains', {}, [404])
  const domains =
    answer === undefined ? [] : answerOf(domainsSchema, answer, '/domains').domains.data
  for (const [index, found] of domains.entries()) {
    const read = domainSchema.safeParse(found)
    if (!read.success) {
      yield noteNotRead(`domain ${index + 1}`, read.error)
      continue
    }
    const { domain, isDefault, redirects } = read.data
    yield* hostOf({
      ...{ row: `domain ${domain}`, domain: isDefault ? null : domain },
      baseUrl: redirects.baseUrlRedirect ?? null,
      regular404: redirects.regular404Redirect ?? null,
      invalidShortUrl: redirects.invalidShortUrlRedirect ?? null,
    })
  }
  const seen = createSeen()
  // What is made meanwhile would move all others by one.
  const endDate = asked.now().toISOString()
  const query = { itemsPerPage: linksAPage, orderBy: 'dateCreated-DESC', endDate }
  const links = pagesFromLast(api, { path: '/short-urls', member: 'shortUrls', query })
  for await (const found of links) {
    const { shortCode, domain = null } = Object(found)
    const row = `${domain ?? ''}/${shortCode}`
    if (!seen.add(row)) continue
    const link = readThing(linkSchema, found)
    if ('error' in link) yield notRead(row, link.error)
    else yield* readLink(link.data, { row, asked, api, counting, endDate, changes: link.changes })
  }
}

async function* readLink(
  link: z.output<typeof linkSchema>,
  about: {
    readonly row: string
    readonly asked: Asked
    readonly api: Api
    readonly counting: Counting
    readonly endDate: string
    readonly changes: readonly string[]
  },
): AsyncGenerator<Item> {
  const { row, asked, api, counting, endDate, changes } = about
  const { shortCode, longUrl, visitsSummary: summary, meta } = link
  const path = `/short-urls/${shortCode.split('/').map(inPath).join('/')}`
  const domain = link.domain ?? undefined
  const sum = summary ? summary.nonBots : (link.visitsCount ?? 0)
  if (sum + (summary?.bots ?? 0) > 0) {
    const query = { domain, itemsPerPage: visitsAPage, endDate }
    // 404: the link is gone by now.
    const visits = pagesFromLast(api, {
      path: `${path}/visits`,
      member: 'visits',
      query,
      unless: [404],
    })
    const timeOf = visitTimes('UTC')
    await countVisits(visits, counting, found => {
      const visit = visitSchema.safeParse(found).data
      if (!visit) return undefined
      const { date, visitLocation: place, userAgent, referer, visitedUrl } = visit
      return {
        ...{
          link: row,
          at: timeOf(date),
          isBot: visit.potentialBot ?? false,
          originalUrl: longUrl,
        },
        ...{ agent: agentOf(userAgent), referer: referer ?? null },
        ...{ visitedUrl: visitedUrl ?? null, country: place?.countryCode ?? null },
        ...{ city: place?.cityName ?? null, region: place?.regionName ?? null },
      }
    })
  }
  const item = linkOf(
    {
      ...{ row, domain: domain ?? null, shortCode, longUrl, tags: link.tags ?? [] },
      title: link.title ?? null,
      createdAt: link.dateCreated,
      validSince: meta?.validSince,
      validUntil: meta?.validUntil,
      maxVisits: meta?.maxVisits ?? null,
      isCrawlable: link.crawlable ?? false,
      forwardsQuery: link.forwardQuery ?? true,
      rules: [
        ...deviceRules(Object.entries(link.deviceLongUrls ?? {})),
        ...(link.hasRedirectRules === false
          ? []
          : await rulesOf(`${path}/redirect-rules`, domain, api)),
      ],
      visits: Math.max(sum, counting.dated(row).all),
      changes,
    },
    'UTC',
    asked.now(),
  )
  yield* withCounts(item, counting, row)
}

/** An old server has no rules, and answers with 404. */
async function rulesOf(
  path: string,
  domain: string | undefined,
  api: Api,
): Promise<readonly ShlinkRule[]> {
  const answer = await api.get(path, { domain }, [404])
  if (answer === undefined) return []
  const { redirectRules } = answerOf(rulesSchema, answer, path)
  return redirectRules
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ longUrl, conditions }) => ({
      longUrl,
      conditions: conditions.map(({ type, matchKey = null, matchValue = null }) => ({
        ...{ type, matchKey, matchValue },
      })),
    }))
}

/**
 * The things of all pages, from the last page to the first: what is deleted meanwhile moves things to pages that are read later,
 * so that none is missed.
 */
async function* pagesFromLast(
  api: Api,
  about: {
    readonly path: string
    readonly member: string
    readonly query: Query
    /** Statuses that mean that there are none. */
    readonly unless?: readonly number[]
  },
): AsyncGenerator<unknown> {
  const { path, member, query, unless } = about
  const schema = z.object({
    [member]: z.object({
      data: z.array(z.unknown()),
      pagination: z.object({ pagesCount: z.number().int() }),
    }),
  })
  const pageAt = async (page: number) => {
    const answer = await api.get(path, { ...query, page }, unless)
    if (answer === undefined) return { data: [], count: 0 }
    const { data = [], pagination } = answerOf(schema, answer, path)[member] ?? {}
    return { data, count: pagination?.pagesCount ?? 0 }
  }
  const { data, count } = await pageAt(1)
  for (let page = count; page > 1; page--) yield* (await pageAt(page)).data.toReversed()
  yield* count > 1 ? (await pageAt(1)).data.toReversed() : data.toReversed()
}

function answerOf<S extends z.ZodType>(schema: S, answer: unknown, path: string): z.output<S> {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  throw new SourceError(`${path} does not answer as the API of Shlink does. Is its address right?`)
}
