import { createHash } from 'node:crypto'
import { readMoment } from '../../reading/moments.ts'
import { quoted, tagsOf } from '../../reading/texts.ts'
import type { Asked, Item, LinkItem, Refused } from '../../source.ts'
import { countVisits, type DatedVisit } from '../../tables/count-visits.ts'
import { type Counting, createCounting } from '../../tables/counting.ts'
import { type Gathered, gather, type Row, TooLarge, type Wanted } from '../../tables/gather.ts'
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
      const about = { tables, counting, zone, now: asked.now() }
      const item = unlessTooLarge(`short_urls id ${link.id}`, () => readLink(link, about))
      if (item.kind === 'refused') yield item
      else yield* withCounts(item, counting, `${link.id}`)
    }
    for await (const key of tables.each('api_keys')) {
      yield unlessTooLarge(`api_keys id ${key.id}`, () => keyOf(key, { tables, zone }))
    }
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

/** What is read of a row, unless more in other tables belongs to it than can come. */
function unlessTooLarge<Read>(row: string, read: () => Read): Read | Refused {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    return { kind: 'refused', row, reason: 'It is larger than anything that can come.' }
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
): LinkItem | Refused {
  const { tables, counting, zone, now } = about
  const id = `${link.id}`
  const row = `short_urls id ${id}`
  const [domain] = tables.all('SELECT authority FROM domains WHERE id = ?', link.domain_id ?? null)
  if (link.domain_id && !domain) {
    const reason = `Its domain has the id ${quoted(link.domain_id)}, and the file has none of that id. Make it with all tables.`
    return { kind: 'refused', row, reason }
  }
  const counted = tables
    .all('SELECT potential_bot, count FROM short_url_visits_counts WHERE short_url_id = ?', id)
    .filter(({ potential_bot: isBot }) => !isTrue(isBot))
    .reduce((sum, { count }) => sum + numberIn(count), 0)
  const tags = inOrder(
    tables.all(
      `SELECT tag_id AS "number", name FROM short_urls_in_tags LEFT JOIN tags ON tags.id = tag_id
        WHERE short_url_id = ?`,
      id,
    ),
  ).map(({ name }) => name)
  return linkOf(
    {
      ...{ row, domain: domain?.authority ?? null },
      ...{ shortCode: link.short_code ?? '', longUrl: link.original_url ?? '' },
      ...{ title: link.title ?? null, tags: tags.filter(it => it != null) },
      changes: tags.includes(null) ? ['The file has not all of its tags.'] : [],
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
    `SELECT priority AS "number", id, long_url FROM short_url_redirect_rules WHERE short_url_id = ?`,
    id,
  )
  return inOrder(rules).map(rule => ({
    longUrl: `${rule.long_url}`,
    conditions: inOrder(
      tables.all(
        `SELECT redirect_condition_id AS "number", type, match_key, match_value
          FROM redirect_conditions_in_short_url_redirect_rules
          LEFT JOIN redirect_conditions ON redirect_conditions.id = redirect_condition_id
          WHERE short_url_redirect_rule_id = ?`,
        rule.id ?? null,
      ),
    ).map(
      (it): ShlinkCondition => ({
        // What the file does not have is none that anything here is as.
        ...{ type: it.type ?? 'that is not in the file', matchKey: it.match_key ?? null },
        matchValue: it.match_value ?? null,
      }),
    ),
  }))
}

/** Rows by their number. SQLite would sort all of them before anybody sees how much they are. */
function inOrder(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (Number(a.number) || 0) - (Number(b.number) || 0))
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
