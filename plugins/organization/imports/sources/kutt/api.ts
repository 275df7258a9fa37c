import { createHash } from 'node:crypto'
import { type PastCounts, z } from '../../../../../core/plugin.ts'
import { type Api, inPath, openApi } from '../../reading/api.ts'
import { linkItem } from '../../reading/link-item.ts'
import { readBounds, readMoment, readPast } from '../../reading/moments.ts'
import { createSeen } from '../../reading/seen.ts'
import { notRead, readThing, someText } from '../../reading/service.ts'
import { type Asked, type Host, type Item, type LinkItem, SourceError } from '../../source.ts'
import { isTrue } from '../../tables/read-values.ts'

/** Kutt gives no more at once. What is deleted meanwhile moves others to the page before, so that pages overlap. */
const pageSize = 50
const overlap = 10

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Databases have truths of their own, which come through the API. */
const flag = z.unknown().transform(it => isTrue(String(it)))

const linkSchema = z.object({
  ...{ address: z.string().min(1), target: z.string(), domain: someText, description: someText },
  // Where all links are listed, `id` is a number.
  id: z.union([z.string(), z.number()]).optional(),
  uuid: someText,
  // There, the default host has its name, and no id.
  domain_id: z.number().nullish(),
  ...{ banned: flag, password: flag },
  visit_count: z.coerce.number().nullish().catch(null),
  ...{
    created_at: someText,
    updated_at: someText,
    expire_in: z.string().nullish(),
    email: someText,
  },
})

type KuttLink = z.output<typeof linkSchema>

const userSchema = z.object({
  ...{ email: someText, apikey: someText },
  domains: z.array(z.object({ address: z.string().min(1), homepage: someText })).catch([]),
})

const period = z.object({ views: z.array(z.number().int().min(0)) })
const statsSchema = z.object({ lastDay: period, lastMonth: period, updatedAt: someText })

export interface KuttServer {
  readonly url: string
  readonly key: string
  /** Whether to read those of all users, which needs the key of an admin. */
  readonly hasAllLinks: boolean
}

/** Links, domains and the key of a user, or the links of all, from the API of Kutt, version 2. */
export async function* readKuttApi(asked: Asked, server: KuttServer): AsyncGenerator<Item> {
  const { key, hasAllLinks } = server
  const base = `${server.url.replace(/\/+$/, '')}/api/v2`
  const api = openApi(asked, { name: 'Kutt', base, headers: { 'X-API-Key': key } })
  const user = userSchema.safeParse(await api.get('/users'))
  if (!user.success) throw notKutt(base)
  const hosts = createSeen()
  for (const { address, homepage } of user.data.domains) {
    hosts.add(address.toLowerCase())
    yield hostOf(address, homepage)
  }
  const seen = createSeen()
  for await (const { row, found } of linksOf(api, hasAllLinks)) {
    const link = readThing(linkSchema, found)
    if ('error' in link) {
      yield notRead(row, link.error)
      continue
    }
    const item = linkOf(link.data, { hasAllLinks, now: asked.now(), changes: [...link.changes] })
    if (!seen.add(item.id)) continue
    if (item.host !== null && hosts.add(item.host)) yield hostOf(item.host)
    yield item
    if (Number(link.data.visit_count) > 0) yield* countsOf(item, { api, asked })
  }
  const owner = user.data.email ?? null
  const sha256 = createHash('sha256').update(key).digest('hex')
  const name = `Kutt, ${owner ?? 'API key'}`
  yield { kind: 'key', row: 'users', name, sha256, owner, tellsOwner: true }
}

async function* linksOf(api: Api, hasAllLinks: boolean) {
  const path = hasAllLinks ? '/links/admin' : '/links'
  const pageSchema = z.object({ data: z.array(z.unknown()) })
  let before = ''
  for (let skip = 0; ; skip += pageSize - overlap) {
    const answer = await api.get(path, { limit: pageSize, skip }, hasAllLinks ? [401, 403] : [])
    if (answer === undefined) {
      throw new SourceError(
        'Only an admin of Kutt may list the links of all users. Enter the API key of one, or import those of one user.',
      )
    }
    const page = pageSchema.safeParse(answer)
    if (!page.success) throw notKutt(path)
    const { data } = page.data
    for (const [index, found] of data.entries()) yield { row: `link ${skip + index + 1}`, found }
    const first = JSON.stringify(data[0])
    // What is no Kutt may answer with the same page for ever.
    if (data.length <= overlap || first === before) return
    before = first
  }
}

function linkOf(
  link: KuttLink,
  {
    hasAllLinks,
    now,
    changes,
  }: { readonly hasAllLinks: boolean; readonly now: Date; readonly changes: string[] },
): LinkItem {
  const { address, domain, domain_id: domainId, expire_in: ends, banned, password } = link
  const host = domain && !(hasAllLinks && domainId == null) ? domain.toLowerCase() : null
  // Over the API, its dates name their zone, or are in UTC.
  const bounds = readBounds({ startsAt: null, expiresAt: ends }, 'UTC', changes)
  if (banned) changes.push('It was banned there, and has ended here.')
  if (password) changes.push(locked)
  return linkItem(
    {
      row: `link ${host ?? ''}/${address}`,
      id: String(link.uuid ?? link.id ?? `${host ?? ''}/${address}`),
      ...{ host, code: address, originalUrl: link.target, notes: link.description ?? null },
      fields: bounds.fields,
      owner: link.email ?? null,
      createdAt: readPast(link.created_at, 'UTC', changes),
      updatedAt: readPast(link.updated_at, 'UTC', changes),
      isClosed: banned || password || bounds.isClosed,
      visits: link.visit_count ?? undefined,
      changes,
    },
    now,
  )
}

const locked =
  'The API does not tell its password. It has ended here: set a password, and remove the end. A dump of the database has the password.'

/**
 * The visits of 30 days. Each number is of 24 hours, or of an hour of the last day, which are counted from when the server answered.
 * What browsers and countries there were is known of all days together only, so that no day can have it.
 */
async function* countsOf(
  link: LinkItem,
  { api, asked }: { readonly api: Api; readonly asked: Asked },
): AsyncGenerator<Item> {
  const { id, row, createdAt = new Date(0) } = link
  const stats = statsSchema.safeParse(await api.get(`/links/${inPath(id)}/stats`, {}, [400, 404]))
  if (!stats.success) return
  const { lastDay, lastMonth, updatedAt } = stats.data
  const said = readMoment(updatedAt ?? '', 'UTC')?.getTime() ?? Number.POSITIVE_INFINITY
  const end = Math.min(said, asked.now().getTime())
  const middle = (spans: number, spanMs: number) =>
    new Date(Math.max(end - (spans + 0.5) * spanMs, createdAt.getTime()))
  const days = lastMonth.views.slice(0, -1).toReversed()
  const counts: PastCounts[] = [
    ...lastDay.views.toReversed().map((visits, hours) => ({ at: middle(hours, hourMs), visits })),
    ...days.map((visits, index) => ({
      at: middle(index + 1, dayMs)
        .toISOString()
        .slice(0, 10),
      visits,
    })),
  ].filter(({ visits }) => visits > 0)
  if (counts.length > 0) yield { kind: 'counts', row, link: id, part: 'last 30 days', counts }
}

function hostOf(address: string, homepage?: string | null): Host {
  const host = address.toLowerCase()
  return { kind: 'host', row: `domain ${host}`, host, ...(homepage && { rootUrl: homepage }) }
}

function notKutt(path: string): SourceError {
  return new SourceError(`${path} does not answer as the API of Kutt does. Is its address right?`)
}
