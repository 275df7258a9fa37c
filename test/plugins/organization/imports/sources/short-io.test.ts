import { afterAll, describe, expect, it } from 'vitest'
import { shortIo } from '../../../../../plugins/organization/imports/sources/short-io.ts'
import { type Answer, fetch, type Got, serve } from '../api-server.ts'
import { conforms } from '../conformance.ts'
import { all, asked, itemsOf, ofKind } from '../from-text.ts'

const link = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id: '11', idString: 'lnk_1', path: 'spring', originalURL: 'https://example.com/' },
  ...{ title: 'Fox', tags: ['news'], shortURL: 'http://go.example.com/spring' },
  ...{ cloaking: false, hasPassword: false, expiresAt: null, expiredURL: null, ttl: null },
  ...{ androidURL: null, iphoneURL: null, createdAt: '2024-03-01T10:20:30.000Z' },
  ...{ clicksLimit: null, skipQS: true, archived: false, splitURL: null, splitPercent: null },
  ...{
    redirectType: '302',
    utmSource: null,
    FolderId: null,
    DomainId: 1,
    OwnerId: 1,
    source: 'website',
  },
  ...more,
})

/** An account with one domain, as its API answers: two links a page. */
function account(
  links: readonly Readonly<Record<string, unknown>>[],
  more: Readonly<Record<string, Answer>> = {},
) {
  return ({ path, query }: Got): Answer => {
    const known = more[path]
    if (known) return known
    if (path === '/api/domains') {
      return {
        json: [
          {
            id: 1,
            hostname: 'go.example.com',
            unicodeHostname: 'go.example.com',
            caseSensitive: false,
          },
        ],
      }
    }
    if (path.startsWith('/link_country/')) return { json: [] }
    if (path !== '/api/links' || query.domain_id !== '1') return { status: 404, json: {} }
    const from = Number(query.pageToken ?? 0)
    const nextPageToken = from + 2 < links.length ? String(from + 2) : null
    return { json: { count: 9_999, links: links.slice(from, from + 2), nextPageToken } }
  }
}

const service = await serve(account([link(), link({ idString: 'lnk_2', path: 'b', tags: [] })]))
afterAll(service.close)
conforms(shortIo, { fetch, settings: { api: service.base, key: 'secret', rules: true } })

async function read(answer: (got: Got) => Answer, settings = {}) {
  const server = await serve(answer)
  const given = { api: server.base, key: 'secret', rules: true, ...settings }
  return { items: await all(shortIo.read(asked({ fetch, settings: given }))), got: server.got }
}

describe('the API of Short.io', () => {
  it('gives domains with what their bare address leads to, and links', async () => {
    const { items, got } = await read(
      account(
        [link(), link({ idString: 'lnk_0', path: '', originalURL: 'https://example.com/home' })],
        {
          '/links/expand': { json: { path: '', originalURL: 'https://example.com/home' } },
        },
      ),
    )
    expect(items).toEqual([
      {
        ...{ kind: 'host', row: 'go.example.com', host: 'go.example.com', anyCase: true },
        rootUrl: 'https://example.com/home',
      },
      { kind: 'tag', row: 'go.example.com/spring', name: 'news' },
      {
        ...{ kind: 'link', row: 'go.example.com/spring', id: 'lnk_1', host: 'go.example.com' },
        ...{ code: 'spring', tags: ['news'], createdAt: new Date('2024-03-01T10:20:30Z') },
        fields: { originalUrl: 'https://example.com/', title: 'Fox' },
      },
    ])
    expect(got[0]?.headers.authorization).toBe('secret')
  })

  it('gives all pages, each link once, and asks for no rules that are not wanted', async () => {
    const links = Array.from({ length: 5 }, (_, index) =>
      link({ id: index, idString: null, path: `k${index}` }),
    )
    const { items, got } = await read(account(links), { rules: false })
    expect(ofKind(items, 'link').map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4'])
    expect(got.filter(({ path }) => path.startsWith('/link_country'))).toEqual([])
  })

  it.each<[url: string, more: object, fields: object]>([
    [
      'https://example.com/?b=1',
      {},
      { originalUrl: 'https://example.com/?b=1', forwardQuery: true },
    ],
    ['https://example.com/?b=1', { skipQS: true }, { originalUrl: 'https://example.com/?b=1' }],
    [
      'https://example.com/?b=1&shortio_nomerge=1#top',
      {},
      { originalUrl: 'https://example.com/?b=1#top' },
    ],
    ['https://example.com/?shortio_nomerge=1&b=1', {}, { originalUrl: 'https://example.com/?b=1' }],
    ['https://example.com/?shortio_nomerge=1', {}, { originalUrl: 'https://example.com/' }],
  ])(
    'passes the query of a visitor on to %s as it is done there, %o',
    async (url, more, fields) => {
      const { items } = await read(
        account([link({ skipQS: false, title: null, ...more, originalURL: url })]),
      )
      expect(ofKind(items, 'link')[0]?.fields).toEqual(fields)
    },
  )

  it('gives all that a link can have there', async () => {
    const { items } = await read(
      account(
        [
          link({
            ...{
              expiresAt: 1_893_456_000_000,
              expiredURL: 'https://example.com/over',
              clicksLimit: 10,
            },
            ...{ androidURL: 'https://example.com/android', iphoneURL: 'https://example.com/ios' },
            ...{
              splitURL: 'https://example.com/b',
              splitPercent: 30,
              redirectType: 301,
              skipQS: false,
            },
            ...{
              utmSource: 'letter',
              archived: true,
              cloaking: true,
              createdAt: 1_709_288_430_000,
            },
          }),
        ],
        {
          '/link_country/lnk_1': {
            json: [{ country: 'DE', originalURL: 'https://example.com/de' }],
          },
        },
      ),
    )
    expect(ofKind(items, 'link')).toMatchObject([
      {
        ...{ isArchived: true, createdAt: new Date('2024-03-01T10:20:30Z') },
        fields: {
          ...{ expiresAt: '2030-01-01T00:00:00.000Z', expiredUrl: 'https://example.com/over' },
          ...{ maxVisits: 10, redirectStatus: 301, forwardQuery: true, utm: { source: 'letter' } },
          dynamicRouting: {
            rules: [
              { name: 'iOS', originalUrl: 'https://example.com/ios' },
              { name: 'Android', originalUrl: 'https://example.com/android' },
              { name: 'DE', originalUrl: 'https://example.com/de' },
              { name: 'Side A', originalUrl: 'https://example.com/b', weight: 30 },
            ],
          },
        },
        changes: [
          'It hides where it leads there. Here it redirects.',
          'Short.io does not tell how many visits of its limit are used up. Here it begins anew.',
        ],
      },
    ])
  })

  it('brings no link without its password, closes one without its end, and says what the bare address leads to', async () => {
    const { items } = await read(
      account([
        link({ hasPassword: true }),
        link({ id: 2, idString: 'b', expiresAt: 'soon' }),
        link({ id: 3, idString: 'c', path: '/' }),
      ]),
    )
    expect(ofKind(items, 'refused')).toEqual([
      {
        ...{ kind: 'refused', row: 'go.example.com/spring' },
        reason: 'It has a password, which Short.io does not tell. Make it anew, with one.',
      },
    ])
    expect(ofKind(items, 'link')).toMatchObject([
      { isClosed: true, changes: ['It has ended here, because its end, “soon”, is no date.'] },
    ])
    expect(ofKind(items, 'note')).toEqual([
      {
        ...{ kind: 'note', row: 'go.example.com' },
        sentence: 'The bare address led to “https://example.com/”: set that yourself.',
      },
    ])
  })

  it('refuses what is no domain or no link, and goes on', async () => {
    const domains = [{ id: 'x' }, { id: 1, hostname: 'fox.short.gy', caseSensitive: true }]
    const { items } = await read(
      account([{ id: 7 }, link({ tags: null })], { '/api/domains': { json: domains } }),
    )
    expect(items).toMatchObject([
      { kind: 'refused', row: 'a domain' },
      { kind: 'refused', row: 'link 1 on fox.short.gy' },
      {
        ...{ kind: 'link', host: null, code: 'spring' },
        changes: ['“fox.short.gy/spring” itself ends with Short.io, whose host it is.'],
      },
    ])
  })

  it.each<[string, (got: Got) => Answer, RegExp]>([
    ['a wrong key', () => ({ status: 401, json: {} }), /does not accept the key/],
    ['another server', () => ({ json: {} }), /does not answer with a list/],
    [
      'no links',
      account([], { '/api/links': { json: [] } }),
      /does not answer \/api\/links with links/,
    ],
    [
      'no end',
      account([], { '/api/links': { json: { links: [link()], nextPageToken: 'x' } } }),
      /again and again/,
    ],
  ])('ends with a sentence for %s', async (_, answer, sentence) => {
    await expect(read(answer)).rejects.toThrow(sentence)
  })
})

describe('a CSV file of Short.io', () => {
  it('is read with commas and with tabs', async () => {
    const rows = [
      ['originalURL', 'path', 'title', 'tags', 'clicks', 'createdAt', 'domain'],
      [
        'https://example.com/',
        'spring',
        'Fox',
        'news',
        '7',
        '2024-03-01T10:20:30.000Z',
        'go.example.com',
      ],
    ]
    for (const separator of [',', '\t']) {
      const content = rows.map(cells => cells.join(separator)).join('\n')
      expect(ofKind(await itemsOf(shortIo, content), 'link')).toMatchObject([
        { host: 'go.example.com', code: 'spring', visits: 7, tags: ['news'] },
      ])
    }
  })
})
