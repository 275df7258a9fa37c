import { domainToUnicode } from 'node:url'
import { z } from '../../../../core/plugin.ts'
import { announce } from '../reading/announce.ts'
import { type Api, openApi, type Query } from '../reading/api.ts'
import { forAllLinks } from '../reading/for-all-links.ts'
import { linkItem } from '../reading/link-item.ts'
import { readBounds, readMoment, readPast } from '../reading/moments.ts'
import { arrayOf, eachOnce } from '../reading/pages.ts'
import { given, utmOf } from '../reading/row-link.ts'
import { routingOf } from '../reading/rules.ts'
import {
  apiField,
  hostSchema,
  idOf,
  idSchema,
  keyField,
  keyOf,
  noteNotRead,
  notRead,
  readThing,
  someFlag,
  someNumber,
  someText,
} from '../reading/service.ts'
import { readCode } from '../reading/short-url.ts'
import { readTableLinks } from '../reading/table-links.ts'
import { tagsOf } from '../reading/texts.ts'
import { type Owner, offTheirHost } from '../reading/their-hosts.ts'
import type { Asked, Host, Item, LinkItem, Source } from '../source.ts'

/** The code of the bare address of a host. */
const root = '_root'

const pageSize = 100

const hosts: ReadonlySet<string> = new Set([
  ...['dub.sh', 'dub.link', 'git.new', 'spti.fi', 'cal.link', 'chatg.pt', 'stey.me', 'amzn.id'],
  ...['ggl.link', 'fig.page', 'loooooooo.ng'],
])

const owner: Owner = { label: 'Dub', isTheirs: host => hosts.has(host) }

export const dub: Source = {
  name: 'dub',
  label: 'Dub',
  about:
    'Reads the links of a workspace from the API of Dub, with a key of it, or a CSV file that Dub exported.',
  settings: {
    key: keyField(
      'DUB_API_KEY',
      'From Settings, API Keys of the workspace, for reading links, domains and tags.',
    ),
    api: apiField('https://api.dub.co'),
  },
  file: { endings: ['.csv'], orSettings: ['key'] },
  read: asked =>
    forAllLinks(
      asked.file ? readTableLinks(asked, { owner }) : announce(readWorkspace(asked)),
      // Dub passes on whatever query a visitor brings.
      { forwardQuery: true },
    ),
}

const domainSchema = z.object({
  slug: hostSchema,
  notFoundUrl: someText,
  expiredUrl: someText,
})

const linkSchema = z.object({
  ...{ id: idSchema, domain: hostSchema, key: z.string().max(1_000), url: z.string().min(1) },
  ...{ archived: someFlag, expiresAt: z.string().nullish(), expiredUrl: someText },
  disabledAt: z.string().nullish(),
  password: z.string().nullish(),
  ...{ title: someText, comments: someText, clicks: someNumber },
  ...{ proxy: someFlag, rewrite: someFlag, ios: someText, android: someText },
  geo: z.record(z.string(), z.string()).nullish().catch(null),
  tags: z
    .array(z.object({ name: z.string(), color: someText }))
    .nullish()
    .catch(null),
  ...{ utm_source: someText, utm_medium: someText, utm_campaign: someText, utm_term: someText },
  utm_content: someText,
  testVariants: z
    .array(z.object({ url: z.string(), percentage: z.number() }))
    .nullish()
    .catch(null),
  ...{ testCompletedAt: someText, lastClicked: someText, createdAt: someText, updatedAt: someText },
})

type Link = z.output<typeof linkSchema>

/** What its domains say of links on them. */
type Domains = Map<string, z.output<typeof domainSchema>>

async function* readWorkspace(asked: Asked): AsyncGenerator<Item> {
  const key = keyOf(asked, dub.label)
  const api = openApi(asked, {
    name: dub.label,
    base: String(asked.settings.api),
    headers: { Authorization: `Bearer ${key}` },
  })
  const domains: Domains = new Map()
  yield* readDomains(api, domains)
  yield* readTags(api)
  const rows = eachOnce(dub.label, idOf, async last => {
    const query = {
      pageSize,
      showArchived: 'true',
      startingAfter: last === undefined ? last : idOf(last),
    }
    return arrayOf(await api.get('/links', query), '/links')
  })
  let count = 0
  for await (const row of rows) {
    count += 1
    const read = readThing(linkSchema, row)
    if ('error' in read) yield notRead(`link ${count}`, read.error)
    else yield* itemsOf(read.data, domains, [...read.changes], asked.now())
  }
}

/** Hosts come first, each with what its bare address leads to. A key may be for links alone: then they are not asked for. */
async function* readDomains(api: Api, domains: Domains): AsyncGenerator<Item> {
  for await (const row of numbered(api, '/domains', { pageSize: 50, archived: 'true' }, 'slug')) {
    const { data: domain, error } = domainSchema.safeParse(row)
    if (error) {
      yield noteNotRead('a domain', error)
      continue
    }
    const query = { domain: domain.slug, key: root }
    const { data: link } = rootSchema.safeParse(await api.get('/links/info', query, [403, 404]))
    domains.set(domain.slug.toLowerCase(), domain)
    const rest = { rootUrl: link?.url || null, notFoundUrl: domain.notFoundUrl || null }
    yield { ...hostOf(domain.slug.toLowerCase()), ...rest }
  }
}

const rootSchema = z.object({ url: someText })

/** Dub reads codes in any case on all hosts but some of its own. */
function hostOf(host: string): Host {
  return { kind: 'host', row: host, host, anyCase: true }
}

const tagSchema = z.object({ name: z.string().min(1), color: someText })

async function* readTags(api: Api): AsyncGenerator<Item> {
  for await (const row of numbered(api, '/tags', { pageSize: 100 }, 'name')) {
    const { data: tag } = tagSchema.safeParse(row)
    const [name] = tagsOf([tag?.name ?? ''], [])
    if (name) yield { kind: 'tag', row: `tag ${name}`, name, color: colorOf(tag?.color) }
  }
}

/** What a list has whose pages have numbers, or which is one page. Nothing if the key may not read it. */
function numbered(api: Api, path: string, query: Query, key: string): AsyncGenerator<unknown> {
  const idOfRow = (row: unknown) => String(Object(row)[key])
  let page = 0
  let first: string | undefined
  return eachOnce(dub.label, idOfRow, async () => {
    page += 1
    const rows = arrayOf((await api.get(path, { ...query, page }, [403])) ?? [], path)
    const isSame = rows.length > 0 && idOfRow(rows[0]) === first
    first = idOfRow(rows[0])
    return isSame ? [] : rows
  })
}

/** Dub has names for colours. */
const colors: Readonly<Record<string, string>> = {
  ...{ red: '#C92A2A', yellow: '#8A6100', green: '#2F7D32', blue: '#1971C2', purple: '#7048E8' },
  ...{ pink: '#C2255C', brown: '#C2410C', gray: '#495057' },
}

function colorOf(color: string | null | undefined): string | null {
  return colors[color ?? ''] ?? null
}

function* itemsOf(link: Link, domains: Domains, changes: string[], now: Date): Generator<Item> {
  const host = link.domain.toLowerCase()
  const domain = domains.get(host)
  if (!domain && !owner.isTheirs(host)) {
    domains.set(host, { slug: host, notFoundUrl: null, expiredUrl: null })
    yield { ...hostOf(host), rootUrl: link.key === root ? link.url : null }
  }
  // What the bare address leads to came with its host.
  if (link.key === root) return
  yield offTheirHost(linkOf(link, domain, changes, now), owner)
}

function linkOf(
  link: Link,
  domain: z.output<typeof domainSchema> | undefined,
  changes: string[],
  now: Date,
): LinkItem {
  const row = `${link.domain}/${link.key}`
  const bounds = readBounds({ startsAt: null, expiresAt: link.expiresAt }, 'UTC', changes)
  const disabledAt = link.disabledAt ? (momentOf(link.disabledAt) ?? now) : undefined
  if (disabledAt) changes.push('It is disabled there. Here it ended when it was disabled.')
  if (link.rewrite) changes.push('It hides where it leads there. Here it redirects.')
  if (link.proxy) changes.push('Its card for social networks does not come along.')
  const end = disabledAt?.toISOString() ?? bounds.fields.expiresAt
  const expiredUrl = disabledAt
    ? domain?.notFoundUrl
    : (link.expiredUrl ?? (end && domain?.expiredUrl))
  return linkItem(
    {
      ...{ row, id: link.id, host: link.domain.toLowerCase(), changes },
      code: codeOf(link.key, changes),
      ...{ originalUrl: link.url, title: link.title, notes: link.comments },
      tags: link.tags?.map(({ name }) => name) ?? [],
      fields: given({
        expiresAt: end,
        expiredUrl,
        ...utmOf({
          ...{ source: link.utm_source, medium: link.utm_medium, campaign: link.utm_campaign },
          ...{ term: link.utm_term, content: link.utm_content },
        }),
        ...routingOf(
          { ios: link.ios, android: link.android, countries: link.geo, split: splitOf(link, now) },
          changes,
        ),
      }),
      ...(link.password && { password: { text: link.password } }),
      createdAt: readPast(link.createdAt, 'UTC', changes),
      updatedAt: readPast(link.updatedAt, 'UTC', changes),
      lastVisitAt: readPast(link.lastClicked, 'UTC', changes),
      isClosed: bounds.isClosed,
      isArchived: link.archived ?? false,
      visits: link.clicks ?? undefined,
    },
    now,
  )
}

/** Dub keeps letters beyond ASCII in punycode. */
function codeOf(key: string, changes: string[]): string {
  if (!/(^|\.)xn--/.test(key)) return readCode(key)
  const read = domainToUnicode(key)
  if (read !== '' && !key.includes('/')) return read
  changes.push('Its code has letters that Dub writes in punycode, and comes along as it is there.')
  return readCode(key)
}

/** A test that is over has a winner, which is the link's own URL then. */
function splitOf({ testVariants, testCompletedAt }: Link, now: Date) {
  const end = momentOf(testCompletedAt)
  if (end !== undefined && end <= now) return []
  return (testVariants ?? []).map(({ url, percentage }) => ({ url, weight: percentage }))
}

function momentOf(text: string | null | undefined): Date | undefined {
  return text ? readMoment(text, 'UTC') : undefined
}
