import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fetched } from '../../../../core/plugin.ts'
import {
  type Item,
  type Source,
  SourceError,
} from '../../../../plugins/organization/imports/source.ts'
import { bitly } from '../../../../plugins/organization/imports/sources/bitly.ts'
import { csv } from '../../../../plugins/organization/imports/sources/csv.ts'
import { dub } from '../../../../plugins/organization/imports/sources/dub.ts'
import { firebase } from '../../../../plugins/organization/imports/sources/firebase.ts'
import { rebrandly } from '../../../../plugins/organization/imports/sources/rebrandly.ts'
import { shortIo } from '../../../../plugins/organization/imports/sources/short-io.ts'
import { sink } from '../../../../plugins/organization/imports/sources/sink.ts'
import { firstOf, tries } from '../../../at-night.ts'
import { asked, fileOf } from './from-text.ts'

const files = [csv, dub, bitly, rebrandly, shortIo, firebase, sink]
const services = [dub, bitly, rebrandly, shortIo, sink]

/** A server that answers with these rows where a service has links, with others elsewhere, and with nothing after a while. */
function answering(rows: readonly unknown[], others: unknown) {
  let count = 0
  return (url: string): Promise<Fetched> => {
    count += 1
    const { pathname } = new URL(url)
    const json = count > 200 ? [] : answerTo(pathname, rows, others)
    const body = Buffer.from(JSON.stringify(json))
    return Promise.resolve({ status: 200, url, headers: new Headers(), body, isWhole: true })
  }
}

/** The frames of all services at once: none has a path of another. */
function answerTo(path: string, rows: readonly unknown[], others: unknown): unknown {
  if (path === '/groups') return { groups: [{ guid: 'g' }] }
  if (path === '/groups/g/bitlinks') return { links: rows, pagination: {} }
  if (path === '/api/domains') return [{ id: 1, hostname: 'go.example.com' }]
  if (['/api/links', '/api/link/export'].includes(path)) return { links: rows }
  return ['/links', '/domains', '/tags'].includes(path) ? rows : others
}

/** What a source yields, or the sentence with which it ends. Any other error is thrown. */
async function outcomeOf(
  source: Source,
  given: Parameters<typeof asked>[0],
): Promise<readonly Item[]> {
  const items: Item[] = []
  try {
    for await (const item of source.read(asked(given))) items.push(item)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    expect(error.message).toMatch(/^\S.*[.?]$/s)
    expect(error.message.length).toBeLessThan(3_000)
  }
  for (const item of items) {
    expect(item.row).not.toBe('')
    if (item.kind === 'link') {
      expect(item.id).toMatch(/^.{1,200}$/s)
      expect(item.code).not.toBe('')
      for (const at of [item.createdAt, item.updatedAt, item.lastVisitAt]) {
        if (at) expect(at.getTime()).toBeGreaterThan(0)
      }
    }
    const sentences =
      item.kind === 'link' ? (item.changes ?? []) : item.kind === 'refused' ? [item.reason] : []
    for (const it of sentences) {
      expect(it).toMatch(/^\S.*[.?]$/s)
      expect(it.length).toBeLessThan(2_000)
    }
  }
  return items
}

/** Text as tables have it: names of columns, separators, quotation marks and URLs in any order. */
const tableLike = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          'url',
          'code',
          'Short link',
          'Deep link (link)',
          'created',
          'expires',
          'tags',
          'clicks',
        ],
        ...[',', ';', '\t', '|', '\n', '\r\n', '\r', '"', '""', "'", '=', '\ufeff', '\0', '%', '/'],
        ...[
          'https://example.com/',
          'go.example.com/a',
          'bit.ly/3mo',
          '2024-05-31',
          '99999999999999999999',
        ],
      ),
      fc.string(),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 60 },
  )
  .map(parts => `url,code,created,expires,tags\n${parts.join('')}`)

/** What makes expressions go back and forth, the worst first. */
const repeated = [
  ...[
    'a@a.',
    '/',
    ' (',
    '@',
    'a.',
    'https://',
    ',',
    "'",
    ' ',
    '1',
    '2024-',
    'Jan ',
    '%',
    'xn--',
    '"',
  ],
]

/** JSON as APIs have it: their members with any values. */
const member = fc.constantFrom(
  ...['id', 'links', 'groups', 'guid', 'pagination', 'next', 'search_after', 'nextPageToken'],
  ...['domain', 'hostname', 'slug', 'key', 'path', 'url', 'originalURL', 'long_url', 'destination'],
  ...['tags', 'name', 'color', 'createdAt', 'expiresAt', 'geo', 'password', 'cursor', 'fullName'],
  ...['slashtag', 'custom_bitlinks', 'link_clicks', 'clicks', 'date', 'testVariants', '__proto__'],
)
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.string(),
    fc.constantFrom(
      'go.example.com',
      'https://example.com/',
      '2024-05-31',
      'a',
      '_root',
      1,
      -1,
      1e20,
      null,
      true,
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(member, tie('json'), { maxKeys: 12 }),
  ),
}))

describe('whatever is in a file', () => {
  it.each(files)('$name yields items, or ends with a sentence: any bytes', async source => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.integer({ min: 1, max: 700 }),
        async (bytes, atOnce) => {
          await outcomeOf(source, { file: fileOf(bytes, 'it', atOnce) })
        },
      ),
      tries(60),
    )
  })

  it.each(files)(
    '$name yields items, or ends with a sentence: what is almost a table',
    async source => {
      await fc.assert(
        fc.asyncProperty(
          tableLike,
          fc.constantFrom('utf8', 'utf16le', 'latin1'),
          async (text, encoding) => {
            await outcomeOf(source, { file: fileOf(Buffer.from(text, encoding as BufferEncoding)) })
          },
        ),
        tries(60),
      )
    },
  )

  it.each(firstOf(4, repeated))('is read in linear time: long cells of %j', async part => {
    const cell = part.repeat(100_000 / part.length)
    const cells = [cell, `${cell}a`, `a${cell}@`, `${cell} `]
    const rows = cells.map(it => `"${it.replaceAll('"', '""')}"`)
    const columns = [
      'url',
      'code',
      'short url',
      'created',
      'owner',
      'visits',
      'tags',
      'title',
      'host',
    ]
    for (const column of columns) {
      const other = column === 'url' ? 'notes' : 'url'
      const table = [`${other},${column}`, ...rows.map(it => `https://example.com/,${it}`)].join(
        '\n',
      )
      await outcomeOf(csv, { file: fileOf(table, 'it', 1_000_000) })
    }
  })

  it('is read alike, however it comes in parts', async () => {
    await fc.assert(
      fc.asyncProperty(tableLike, fc.integer({ min: 1, max: 50 }), async (text, atOnce) => {
        const whole = await outcomeOf(csv, { file: fileOf(text, 'it', 1_000_000) })
        expect(await outcomeOf(csv, { file: fileOf(text, 'it', atOnce) })).toEqual(whole)
      }),
      tries(60),
    )
  })

  it('sink yields items, or ends with a sentence: any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(json, async links => {
        await outcomeOf(sink, { file: fileOf(JSON.stringify({ links })) })
      }),
      tries(60),
    )
  })
})

describe('whatever a server answers', () => {
  const settings = {
    ...{ key: 'k', api: 'https://api.example.com', server: 'https://sink.example.com' },
    ...{ visits: true, details: true, rules: true },
  }
  /** What each service needs to take something for a link, so that all others of its members are looked at. */
  const needed = {
    ...{ id: 'l1', domain: 'go.example.com', key: 'a', url: 'https://example.com/', slug: 'a' },
    ...{ long_url: 'https://example.com/', originalURL: 'https://example.com/', path: 'a' },
    ...{ slashtag: 'a', destination: 'https://example.com/', fullName: 'go.example.com' },
  }

  it.each(services)('$name yields items, or ends with a sentence', async source => {
    const rows = fc.array(fc.dictionary(member, json, { maxKeys: 30 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(rows, json, async (some, others) => {
        const links = some.map((it, index) => ({ ...needed, id: `l${index}`, ...it }))
        await outcomeOf(source, { settings, fetch: answering(links, others) })
      }),
      tries(60),
    )
  })

  it.each(services)(
    '$name yields items, or ends with a sentence, of a link with one odd member',
    async source => {
      await fc.assert(
        fc.asyncProperty(member, json, json, async (name, value, others) => {
          const link = {
            ...needed,
            domain: source === rebrandly ? { fullName: 'go.example.com' } : needed.domain,
          }
          const links = [
            { ...link, [name]: value },
            { ...link, id: 'l2' },
          ]
          const items = await outcomeOf(source, { settings, fetch: answering(links, others) })
          if (name !== 'id')
            expect(items.some(it => it.kind === 'link' && it.id === 'l2')).toBe(true)
        }),
        tries(60),
      )
    },
  )
})
