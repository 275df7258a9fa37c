import {
  file,
  isRefusal,
  type Json,
  type Refusal,
  randomCode,
  refusalOf,
  refuse,
  z,
} from '../../../core/plugin.ts'
import { json, noContent, problem, type Said } from './answers.ts'
import { type Asked, listIn, momentOf, pageIn, pagination, textIn } from './asked.ts'
import {
  defaultHost,
  findNamed,
  hostNamed,
  isSaid,
  type Link,
  linkIn,
  linkSchema,
  shown,
} from './called-link.ts'
import { idsOfTags, tagsNamed } from './tags.ts'

const longestPage = 100

/** Shlink makes no shorter codes. */
const leastLength = 4

/** The longest list out of which links are left. */
const mostRead = 10_000

/** What Shlink sorts by. */
const keys: Readonly<Record<string, string>> = {
  dateCreated: 'created_at',
  shortCode: 'short_code',
  title: 'title',
  visits: 'visits',
  nonBotVisits: 'visits',
}

const listed = z.object({ data: z.array(linkSchema), meta: z.object({ total: z.number() }) })

export async function listShortUrls(asked: Asked): Promise<Said> {
  const { query } = asked
  const refused = refuseFilters(asked)
  if (refused) return refused
  const { page, itemsPerPage } = pageIn(asked, 10)
  const wanted = await filters(asked)
  if (wanted instanceof URLSearchParams) {
    const start = (page - 1) * itemsPerPage
    const without = leftOut(asked)
    const found = without
      ? await readWithout(asked, wanted, without, start, itemsPerPage)
      : await readPage(asked, wanted, start, itemsPerPage)
    if (isSaid(found)) return found
    return listAnswer(
      asked,
      found.links,
      pagination(page, itemsPerPage, found.total, found.links.length),
    )
  }
  if (wanted === 'nothing') return listAnswer(asked, [], pagination(page, itemsPerPage, 0, 0))
  return wanted

  async function filters({ call }: Asked) {
    const [key = '', direction = 'ASC'] = (query.get('orderBy') ?? 'dateCreated-DESC').split('-')
    const sort = keys[key] ?? 'created_at'
    const search = (query.get('searchTerm') ?? '').trim().slice(0, 200)
    const wanted = new URLSearchParams({ sort: `${direction === 'DESC' ? '-' : ''}${sort}` })
    if (search !== '') wanted.set('search', search)
    const [from, to] = ['startDate', 'endDate'].map(name => momentOf(query.get(name) ?? undefined))
    if (typeof from === 'string') wanted.set('created_from', from)
    if (typeof to === 'string') wanted.set('created_to', to)
    const domain = query.get('domain')
    if (domain) wanted.set('domain', domain === 'DEFAULT' ? defaultHost(asked) : domain)
    const names = listIn(asked, 'tags')
    if (names.length === 0) return wanted
    const tags = await tagsNamed(call, names)
    if (isRefusal(tags)) return tags
    const isAll = query.get('tagsMode') === 'all'
    if (tags.length === 0 || (isAll && tags.length < new Set(names).size)) return 'nothing' as const
    wanted.set('tag_ids', tags.map(({ id }) => id).join(','))
    if (isAll) wanted.set('tags_mode', 'all')
    return wanted
  }
}

function listAnswer(asked: Asked, links: readonly Link[], pages: object): Said {
  return json({ shortUrls: { data: links.map(link => shown(asked, link)), pagination: pages } })
}

/** No link knows by which key it was made. A list without the filter would be another one. */
function refuseFilters(asked: Asked): Said | undefined {
  if (!asked.query.get('apiKeyName')) return undefined
  const detail = 'Short URLs cannot be filtered by apiKeyName here.'
  return problem(asked, 400, 'invalid-data', detail, { invalidElements: ['apiKeyName'] })
}

/** Which links a list shall not have; undefined if it shall have all. */
function leftOut(asked: Asked): ((link: Link) => boolean) | undefined {
  const { query, now } = asked
  const isSet = (name: string) => !['', '0', 'false'].includes(query.get(name) ?? '')
  const tags = listIn(asked, 'excludeTags').map(it => it.trim().toLowerCase())
  const isAll = query.get('excludeTagsMode') === 'all'
  const at = now().toISOString()
  const reasons = [
    ...(tags.length > 0
      ? [
          (link: Link) => {
            const own = new Set(link.tags.map(({ name }) => name.toLowerCase()))
            return isAll ? tags.every(it => own.has(it)) : tags.some(it => own.has(it))
          },
        ]
      : []),
    ...(isSet('excludePastValidUntil')
      ? [({ expiresAt }: Link) => !!expiresAt && expiresAt <= at]
      : []),
    ...(isSet('excludeMaxVisitsReached')
      ? [({ maxVisits, visits }: Link) => !!maxVisits && visits.total >= maxVisits]
      : []),
  ]
  return reasons.length > 0 ? link => reasons.some(reason => reason(link)) : undefined
}

/** The API has no such filters: the whole list is read, and what is left of it is one. */
async function readWithout(
  asked: Asked,
  wanted: URLSearchParams,
  without: (link: Link) => boolean,
  start: number,
  limit: number,
) {
  const found = await readPage(asked, wanted, 0, mostRead)
  if (isRefusal(found)) return found
  if (found.total > mostRead) {
    const detail = `Links are left out of lists of up to ${mostRead}. Filter by a tag, a domain or a date, too.`
    return problem(asked, 400, 'invalid-data', detail, { invalidElements: ['excludeTags'] })
  }
  const left = found.links.filter(link => !without(link))
  return { links: left.slice(start, start + limit), total: left.length }
}

/** Links from a place in an order on. */
async function readPage({ call }: Asked, wanted: URLSearchParams, start: number, limit: number) {
  const links: Link[] = []
  let total = 0
  // No more than was asked for: some links are long.
  const perPage = start % limit === 0 ? Math.min(longestPage, limit) : longestPage
  const from = start % perPage
  for (let page = Math.floor(start / perPage) + 1; links.length < from + limit; page += 1) {
    wanted.set('per_page', `${perPage}`)
    wanted.set('page', `${page}`)
    const called = await call('GET', `/links?${wanted}`)
    if (called.status !== 200) return refusalOf(called)
    const { data, meta } = listed.parse(called.body)
    links.push(...data)
    total = meta.total
    if (data.length < perPage) break
  }
  return { links: links.slice(from, from + limit), total }
}

export async function createShortUrl(asked: Asked): Promise<Said> {
  const made = await make(asked)
  return isSaid(made) ? made : json(shown(asked, made))
}

/** All in one address, for programs that can only open one. */
export async function shortenByAddress(asked: Asked): Promise<Said> {
  const { query } = asked
  const body = { longUrl: query.get('longUrl') ?? '' }
  const made = await make({ ...asked, body })
  const isText = query.get('format') === 'txt'
  if (!isSaid(made)) {
    return isText
      ? file('text/plain; charset=utf-8', made.shortUrl, 0)
      : json({ longUrl: made.originalUrl, shortUrl: made.shortUrl, shortCode: made.shortCode })
  }
  return made
}

async function make(asked: Asked): Promise<Link | Said> {
  const { call, body } = asked
  const change = await changeOf(asked)
  if (isRefusal(change)) return change
  const host = hostNamed(asked, textIn(asked, 'domain'))
  const wish = withoutNulls({
    originalUrl: body.longUrl ?? '',
    ...change,
    ...(host !== undefined && { domain: host }),
  })
  const slug = textIn(asked, 'customSlug')
  const found = isTrue(body.findIfExists) ? await findSame(asked, wish, slug) : undefined
  if (found) return found
  const prefix = textIn(asked, 'pathPrefix') ?? ''
  const length = Number(body.shortCodeLength ?? 0)
  const isOfLength = Number.isInteger(length) && length >= leastLength
  if (body.shortCodeLength != null && !isOfLength) {
    const detail = `shortCodeLength has to be a whole number, and at least ${leastLength}.`
    return refuse('validation_failed', detail, 422, 'shortCodeLength')
  }
  const isOwn = slug !== undefined || prefix !== '' || isOfLength
  if (!isOwn) return createWith(wish)
  // A random code of a length, or behind a prefix, may be taken.
  for (let attempts = 0; ; attempts += 1) {
    const code = slug ?? randomCode(isOfLength ? Math.min(64, length) : 5)
    const made = await createWith({ ...wish, shortCode: `${prefix}${code}` })
    if (!isSaid(made) || slug !== undefined || attempts >= 4) return made
    if (!isRefusal(made) || made.code !== 'short_code_taken') return made
  }

  /** Shlink forwards queries unless it is told not to; where that cannot be, the link is made all the same. */
  async function createWith(wish: Readonly<Record<string, Json>>): Promise<Link | Refusal> {
    if (wish.forwardQuery !== undefined) return linkIn(await call('POST', '/links', wish))
    const made = linkIn(await call('POST', '/links', { ...wish, forwardQuery: true }))
    const isWithout =
      isRefusal(made) &&
      (made.code === 'feature_not_in_plan' || /^forward_?query$/i.test(made.field ?? ''))
    return isWithout ? linkIn(await call('POST', '/links', wish)) : made
  }
}

/**
 * What Shlink compares besides the address, where it is given: nothing else of a link matters to it. Of more than a page that
 * could be the same, the oldest are looked at.
 */
async function findSame(
  asked: Asked,
  wish: Readonly<Record<string, Json>>,
  slug: string | undefined,
): Promise<Link | Refusal | undefined> {
  const { originalUrl, domain = defaultHost(asked), maxVisits, startsAt, expiresAt } = wish
  if (typeof originalUrl !== 'string') return undefined
  const tags = wish.tagIds as readonly string[] | undefined
  const wanted = new URLSearchParams({
    ...{ sort: 'created_at', original_url: originalUrl, domain: `${domain}` },
    ...(slug !== undefined && { short_code: slug }),
    ...(tags && { tag_ids: tags.join(','), tags_mode: 'all' }),
  })
  const list = await readPage(asked, wanted, 0, longestPage)
  if (isRefusal(list)) return list
  const isAt = (moment: Json | undefined, other: string | null | undefined) =>
    moment === undefined || Date.parse(`${moment}`) === Date.parse(other ?? '')
  return list.links.find(
    link =>
      (maxVisits === undefined || link.maxVisits === maxVisits) &&
      isAt(startsAt, link.startsAt) &&
      isAt(expiresAt, link.expiresAt) &&
      (!tags || (link.tags.length === tags.length && link.tags.every(it => tags.includes(it.id)))),
  )
}

export async function showShortUrl(asked: Asked): Promise<Said> {
  const link = await findNamed(asked)
  return isSaid(link) ? link : json(shown(asked, link))
}

export async function editShortUrl(asked: Asked): Promise<Said> {
  const link = await findNamed(asked)
  if (isSaid(link)) return link
  const change = await changeOf(asked)
  if (isRefusal(change)) return change
  const { longUrl } = asked.body
  const all = {
    ...change,
    ...(longUrl !== undefined && longUrl !== null && { originalUrl: longUrl }),
  }
  const changed = linkIn(await asked.call('PATCH', `/links/${link.id}`, all))
  return isRefusal(changed) ? changed : json(shown(asked, changed))
}

export async function deleteShortUrl(asked: Asked): Promise<Said> {
  const link = await findNamed(asked)
  if (isSaid(link)) return link
  const called = await asked.call('DELETE', `/links/${link.id}`)
  return called.status === 204 ? noContent : refusalOf(called)
}

/** The fields of a body that making and editing have in common, in the words of the API. */
async function changeOf(asked: Asked): Promise<Readonly<Record<string, Json>> | Refusal> {
  const { title, maxVisits, crawlable, forwardQuery, validSince, validUntil, tags } = asked.body
  const given: Readonly<Record<string, Json | undefined>> = {
    title: title === '' ? null : title,
    ...{ maxVisits, crawlable, forwardQuery },
    ...{ startsAt: momentOf(validSince), expiresAt: momentOf(validUntil) },
  }
  const change = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  if (tags === undefined || tags === null) return change
  const tagIds = await idsOfTags(asked, tags)
  return isRefusal(tagIds) ? tagIds : { ...change, tagIds: [...tagIds] }
}

/** New links have nothing to clear, and a plugin that is off has no field that could be null. */
function withoutNulls(fields: Readonly<Record<string, Json>>): Record<string, Json> {
  const empty = (value: Json) => value === null || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !empty(value)))
}

function isTrue(value: Json | undefined): boolean {
  return value === true || value === 'true' || value === '1'
}
