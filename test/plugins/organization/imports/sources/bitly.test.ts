import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bitly } from '../../../../../plugins/organization/imports/sources/bitly.ts'
import { type Answer, fetch, type Got, serve } from '../api-server.ts'
import { conforms } from '../conformance.ts'
import { all, asked, itemsOf, ofKind } from '../from-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'linnet-bitly-'))
afterAll(() => rmSync(folder, { recursive: true }))

const exported = join(folder, 'links.csv')
writeFileSync(
  exported,
  'Link,Custom Link,Destination URL,Title,Tags\nbit.ly/3mo,go.example.com/spring,https://example.com/,Fox,"news,spring"\n',
)
conforms(bitly, { file: exported })

const link = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ created_at: '2020-10-26T17:20:40+0000', id: 'go.example.com/3moVhgw' },
  ...{
    link: 'https://go.example.com/3moVhgw',
    custom_bitlinks: [],
    long_url: 'https://example.com/',
  },
  ...{ title: 'Fox', archived: false, created_by: 'u', client_id: 'c', tags: ['news'] },
  ...{ deeplinks: [], references: { group: 'https://api-ssl.bitly.com/v4/groups/Bd1' } },
  ...more,
})

const clicks = {
  link_clicks: [
    { clicks: 2, date: '2020-11-01T00:00:00+0000' },
    { clicks: 3, date: '2020-10-27T00:00:00+0000' },
    { clicks: 0, date: '2020-10-28T00:00:00+0000' },
  ],
  ...{ units: -1, unit: 'day', unit_reference: '2026-11-27T00:00:00+0000' },
}

/** Two groups, the first of which has these links, as the API of Bitly answers: two at a time. */
function groups(
  links: readonly unknown[],
  metrics: (got: Got) => Answer = ({ path }) =>
    path.endsWith('/clicks') ? { json: clicks } : { status: 404, json: {} },
) {
  return (got: Got): Answer => {
    const { path, query } = got
    if (path === '/groups') return { json: { groups: [{ guid: 'Bd1' }, { guid: 'Bd2' }] } }
    if (path === '/groups/Bd2/bitlinks') return { json: { links: [], pagination: { next: '' } } }
    if (path !== '/groups/Bd1/bitlinks') return metrics(got)
    const from = Number(query.search_after ?? 0)
    const after = String(from + 2)
    const next =
      from + 2 < links.length ? `https://elsewhere.example.com/?search_after=${after}` : ''
    const pagination = { next, prev: '', size: 100, page: 0, total: 9_999, search_after: after }
    return { json: { links: links.slice(from, from + 2), pagination } }
  }
}

const service = await serve(groups([link(), link({ id: 'bit.ly/b', tags: [] })]))
afterAll(service.close)
conforms(bitly, { fetch, settings: { api: service.base, key: 'secret', visits: true } })

async function read(answer: (got: Got) => Answer, settings = {}) {
  const server = await serve(answer)
  const given = { api: server.base, key: 'secret', visits: true, details: false, ...settings }
  return { items: await all(bitly.read(asked({ fetch, settings: given }))), got: server.got }
}

describe('the API of Bitly', () => {
  it('gives the links of all groups with their visits by day, in parts of months', async () => {
    const { items, got } = await read(groups([link()]))
    expect(items).toEqual([
      { kind: 'host', row: 'go.example.com/3moVhgw', host: 'go.example.com' },
      { kind: 'tag', row: 'go.example.com/3moVhgw', name: 'news' },
      {
        ...{ kind: 'link', row: 'go.example.com/3moVhgw', id: 'go.example.com/3moVhgw' },
        ...{ host: 'go.example.com', code: '3moVhgw', tags: ['news'], visits: 5 },
        fields: { originalUrl: 'https://example.com/', title: 'Fox' },
        createdAt: new Date('2020-10-26T17:20:40Z'),
      },
      {
        ...{ kind: 'counts', row: 'go.example.com/3moVhgw', link: 'go.example.com/3moVhgw' },
        ...{ part: '2020-10', counts: [{ at: '2020-10-27', visits: 3 }] },
      },
      {
        ...{ kind: 'counts', row: 'go.example.com/3moVhgw', link: 'go.example.com/3moVhgw' },
        ...{ part: '2020-11', counts: [{ at: '2020-11-01', visits: 2 }] },
      },
    ])
    expect(got.map(({ path }) => path)).toEqual([
      ...['/groups', '/groups/Bd1/bitlinks', '/bitlinks/go.example.com%2F3moVhgw/clicks'],
      '/groups/Bd2/bitlinks',
    ])
    expect(got[1]?.query).toEqual({ size: '100', archived: 'both' })
    expect(new Set(got.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer secret']),
    )
  })

  it('gives page after page from its own address, whatever a page names as the next', async () => {
    const links = Array.from({ length: 5 }, (_, index) => link({ id: `go.example.com/${index}` }))
    const { items } = await read(groups(links), { visits: false })
    expect(ofKind(items, 'link').map(({ code }) => code)).toEqual(['0', '1', '2', '3', '4'])
  })

  it('gives countries and referers of each day, if they are wanted, and never more than visits', async () => {
    const { items, got } = await read(
      groups([link()], ({ path }) => {
        if (path.endsWith('/clicks')) return { json: clicks }
        const countries = [
          ...[
            { value: 'US', clicks: 2 },
            { value: '', clicks: 1 },
            { value: 'DE', clicks: 9 },
          ],
        ]
        const sites = [
          { value: 'direct', clicks: 2 },
          { value: 'www.t.co', clicks: 1 },
        ]
        return { json: { metrics: path.endsWith('/countries') ? countries : sites } }
      }),
      { details: true },
    )
    expect(ofKind(items, 'counts').map(({ counts }) => counts)).toEqual([
      [
        {
          at: '2020-10-27',
          visits: 3,
          by: { visitsByCountry: { US: 2, DE: 1 }, visitsByReferer: { 't.co': 1 } },
        },
      ],
      [
        {
          at: '2020-11-01',
          visits: 2,
          by: { visitsByCountry: { US: 2 }, visitsByReferer: { 't.co': 1 } },
        },
      ],
    ])
    expect(got.find(({ path }) => path.endsWith('/countries'))?.query).toEqual({
      ...{ unit: 'day', units: '1', unit_reference: '2020-10-27T23:59:59+0000', size: '250' },
    })
  })

  it('says once that a plan has no visits, and asks for no more of them', async () => {
    const links = [link(), link({ id: 'go.example.com/b' })]
    const { items, got } = await read(
      groups(links, () => ({ status: 403, json: { message: 'UPGRADE_REQUIRED' } })),
    )
    expect(ofKind(items, 'note')).toEqual([
      {
        ...{ kind: 'note', row: 'visits' },
        sentence: 'Visits do not come along: your plan at Bitly does not include them in its API.',
      },
    ])
    expect(ofKind(items, 'link').map(({ visits }) => visits)).toEqual([undefined, undefined])
    expect(got.filter(({ path }) => path.endsWith('/clicks'))).toHaveLength(1)
  })

  it('keeps all codes of a link on its own host, and says which end with Bitly', async () => {
    const custom_bitlinks = ['https://go.example.com/spring', 'https://go.example.com/Fox']
    const { items } = await read(
      groups([link({ id: 'bit.ly/3mo', custom_bitlinks, deeplinks: [{ os: 'ios' }] })]),
    )
    expect(ofKind(items, 'link')).toMatchObject([
      {
        ...{ id: 'bit.ly/3mo', host: 'go.example.com', code: 'Fox', formerCodes: ['spring'] },
        changes: [
          '“bit.ly/3mo” itself ends with Bitly, whose host it is.',
          'Its deep links into apps do not come along.',
        ],
      },
    ])
  })

  it('keeps the code of a link that is only on a host of Bitly, for a host of yours', async () => {
    const { items } = await read(
      groups([link({ id: 'bit.ly/3mo', custom_bitlinks: ['https://bit.ly/Fox'] })]),
    )
    expect(ofKind(items, 'host')).toEqual([])
    expect(ofKind(items, 'link')).toMatchObject([{ host: null, code: 'Fox', formerCodes: ['3mo'] }])
  })

  it('gives a link on two hosts of yours twice, with its visits once', async () => {
    const custom_bitlinks = ['https://other.example.com/x']
    const { items } = await read(groups([link({ custom_bitlinks })]))
    expect(ofKind(items, 'link')).toMatchObject([
      { id: 'go.example.com/3moVhgw', host: 'other.example.com', code: 'x', visits: 5 },
      {
        ...{ id: 'go.example.com/3moVhgw go.example.com', host: 'go.example.com', code: '3moVhgw' },
        changes: [
          'The same link is at other.example.com/x, with all its visits: here they are counted apart.',
        ],
      },
    ])
  })

  it('reads titles with raw control characters', async () => {
    const answer = groups([link()])
    const { items } = await read(got => {
      const { json, ...rest } = answer(got)
      return { ...rest, text: JSON.stringify(json).replace('Fox', 'Fox\u0001 and\u001fhen') }
    })
    expect(ofKind(items, 'link')[0]?.fields.title).toBe('Fox  and hen')
  })

  it('waits as long as it is told, and ends with a sentence for a wrong token', async () => {
    const answer = groups([link()])
    let times = 0
    const busy: Answer = { status: 429, headers: { 'retry-after': '0' }, json: {} }
    const { items } = await read(got => (times++ % 2 === 0 ? busy : answer(got)))
    expect(ofKind(items, 'link')).toHaveLength(1)
    await expect(read(() => ({ status: 403, json: { message: 'FORBIDDEN' } }))).rejects.toThrow(
      /refuses \/groups/,
    )
    await expect(read(() => ({ json: {} }))).rejects.toThrow(/does not answer with groups/)
  })

  it('refuses what is no link, and goes on', async () => {
    const { items } = await read(groups([{ id: {} }, link()]))
    expect(items[0]).toEqual({
      ...{
        kind: 'refused',
        row: 'link 1',
        reason: 'Its id is not what the API should have there.',
      },
    })
    expect(ofKind(items, 'link')).toHaveLength(1)
  })
})

describe('a CSV file of Bitly', () => {
  it.each([
    'Link,Custom Link,Destination URL\nbit.ly/3mo,go.example.com/spring,https://example.com/',
    'created,title,link,long_url\n2020-10-26,Fox,https://go.example.com/spring,https://example.com/',
  ])('is read with either header', async content => {
    expect(ofKind(await itemsOf(bitly, content), 'link')).toMatchObject([
      { host: 'go.example.com', code: 'spring', fields: { originalUrl: 'https://example.com/' } },
    ])
  })

  it('keeps the code of a link on a host of Bitly, for a host of yours', async () => {
    const content = 'Link,Destination URL\nhttps://bit.ly/3mo,https://example.com/'
    expect(ofKind(await itemsOf(bitly, content), 'link')).toMatchObject([
      { host: null, code: '3mo' },
    ])
  })
})
