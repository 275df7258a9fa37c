import { createHash } from 'node:crypto'
import { readMoment } from '../../reading/moments.ts'
import { quoted, tagsOf } from '../../reading/texts.ts'
import type { Asked, Item, LinkItem } from '../../source.ts'
import { countVisits, type DatedVisit } from '../../tables/count-visits.ts'
import { type Counting, createCounting } from '../../tables/counting.ts'
import { type Gathered, gather, type Row, type Wanted } from '../../tables/gather.ts'
import { isTrue, numberIn } from '../../tables/read-values.ts'
import { agentOf } from '../../tables/values-of-visit.ts'
import { visitTimes } from '../../tables/visit-times.ts'
import { withCounts } from '../../tables/whole-link.ts'
import { deviceRules, hostOf, isWideCode, linkOf } from './link.ts'
import type { ShlinkCondition, ShlinkRule } from './rules.ts'

const wanted: Readonly<Record<string, Wanted>> = {
  short_urls: {
    columns: ['id', 'original_url', 'short_code', 'date_created'],
    more: [
      ...['valid_since', 'valid_until', 'max_visits', 'title', 'crawlable', 'forward_query'],
      'domain_id',
    ],
    key: 'id',
  },
  domains: {
    columns: ['id', 'authority'],
    more: ['base_url_redirect', 'regular_not_found_redirect', 'invalid_short_url_redirect'],
    ...{ key: 'id', isOptional: true },
  },
  tags: { columns: ['id', 'name'], key: 'id', isOptional: true },
  short_urls_in_tags: {
    columns: ['short_url_id', 'tag_id'],
    by: 'short_url_id',
    isOptional: true,
  },
  visits: {
    columns: ['short_url_id', 'date', 'referer', 'user_agent'],
    more: ['visit_location_id', 'potential_bot', 'visited_url'],
    ...{ isOptional: true, isLoose: true },
  },
  visit_locations: {
    columns: ['id', 'country_code'],
    more: ['city_name', 'region_name'],
    ...{ key: 'id', isOptional: true, isLoose: true },
  },
  short_url_visits_counts: {
    columns: ['short_url_id', 'potential_bot', 'count'],
    ...{ by: 'short_url_id', isOptional: true },
  },
  short_url_redirect_rules: {
    columns: ['id', 'priority', 'long_url', 'short_url_id'],
    ...{ key: 'id', by: 'short_url_id', isOptional: true },
  },
  redirect_conditions_in_short_url_redirect_rules: {
    columns: ['redirect_condition_id', 'short_url_redirect_rule_id'],
    ...{ by: 'short_url_redirect_rule_id', isOptional: true },
  },
  redirect_conditions: {
    columns: ['id', 'type', 'match_key', 'match_value'],
    ...{ key: 'id', isOptional: true },
  },
  device_long_urls: {
    columns: ['device_type', 'long_url', 'short_url_id'],
    ...{ by: 'short_url_id', isOptional: true },
  },
  api_keys: {
    columns: ['id', 'key', 'enabled'],
    more: ['name', 'expiration_date'],
    isOptional: true,
  },
  api_key_roles: { columns: ['role_name', 'api_key_id'], by: 'api_key_id', isOptional: true },
}

/** Domains, tags, links, rules, visits and API keys of a database of Shlink. */
export async function* readShlinkDatabase(asked: Asked, zone: string): AsyncGenerator<Item> {
  const tables = await gather(asked, 'Shlink', wanted)
  try {
    const counting = createCounting(tables.db, asked.now())
    await countVisits(tables.each('visits'), counting, createReadVisit(tables, zone))
    const wide = await domainsWithWideCodes(tables)
    if (wide.has(null)) yield* hostOf({ ...noRedirects, row: 'short_urls', hasWideCodes: true })
    for await (const domain of tables.each('domains')) {
      yield* hostOf({
        row: `domains id ${domain.id}`,
        domain: `${domain.authority}`,
        hasWideCodes: wide.has(Number(domain.id)),
        baseUrl: domain.base_url_redirect ?? null,
        regular404: domain.regular_not_found_redirect ?? null,
        invalidShortUrl: domain.invalid_short_url_redirect ?? null,
      })
    }
    for await (const { id, name } of tables.each('tags')) {
      for (const tag of tagsOf([name ?? ''], []))
        yield { kind: 'tag', row: `tags id ${id}`, name: tag }
    }
    for await (const link of tables.each('short_urls')) {
      const item = readLink(link, { tables, counting, zone, now: asked.now() })
      yield* withCounts(item, counting, `${link.id}`)
    }
    for await (const key of tables.each('api_keys')) yield keyOf(key, { tables, zone })
    yield* tables.refused()
  } finally {
    tables.close()
  }
}

const noRedirects = { domain: null, baseUrl: null, invalidShortUrl: null, regular404: null }

/** Ids of domains; null: the default one. */
async function domainsWithWideCodes(tables: Gathered): Promise<ReadonlySet<number | null>> {
  const wide = new Set<number | null>()
  for await (const { short_code: code, domain_id: domain = null } of tables.each('short_urls')) {
    if (isWideCode(code ?? '')) wide.add(domain === null ? null : Number(domain))
  }
  return wide
}

/** Reads visits, but for those of the bare domain and of unknown codes, which have no link. */
function createReadVisit(tables: Gathered, zone: string) {
  const timeOf = visitTimes(zone)
  const urlOf = tables.lookUp('short_urls', 'original_url')
  return (visit: Row): DatedVisit | undefined => {
    const link = visit.short_url_id
    const at = timeOf(visit.date)
    const originalUrl = link ? urlOf(link) : undefined
    if (!link || originalUrl === undefined) return undefined
    const [place] = visit.visit_location_id
      ? tables.all('SELECT * FROM visit_locations WHERE id = ?', visit.visit_location_id)
      : []
    return {
      ...{ link, at, originalUrl, isBot: isTrue(visit.potential_bot) },
      ...{ agent: agentOf(visit.user_agent), referer: visit.referer ?? null },
      ...{ visitedUrl: visit.visited_url ?? null, country: place?.country_code ?? null },
      ...{ city: place?.city_name ?? null, region: place?.region_name ?? null },
    }
  }
}

function readLink(
  link: Row,
  about: {
    readonly tables: Gathered
    readonly counting: Counting
    readonly zone: string
    readonly now: Date
  },
): LinkItem {
  const { tables, counting, zone, now } = about
  const id = `${link.id}`
  const [domain] = tables.all('SELECT authority FROM domains WHERE id = ?', link.domain_id ?? null)
  const counted = tables
    .all('SELECT potential_bot, count FROM short_url_visits_counts WHERE short_url_id = ?', id)
    .filter(({ potential_bot: isBot }) => !isTrue(isBot))
    .reduce((sum, { count }) => sum + numberIn(count), 0)
  const tags = tables.all(
    `SELECT name FROM short_urls_in_tags JOIN tags ON tags.id = tag_id WHERE short_url_id = ?
      ORDER BY CAST(tags.id AS INTEGER)`,
    id,
  )
  return linkOf(
    {
      ...{ row: `short_urls id ${id}`, domain: domain?.authority ?? null },
      ...{ shortCode: link.short_code ?? '', longUrl: link.original_url ?? '' },
      ...{ title: link.title ?? null, tags: tags.map(({ name }) => `${name}`) },
      createdAt: link.date_created,
      validSince: link.valid_since,
      validUntil: link.valid_until,
      maxVisits: link.max_visits ? numberIn(link.max_visits) : null,
      isCrawlable: isTrue(link.crawlable),
      // Before there was a choice, all did.
      forwardsQuery: link.forward_query === null || isTrue(link.forward_query),
      rules: [...deviceUrlsOf(id, tables), ...rulesOf(id, tables)],
      visits: Math.max(counted, counting.dated(id).all),
    },
    zone,
    now,
  )
}

function deviceUrlsOf(id: string, tables: Gathered): readonly ShlinkRule[] {
  const sql = 'SELECT device_type, long_url FROM device_long_urls WHERE short_url_id = ?'
  return deviceRules(tables.all(sql, id).map(it => [`${it.device_type}`, it.long_url ?? null]))
}

function rulesOf(id: string, tables: Gathered): readonly ShlinkRule[] {
  const rules = tables.all(
    `SELECT id, long_url FROM short_url_redirect_rules WHERE short_url_id = ?
      ORDER BY CAST(priority AS INTEGER)`,
    id,
  )
  return rules.map(rule => ({
    longUrl: `${rule.long_url}`,
    conditions: tables
      .all(
        `SELECT type, match_key, match_value FROM redirect_conditions_in_short_url_redirect_rules
          JOIN redirect_conditions ON redirect_conditions.id = redirect_condition_id
          WHERE short_url_redirect_rule_id = ? ORDER BY CAST(redirect_conditions.id AS INTEGER)`,
        rule.id ?? null,
      )
      .map(
        (it): ShlinkCondition => ({
          ...{ type: `${it.type}`, matchKey: it.match_key ?? null },
          matchValue: it.match_value ?? null,
        }),
      ),
  }))
}

/** An API key, unless it may do less than any key here. */
function keyOf(
  { id, key, name, enabled, expiration_date: ends }: Row,
  { tables, zone }: { readonly tables: Gathered; readonly zone: string },
): Item {
  const row = `api_keys id ${id}`
  const shown = name && name !== key ? `The API key “${name}”` : 'The API key'
  const note = (sentence: string): Item => ({ kind: 'note', row, sentence })
  if (!key) return note(`${shown} is empty.`)
  if (!isTrue(enabled)) return note(`${shown} is disabled there.`)
  const roles = tables.all('SELECT role_name FROM api_key_roles WHERE api_key_id = ?', id ?? null)
  if (roles.some(({ role_name: role }) => role !== 'NO_ORPHAN_VISITS')) {
    return note(
      `${shown} is only for some of the links. No key here is, so make another one for whoever has it.`,
    )
  }
  const expiresAt = ends ? readMoment(ends, zone) : undefined
  if (ends && !expiresAt) return note(`${shown} expires at ${quoted(ends)}, which is no date.`)
  return {
    ...{ kind: 'key', row, name: `Shlink, ${name && name !== key ? name : `key ${id}`}` },
    // Since version 4, that is all that Shlink keeps of it.
    sha256: /^[\da-f]{64}$/.test(key) ? key : createHash('sha256').update(key).digest('hex'),
    ...(expiresAt && { expiresAt }),
  }
}
