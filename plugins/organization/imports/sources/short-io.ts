import { toggle, z } from '../../../../core/plugin.ts'
import { announce } from '../reading/announce.ts'
import { type Api, inPath, openApi } from '../reading/api.ts'
import { linkItem } from '../reading/link-item.ts'
import { readBounds, readPast } from '../reading/moments.ts'
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
  notRead,
  readThing,
  someFlag,
  someNumber,
  someText,
} from '../reading/service.ts'
import { readCode } from '../reading/short-url.ts'
import { readTableLinks } from '../reading/table-links.ts'
import { quoted } from '../reading/texts.ts'
import { type Owner, offTheirHost } from '../reading/their-hosts.ts'
import {
  type Asked,
  type Item,
  type LinkItem,
  type Refused,
  type Source,
  SourceError,
} from '../source.ts'

const owner: Owner = { label: 'Short.io', isTheirs: host => /(^|\.)(short\.gy|s\.gy)$/.test(host) }

export const shortIo: Source = {
  name: 'short-io',
  label: 'Short.io',
  about:
    'Reads the domains and links of an account from the API of Short.io, with a secret key, or a CSV file that Short.io exported.',
  settings: {
    key: keyField('SHORT_IO_API_KEY', 'A secret key, from Integrations & API.'),
    rules: toggle({
      label: 'Countries',
      hint: 'Where visitors of some countries go. One request for each link.',
      default: true,
    }),
    api: apiField('https://api.short.io'),
  },
  file: { endings: ['.csv', '.tsv'], orSettings: ['key'] },
  read: asked =>
    passingQueries(asked.file ? readTableLinks(asked, { owner }) : announce(readAccount(asked))),
}

const domainSchema = z.object({
  ...{ id: z.int(), hostname: hostSchema, caseSensitive: someFlag },
})

type Domain = z.output<typeof domainSchema>

const linkSchema = z.object({
  id: idSchema,
  ...{
    idString: idSchema.nullish().catch(null),
    path: z.string().max(1_000),
    originalURL: z.string().min(1),
    title: someText,
  },
  tags: z.array(z.string()).nullish().catch(null),
  ...{
    hasPassword: z.boolean().nullish(),
    expiredURL: someText,
    androidURL: someText,
    iphoneURL: someText,
  },
  ...{ expiresAt: z.union([z.string(), z.number()]).nullish(), clicksLimit: z.number().nullish() },
  createdAt: z.union([z.string(), z.number()]).nullish().catch(null),
  ...{ archived: someFlag, cloaking: someFlag, skipQS: someFlag, splitURL: someText },
  ...{ splitPercent: someNumber, utmSource: someText, utmMedium: someText, utmCampaign: someText },
  ...{ utmTerm: someText, utmContent: someText },
  redirectType: z.union([z.string(), z.number()]).nullish().catch(null),
})

type Link = z.output<typeof linkSchema>

const pageSchema = z.object({ links: z.array(z.unknown()), nextPageToken: someText })
const countriesSchema = z.array(z.object({ country: z.string(), originalURL: z.string() }))
const rootSchema = z.object({ originalURL: someText })

/** Short.io passes on what query a visitor brings, unless a link or its original URL says otherwise. */
async function* passingQueries(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    if (item.kind !== 'link') yield item
    else {
      const { forwardQuery = true, ...fields } = item.fields
      const originalUrl = withoutMark(fields.originalUrl)
      const passes = forwardQuery && originalUrl === fields.originalUrl
      yield { ...item, fields: { ...fields, originalUrl, ...(passes && { forwardQuery: true }) } }
    }
  }
}

/** Without the parameter that says so. */
function withoutMark(url: string): string {
  return url.replace(/\?shortio_nomerge=[^&#]*&/, '?').replace(/[?&]shortio_nomerge=[^&#]*/, '')
}

async function* readAccount(asked: Asked): AsyncGenerator<Item> {
  const api = openApi(asked, {
    name: shortIo.label,
    base: String(asked.settings.api),
    headers: { Authorization: keyOf(asked, shortIo.label) },
  })
  const path = '/api/domains'
  for (const row of arrayOf(await api.get(path), path)) {
    const read = domainSchema.safeParse(row)
    if (read.success) yield* readDomain(api, read.data, asked)
    else yield notRead('a domain', read.error)
  }
}

async function* readDomain(api: Api, domain: Domain, asked: Asked): AsyncGenerator<Item> {
  const host = domain.hostname.toLowerCase()
  const query = { domain: domain.hostname, path: '' }
  const { data: root } = rootSchema.safeParse(
    await api.get('/links/expand', query, [400, 403, 404, 409]),
  )
  const rootUrl = root?.originalURL || null
  if (!owner.isTheirs(host)) {
    yield { kind: 'host', row: host, host, rootUrl, anyCase: domain.caseSensitive === false }
  }
  let count = 0
  for await (const row of linksOf(api, domain)) {
    count += 1
    const read = readThing(linkSchema, row)
    if ('error' in read) yield notRead(`link ${count} on ${host}`, read.error)
    else if (readCode(read.data.path) !== '')
      yield await itemOf(api, read.data, { host, changes: [...read.changes] }, asked)
    else if (rootUrl === null) {
      const sentence = `The bare address led to ${quoted(read.data.originalURL)}: set that yourself.`
      yield { kind: 'note', row: host, sentence }
    }
  }
}

/** The links of a domain, the oldest first. */
function linksOf(api: Api, { id }: Domain): AsyncGenerator<unknown> {
  let pageToken: string | undefined
  let isLast = false
  return eachOnce(shortIo.label, idOf, async () => {
    if (isLast) return []
    const query = { domain_id: id, limit: 150, dateSortOrder: 'asc', pageToken }
    const { data: page } = pageSchema.safeParse(await api.get('/api/links', query))
    if (!page) throw new SourceError('Short.io does not answer /api/links with links.')
    pageToken = page.nextPageToken || undefined
    isLast = pageToken === undefined
    return page.links
  })
}

async function itemOf(
  api: Api,
  link: Link,
  { host, changes }: { readonly host: string; readonly changes: string[] },
  { settings, now }: Asked,
): Promise<LinkItem | Refused> {
  const row = `${host}/${link.path}`
  const refused = (reason: string): Refused => ({ kind: 'refused', row, reason })
  if (link.hasPassword)
    return refused('It has a password, which Short.io does not tell. Make it anew, with one.')
  const path = `/link_country/${inPath(link.idString ?? link.id)}`
  const answer = settings.rules === false ? [] : await api.get(path, {}, [403, 404])
  const { data: countries, error } = countriesSchema.safeParse(answer ?? [])
  if (error) changes.push('Where visitors of some countries go could not be read.')
  const about = { row, host, countries: countries ?? [], changes }
  return offTheirHost(linkOf(link, about, now()), owner)
}

function linkOf(
  link: Link,
  about: {
    readonly row: string
    readonly host: string
    readonly countries: z.output<typeof countriesSchema>
    readonly changes: string[]
  },
  now: Date,
): LinkItem {
  const { row, host, countries, changes } = about
  const bounds = readBounds({ startsAt: null, expiresAt: textOf(link.expiresAt) }, 'UTC', changes)
  const { splitURL, splitPercent, clicksLimit } = link
  const split = splitURL && splitPercent ? [{ url: splitURL, weight: splitPercent }] : []
  const status = Number(link.redirectType)
  if (link.cloaking) changes.push('It hides where it leads there. Here it redirects.')
  if (clicksLimit)
    changes.push(
      'Short.io does not tell how many visits of its limit are used up. Here it begins anew.',
    )
  return linkItem(
    {
      ...{ row, id: link.idString ?? link.id, host, code: readCode(link.path), changes },
      ...{ originalUrl: link.originalURL, title: link.title, tags: link.tags ?? [] },
      fields: given({
        ...bounds.fields,
        expiredUrl: link.expiredURL,
        maxVisits: clicksLimit || undefined,
        ...(link.skipQS === true && { forwardQuery: false }),
        redirectStatus: [301, 307, 308].includes(status) ? status : undefined,
        ...utmOf({
          ...{ source: link.utmSource, medium: link.utmMedium, campaign: link.utmCampaign },
          ...{ term: link.utmTerm, content: link.utmContent },
        }),
        ...routingOf(
          {
            ...{ ios: link.iphoneURL, android: link.androidURL, split },
            countries: Object.fromEntries(countries.map(it => [it.country, it.originalURL])),
          },
          changes,
        ),
      }),
      createdAt: readPast(textOf(link.createdAt), 'UTC', changes),
      isClosed: bounds.isClosed,
      isArchived: link.archived ?? false,
    },
    now,
  )
}

function textOf(at: string | number | null | undefined): string | null {
  return at ? String(at) : null
}
