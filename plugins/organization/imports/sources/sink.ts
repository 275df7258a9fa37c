import { address, optional, toggle, z } from '../../../../core/plugin.ts'
import { announce } from '../reading/announce.ts'
import { openApi } from '../reading/api.ts'
import { forAllLinks, keepsStatusField, keptStatus } from '../reading/for-all-links.ts'
import { parseJson } from '../reading/json.ts'
import { textsInList } from '../reading/json-list.ts'
import { linkItem } from '../reading/link-item.ts'
import { readBounds, readPast } from '../reading/moments.ts'
import { eachOnce } from '../reading/pages.ts'
import { given } from '../reading/row-link.ts'
import { routingOf } from '../reading/rules.ts'
import {
  idOf,
  idSchema,
  keyField,
  keyOf,
  notRead,
  readThing,
  someFlag,
  someText,
} from '../reading/service.ts'
import { readCode } from '../reading/short-url.ts'
import {
  type Asked,
  type Item,
  type LinkItem,
  type Refused,
  type Source,
  SourceError,
  type SourceFile,
} from '../source.ts'

export const sink: Source = {
  name: 'sink',
  label: 'Sink',
  about:
    'Reads all links from a server of Sink, with its site token, or the JSON file that it exports or backs up.',
  settings: {
    server: optional(
      address({
        label: 'Server',
        hint: 'The address of your Sink, such as https://sink.example.com.',
      }),
    ),
    key: keyField('SINK_SITE_TOKEN', 'The site token with which you sign in there.'),
    caseSensitive: toggle({
      label: 'Upper and lower case matter',
      hint: 'Only if NUXT_CASE_SENSITIVE is true there.',
      default: false,
    }),
    keepsStatus: keepsStatusField('Redirect with 301, as Sink does'),
  },
  file: { endings: ['.json'], orSettings: ['server', 'key'] },
  read: asked => announce(forAllLinks(readLinks(asked), keptStatus(asked, 301))),
}

const linkSchema = z.object({
  ...{ id: idSchema, slug: z.string().min(1).max(2_048), url: z.string().min(1) },
  ...{ comment: someText, title: someText, description: someText, image: someText },
  ...{ createdAt: z.number().nullish().catch(null), updatedAt: z.number().nullish().catch(null) },
  ...{
    expiration: z.number().nullish(),
    apple: someText,
    google: someText,
    password: z.string().nullish(),
  },
  ...{ cloaking: someFlag, redirectWithQuery: someFlag, proxy: someFlag, unsafe: someFlag },
  geo: z.record(z.string(), z.string()).nullish().catch(null),
  tags: z.array(z.string()).nullish().catch(null),
})

const pageSchema = z.object({
  links: z.array(z.unknown()),
  cursor: someText,
  list_complete: someFlag,
})

type Link = z.output<typeof linkSchema>

async function* readLinks(asked: Asked): AsyncGenerator<Item> {
  const anyCase = asked.settings.caseSensitive !== true
  yield { kind: 'host', row: 'settings', host: null, anyCase }
  let count = 0
  for await (const row of asked.file ? inFile(asked.file) : onServer(asked)) {
    count += 1
    const read = readThing(linkSchema, row)
    yield 'error' in read
      ? notRead(`link ${count}`, read.error)
      : linkOf(read.data, [...read.changes], asked.now())
  }
}

function onServer(asked: Asked): AsyncGenerator<unknown> {
  const { server } = asked.settings
  const key = keyOf(asked, sink.label)
  if (typeof server !== 'string')
    throw new SourceError('Enter the address of your server of Sink, too.')
  const api = openApi(asked, {
    ...{ name: sink.label, base: server, headers: { Authorization: `Bearer ${key}` } },
  })
  let cursor: string | undefined
  let isLast = false
  return eachOnce(sink.label, idOf, async () => {
    if (isLast) return []
    const path = '/api/link/export'
    const { data: page } = pageSchema.safeParse(await api.get(path, { cursor }))
    if (!page)
      throw new SourceError(`Sink does not answer ${path} with links. Is it the address of Sink?`)
    cursor = page.cursor || undefined
    isLast = page.list_complete === true || cursor === undefined
    return page.links
  })
}

/** A link has some ten. */
const mostValues = 10_000

async function* inFile(file: SourceFile): AsyncGenerator<unknown> {
  const texts = textsInList(file.read(), 'links')
  let read = 0
  for (;;) {
    const { value, done } = await texts.next()
    if (done && !value) throw read === 0 ? noLinks(file) : cutOff(file, read)
    if (done) return
    read += 1
    yield parseJson(value, mostValues)
  }
}

function noLinks({ name }: SourceFile): SourceError {
  return new SourceError(`${name} is no JSON with links, as the export of Sink is.`)
}

function cutOff({ name }: SourceFile, links: number): SourceError {
  return new SourceError(
    `${name} ends after ${links} links without the end of its JSON: it was cut off. All before that was read; export it again.`,
  )
}

function linkOf(link: Link, changes: string[], now: Date): LinkItem | Refused {
  const row = link.slug
  const { password, expiration } = link
  if (password?.startsWith('__SINK_MASKED__')) {
    const reason =
      'Its password is masked in this file. Export the links from the server with its site token.'
    return { kind: 'refused', row, reason }
  }
  const bounds = readBounds({ startsAt: null, expiresAt: textOf(expiration) }, 'UTC', changes)
  if (link.cloaking || link.proxy) changes.push('It hides where it leads there. Here it redirects.')
  if (link.description || link.image)
    changes.push('Its card for social networks does not come along.')
  return linkItem(
    {
      ...{ row, id: link.id, host: null, code: readCode(link.slug), changes },
      ...{ originalUrl: link.url, title: link.title, notes: link.comment, tags: link.tags ?? [] },
      fields: given({
        ...bounds.fields,
        forwardQuery: link.redirectWithQuery || undefined,
        // Sink warns of what is marked so.
        confirm: link.unsafe || undefined,
        ...routingOf({ ios: link.apple, android: link.google, countries: link.geo }, changes),
      }),
      password: password ? passwordOf(password) : undefined,
      createdAt: readPast(textOf(link.createdAt), 'UTC', changes),
      updatedAt: readPast(textOf(link.updatedAt), 'UTC', changes),
      isClosed: bounds.isClosed,
    },
    now,
  )
}

/** Older servers kept passwords as they are. */
function passwordOf(stored: string): LinkItem['password'] {
  return stored.startsWith('sink-pwd:') ? { hash: stored } : { text: stored }
}

/** Seconds since 1970. */
function textOf(seconds: number | null | undefined): string | null {
  return seconds ? String(seconds) : null
}
