import { address, optional, secret, z } from '../../../../core/plugin.ts'
import { openApi } from '../reading/api.ts'
import { forAllLinks, keepsStatusField, keptStatus } from '../reading/for-all-links.ts'
import { linkItem } from '../reading/link-item.ts'
import { readBounds } from '../reading/moments.ts'
import { arrayOf } from '../reading/pages.ts'
import { notRead, readThing, someNumber, someText } from '../reading/service.ts'
import {
  type Asked,
  type Item,
  type LinkItem,
  type Refused,
  type Source,
  SourceError,
} from '../source.ts'
import { gather } from '../tables/gather.ts'
import { visitsIn } from '../tables/read-values.ts'
import { wholeLink } from '../tables/whole-link.ts'

export const chhoto: Source = {
  name: 'chhoto',
  label: 'Chhoto URL',
  about:
    'Reads the SQLite file of Chhoto URL, or its API, with links, notes, ends and sums of visits.',
  settings: {
    url: optional(
      address({
        label: 'Address of Chhoto URL',
        hint: 'Only without a file, such as https://c.test.',
      }),
    ),
    key: optional(
      secret({
        label: 'API key',
        env: 'CHHOTO_API_KEY',
        hint: 'Only without a file: its CHHOTO_API_KEY.',
      }),
    ),
    keepsStatus: keepsStatusField('Redirect with 308, as Chhoto URL does'),
  },
  file: { endings: ['.sqlite', '.db', '.sql'], orSettings: ['url', 'key'] },
  read: asked => forAllLinks(read(asked), keptStatus(asked, 308)),
}

async function* read(asked: Asked): AsyncGenerator<Item> {
  const { url, key } = asked.settings
  if (asked.file) yield* readFile(asked)
  else if (url && key) yield* readApi(asked, `${url}`, `${key}`)
  else {
    throw new SourceError(
      'There is neither a file nor the address of Chhoto URL with an API key. Choose its SQLite file, or enter both.',
    )
  }
}

async function* readFile(asked: Asked): AsyncGenerator<Item> {
  const tables = await gather(asked, 'Chhoto URL', {
    urls: { columns: ['id', 'short_url', 'long_url', 'hits'], more: ['expiry_time', 'notes'] },
  })
  try {
    for await (const { id, short_url: code, long_url: url, hits, notes, ...link } of tables.each(
      'urls',
    )) {
      const changes: string[] = []
      const said = { hits: visitsIn(hits, changes), notes: notes ?? null, changes }
      const found = { code: code ?? '', url: url ?? '', ...said }
      const endsAt = link.expiry_time ?? null
      yield linkOf({ row: `urls id ${id}`, ...found, endsAt }, asked.now())
    }
    yield* tables.refused()
  } finally {
    tables.close()
  }
}

const linkSchema = z.object({
  ...{ shortlink: z.string().min(1), longlink: z.string(), hits: someNumber },
  ...{ expiry_time: z.number().nullish(), notes: someText },
})

/** It has active links only. */
async function* readApi(asked: Asked, url: string, key: string): AsyncGenerator<Item> {
  const api = openApi(asked, { name: 'Chhoto URL', base: url, headers: { 'X-API-Key': key } })
  const links = arrayOf(await api.get('/api/all'), '/api/all')
  for (const [index, found] of links.entries()) {
    const row = `link ${index + 1}`
    const link = readThing(linkSchema, found)
    if ('error' in link) yield notRead(row, link.error)
    else {
      const { shortlink: code, longlink, hits, expiry_time: endsAt, notes } = link.data
      const names = { row: `link ${code}`, code, url: longlink }
      const { changes } = link
      const ends = endsAt ? `${endsAt}` : null
      yield linkOf(
        { ...names, hits: hits ?? 0, notes: notes ?? null, endsAt: ends, changes },
        asked.now(),
      )
    }
  }
}

interface Found {
  readonly row: string
  readonly code: string
  readonly url: string
  readonly hits: number
  readonly notes: string | null
  /** Seconds since 1970; 0: never. */
  readonly endsAt: string | null
  readonly changes: readonly string[]
}

/** Chhoto URL knows neither when a link was made nor when it was visited. */
function linkOf({ row, code, url, hits, notes, ...found }: Found, now: Date): LinkItem | Refused {
  const changes = [...found.changes]
  const expiresAt = found.endsAt === '0' ? null : found.endsAt
  const bounds = readBounds({ startsAt: null, expiresAt }, 'UTC', changes)
  const names = { row, id: code, host: null, code, originalUrl: url }
  return wholeLink(linkItem({ ...names, ...bounds, notes, visits: hits, changes }, now))
}
