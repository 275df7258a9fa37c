import { toggle, z } from '../../../../core/plugin.ts'
import { announce } from '../reading/announce.ts'
import { type Api, inPath, openApi } from '../reading/api.ts'
import { forAllLinks, keepsStatusField, keptStatus } from '../reading/for-all-links.ts'
import { linkItem } from '../reading/link-item.ts'
import { readPast } from '../reading/moments.ts'
import { eachOnce } from '../reading/pages.ts'
import {
  apiField,
  idOf,
  idSchema,
  keyField,
  keyOf,
  notRead,
  readThing,
  someFlag,
  someText,
} from '../reading/service.ts'
import { readTableLinks } from '../reading/table-links.ts'
import { type Asked, type Item, type LinkItem, type Source, SourceError } from '../source.ts'
import { owner, placesOf } from './bitly/places.ts'
import { type Days, readDays, visitsIn } from './bitly/visits.ts'

export const bitly: Source = {
  name: 'bitly',
  label: 'Bitly',
  about:
    'Reads the links of all groups from the API of Bitly, with an access token, or a CSV file that Bitly exported.',
  settings: {
    key: keyField('BITLY_TOKEN', 'An access token, from Settings, API.'),
    api: apiField('https://api-ssl.bitly.com/v4'),
    visits: toggle({
      label: 'Visits by day',
      hint: 'One request for each link, of which Bitly takes some 1,500 an hour.',
      default: true,
    }),
    details: toggle({
      label: 'Countries and referers',
      hint: 'Two more requests for each day on which a link was visited.',
      default: false,
    }),
    keepsStatus: keepsStatusField('Redirect with 301, as Bitly does'),
  },
  file: { endings: ['.csv'], orSettings: ['key'] },
  read: asked =>
    forAllLinks(
      asked.file ? readTableLinks(asked, { owner }) : announce(readGroups(asked)),
      keptStatus(asked, 301),
    ),
}

const groupsSchema = z.object({ groups: z.array(z.object({ guid: z.string().min(1) })) })

const pageSchema = z.object({
  links: z.array(z.unknown()),
  pagination: z.object({ next: someText, search_after: someText }),
})

const linkSchema = z.object({
  ...{ id: idSchema, long_url: z.string().min(1), title: someText, archived: someFlag },
  ...{ created_at: someText, custom_bitlinks: z.array(z.string()).nullish().catch(null) },
  tags: z.array(z.string()).nullish().catch(null),
  deeplinks: z.array(z.unknown()).nullish().catch(null),
})

type Link = z.output<typeof linkSchema>

async function* readGroups(asked: Asked): AsyncGenerator<Item> {
  const api = openApi(asked, {
    name: bitly.label,
    base: String(asked.settings.api),
    headers: { Authorization: `Bearer ${keyOf(asked, bitly.label)}` },
  })
  const { data } = groupsSchema.safeParse(await api.get('/groups'))
  if (!data)
    throw new SourceError('Bitly does not answer with groups. Is the address of its API right?')
  const { visits, details } = asked.settings
  let isToldApart = visits !== false
  let count = 0
  for await (const row of linksOf(api, data.groups)) {
    count += 1
    const read = readThing(linkSchema, row)
    if ('error' in read) {
      yield notRead(`link ${count}`, read.error)
      continue
    }
    const days = isToldApart
      ? await readDays(api, read.data.id, details === true, asked.now())
      : undefined
    if (isToldApart && days === undefined) {
      isToldApart = false
      yield {
        ...{ kind: 'note', row: 'visits' },
        sentence: 'Visits do not come along: your plan at Bitly does not include them in its API.',
      }
    }
    yield* itemsOf(read.data, days, [...read.changes], asked.now())
  }
}

/** The links of all groups, archived ones too, each once. */
async function* linksOf(
  api: Api,
  groups: readonly { readonly guid: string }[],
): AsyncGenerator<unknown> {
  for (const { guid } of groups) {
    let after: string | undefined
    let isLast = false
    yield* eachOnce(bitly.label, idOf, async () => {
      if (isLast) return []
      const query = { size: 100, archived: 'both', search_after: after }
      const path = `/groups/${inPath(guid)}/bitlinks`
      const { data: page } = pageSchema.safeParse(await api.get(path, query))
      if (!page) throw new SourceError(`Bitly does not answer ${path} with links.`)
      after = page.pagination.search_after || undefined
      isLast = !page.pagination.next || after === undefined
      return page.links
    })
  }
}

function* itemsOf(
  link: Link,
  days: Days | undefined,
  changes: string[],
  now: Date,
): Generator<Item> {
  const createdAt = readPast(link.created_at, 'UTC', changes)
  const [main, ...others] = placesOf(link.id, link.custom_bitlinks ?? [], changes)
  if (link.deeplinks?.length) changes.push('Its deep links into apps do not come along.')
  const visits = days?.reduce((sum, day) => sum + day.visits, 0)
  yield {
    ...linkAt(link, { ...main, createdAt }, changes, now),
    ...(visits !== undefined && { visits }),
  }
  for (const { part, counts } of visitsIn(days ?? [])) {
    yield { kind: 'counts', row: link.id, link: link.id, part, counts }
  }
  for (const place of others) {
    const here = `${main.host ?? 'your host'}/${main.code}`
    const change = `The same link is at ${here}, with all its visits: here they are counted apart.`
    yield linkAt(link, { ...place, createdAt, id: `${link.id} ${place.host}` }, [change], now)
  }
}

function linkAt(
  link: Link,
  place: Pick<LinkItem, 'host' | 'code' | 'formerCodes'> & {
    readonly id?: string
    readonly createdAt: Date | undefined
  },
  changes: readonly string[],
  now: Date,
): LinkItem {
  return linkItem(
    {
      ...{ row: link.id, id: link.id, ...place, changes },
      ...{ originalUrl: link.long_url, title: link.title, tags: link.tags ?? [] },
      isArchived: link.archived ?? false,
    },
    now,
  )
}
