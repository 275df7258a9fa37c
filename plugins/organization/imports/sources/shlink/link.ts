import { createHash } from 'node:crypto'
import type { Json } from '../../../../../core/plugin.ts'
import { linkItem } from '../../reading/link-item.ts'
import { readBounds, readPast } from '../../reading/moments.ts'
import type { Host, Item, LinkItem } from '../../source.ts'
import { routingOf, type ShlinkRule } from './rules.ts'

/** A short URL of Shlink, wherever it was read. */
export interface ShlinkLink {
  readonly row: string
  /** Null: the default one. */
  readonly domain: string | null
  readonly shortCode: string
  readonly longUrl: string
  readonly title: string | null
  readonly tags: readonly string[]
  readonly createdAt: string | null | undefined
  readonly validSince: string | null | undefined
  readonly validUntil: string | null | undefined
  readonly maxVisits: number | null
  readonly isCrawlable: boolean
  readonly forwardsQuery: boolean
  readonly rules: readonly ShlinkRule[]
  /** Without robots. */
  readonly visits: number
  /** What could not come as it was, so far. */
  readonly changes?: readonly string[]
}

/** The link. Dates that name no time zone are in `zone`. */
export function linkOf(link: ShlinkLink, zone: string, now: Date): LinkItem {
  const changes = [...(link.changes ?? [])]
  const { row, domain, shortCode, longUrl, title, tags, visits, maxVisits } = link
  const { validSince: startsAt, validUntil: expiresAt } = link
  const bounds = readBounds({ startsAt, expiresAt }, zone, changes)
  const fields: Readonly<Record<string, Json>> = {
    ...bounds.fields,
    ...(maxVisits !== null && { maxVisits }),
    ...(link.isCrawlable && { crawlable: true }),
    ...(link.forwardsQuery && { forwardQuery: true }),
    ...routingOf(link.rules, changes),
  }
  const names = { row, id: idOf(domain, shortCode), host: domain?.toLowerCase() ?? null }
  return linkItem(
    {
      ...names,
      code: shortCode,
      originalUrl: longUrl,
      title,
      tags,
      fields,
      createdAt: readPast(link.createdAt, zone, changes),
      isClosed: bounds.isClosed,
      visits,
      changes,
    },
    now,
  )
}

/** Shlink tells links apart by their domain and code. An id has 200 characters at most. */
function idOf(domain: string | null, shortCode: string): string {
  const id = `${domain ?? ''}/${shortCode}`
  return id.length <= 200 ? id : createHash('sha256').update(id).digest('hex')
}

/** Where a domain leads if it has no code, or an unknown one. */
export interface ShlinkDomain {
  readonly row: string
  readonly domain: string | null
  readonly baseUrl: string | null
  readonly invalidShortUrl: string | null
  readonly regular404: string | null
  /** Whether codes on it have slashes, or letters that short codes have here only if the host is told. */
  readonly hasWideCodes?: boolean
}

/** The host, and what of its redirects cannot come along. */
export function* hostOf(found: ShlinkDomain): Generator<Item> {
  const { row, domain, baseUrl, invalidShortUrl, regular404, hasWideCodes } = found
  const [rootUrl, notFoundUrl] = [baseUrl, invalidShortUrl || regular404].map(plain)
  const host: Host = { kind: 'host', row, host: domain?.toLowerCase() ?? null }
  yield {
    ...host,
    ...(rootUrl && { rootUrl }),
    ...(notFoundUrl && { notFoundUrl }),
    ...(hasWideCodes && { rules: wideRules }),
  }
  for (const url of [baseUrl, invalidShortUrl, regular404]) {
    if (!url || url === rootUrl || url === notFoundUrl) continue
    const sentence =
      plain(url) === undefined
        ? `Visitors are not sent to ${url}, because it has words in braces that nothing here fills in.`
        : `Visitors are not sent to ${url}: there is one address for all that is not found.`
    yield { kind: 'note', row, sentence }
  }
}

const wideRules = { grammar: 'wide', codes: 'exact', hyphens: 'strict' } as const

/** Whether short codes have this one only where a host is told. */
export function isWideCode(code: string): boolean {
  return !/^[\w-]{1,64}$/.test(code)
}

/** A URL without placeholders such as `{ORIGINAL_PATH}`. */
function plain(url: string | null): string | undefined {
  return url && !/\{[A-Z_]+\}|%7B[A-Z_]+%7D/.test(url) ? url : undefined
}

/** Device-specific URLs of Shlink 3, which later versions have as rules. */
export function deviceRules(urls: readonly (readonly [device: string, url: string | null])[]) {
  return urls.flatMap(([device, longUrl]): ShlinkRule[] =>
    longUrl
      ? [{ longUrl, conditions: [{ type: 'device', matchKey: null, matchValue: device }] }]
      : [],
  )
}
