import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { dub } from '../../../../../plugins/organization/imports/sources/dub.ts'
import { type Answer, fetch, type Got, serve } from '../api-server.ts'
import { conforms } from '../conformance.ts'
import { all, asked, itemsOf, ofKind } from '../from-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'linnet-dub-'))
afterAll(() => rmSync(folder, { recursive: true }))

const exported = join(folder, 'export.csv')
writeFileSync(
  exported,
  [
    'Short link,Destination URL,Clicks,Leads,Conversions,Revenue,Created at,Link ID,Updated at,Tags,Archived',
    'https://go.example.com/spring,https://example.com/,42,0,0,$0.00,2024-03-01T10:20:30.000Z,link_1,2024-03-02T10:20:30.000Z,"news, spring",No',
    "https://go.example.com/old,https://example.com/?q='x,7,0,0,$0.00,2023-03-01T10:20:30.000Z,link_2,2023-03-02T10:20:30.000Z,,Yes",
  ].join('\n'),
)
conforms(dub, { file: exported })

const link = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id: 'link_1', domain: 'go.example.com', key: 'spring', url: 'https://example.com/' },
  ...{ externalId: null, tenantId: null, archived: false, expiresAt: null, expiredUrl: null },
  ...{ disabledAt: null, password: null, proxy: false, title: null, description: null },
  ...{ image: null, video: null, rewrite: false, doIndex: false, ios: null, android: null },
  ...{ geo: null, publicStats: false, tags: [], folderId: null, comments: null },
  ...{ shortLink: 'https://go.example.com/spring', utm_source: null, utm_medium: null },
  ...{ utm_campaign: null, utm_term: null, utm_content: null, testVariants: null },
  ...{ testStartedAt: null, testCompletedAt: null, userId: 'u', workspaceId: 'ws', clicks: 42 },
  ...{ leads: 0, conversions: 0, sales: 0, saleAmount: 0, lastClicked: '2024-05-01T00:00:00.000Z' },
  ...{ createdAt: '2024-03-01T10:20:30.000Z', updatedAt: '2024-03-02T10:20:30.000Z' },
  ...more,
})

/** A workspace with these links, as its API answers: 100 after the one that is named. */
function workspace(
  links: readonly Readonly<Record<string, unknown>>[],
  more: Readonly<Record<string, Answer>> = {},
) {
  return ({ path, query }: Got): Answer => {
    const known = more[path]
    if (known) return Number(query.page ?? 1) > 1 ? { json: [] } : known
    if (path !== '/links') return { status: 404, json: {} }
    const from = query.startingAfter ? links.findIndex(it => it.id === query.startingAfter) + 1 : 0
    return { json: links.slice(from, from + Number(query.pageSize)) }
  }
}

const nothing: Answer = { json: [] }
const lists = { '/domains': nothing, '/tags': nothing }

const service = await serve(workspace([link(), link({ id: 'link_2', key: 'b' })], lists))
afterAll(service.close)
conforms(dub, { fetch, settings: { api: service.base, key: 'dub_secret' } })

async function read(answer: (got: Got) => Answer, settings = {}) {
  const server = await serve(answer)
  const all_ = all(
    dub.read(
      asked({ fetch, settings: { api: `${server.base}/`, key: 'dub_secret', ...settings } }),
    ),
  )
  return { items: await all_, got: server.got }
}

const linksOf = async (...links: readonly Readonly<Record<string, unknown>>[]) =>
  ofKind((await read(workspace(links, lists))).items, 'link')

describe('the API of Dub', () => {
  it('gives hosts with what their bare address leads to, tags with colours, and links', async () => {
    const { items, got } = await read(
      workspace(
        [
          link({ tags: [{ id: 't', name: 'news', color: 'red' }] }),
          link({ id: 'link_0', key: '_root', url: 'https://example.com/home' }),
          link({ id: 'link_2', domain: 'other.example.com' }),
        ],
        {
          '/domains': {
            json: [
              { slug: 'go.example.com', notFoundUrl: 'https://example.com/lost', expiredUrl: null },
            ],
          },
          '/links/info': { json: link({ key: '_root', url: 'https://example.com/home' }) },
          '/tags': { json: [{ id: 't', name: 'news', color: 'red' }] },
        },
      ),
    )
    expect(items).toEqual([
      {
        ...{ kind: 'host', row: 'go.example.com', host: 'go.example.com', anyCase: true },
        ...{ rootUrl: 'https://example.com/home', notFoundUrl: 'https://example.com/lost' },
      },
      { kind: 'tag', row: 'tag news', name: 'news', color: '#C92A2A' },
      {
        ...{ kind: 'link', row: 'go.example.com/spring', id: 'link_1', host: 'go.example.com' },
        ...{ code: 'spring', tags: ['news'] },
        fields: { originalUrl: 'https://example.com/', forwardQuery: true },
        ...{ visits: 42, lastVisitAt: new Date('2024-05-01T00:00:00Z') },
        createdAt: new Date('2024-03-01T10:20:30Z'),
        updatedAt: new Date('2024-03-02T10:20:30Z'),
      },
      {
        ...{ kind: 'host', row: 'other.example.com', host: 'other.example.com', anyCase: true },
        rootUrl: null,
      },
      expect.objectContaining({ kind: 'link', id: 'link_2', host: 'other.example.com' }),
    ])
    const authorized = got.map(({ headers }) => headers.authorization)
    expect(new Set(authorized)).toEqual(new Set(['Bearer dub_secret']))
  })

  it('gives links by the hundred until none are left, each once while others come and go', async () => {
    const links = Array.from({ length: 250 }, (_, index) =>
      link({ id: `link_${index}`, key: `k${index}` }),
    )
    const shifted = [...links.slice(0, 100), ...links.slice(98)]
    const { items, got } = await read(workspace(shifted, lists))
    expect(ofKind(items, 'link').map(({ id }) => id)).toEqual(links.map(({ id }) => id))
    expect(got.filter(({ path }) => path === '/links')).toHaveLength(4)
  })

  it('gives links with a key that may read nothing else', async () => {
    const answer = workspace([link()])
    const { items } = await read(got =>
      got.path === '/links' ? answer(got) : { status: 403, json: {} },
    )
    expect(items.map(({ kind }) => kind)).toEqual(['host', 'link'])
  })

  it('gives all that a link can have there', async () => {
    const [read] = await linksOf(
      link({
        ...{ title: 'Fox', comments: 'For the letter', archived: true, password: 'open sesame' },
        ...{ expiresAt: '2030-01-01T00:00:00.000Z', expiredUrl: 'https://example.com/over' },
        ...{
          utm_source: 'letter',
          ios: 'https://example.com/ios',
          android: 'https://example.com/android',
        },
        geo: {
          DE: 'https://example.com/de',
          AT: 'https://example.com/de',
          FR: 'https://example.com/fr',
        },
        testVariants: [
          { url: 'https://example.com/', percentage: 70 },
          { url: 'https://example.com/b', percentage: 30 },
        ],
        testCompletedAt: '2027-01-01T00:00:00.000Z',
      }),
    )
    expect(read).toMatchObject({ password: { text: 'open sesame' }, isArchived: true })
    expect(read?.fields).toEqual({
      ...{ originalUrl: 'https://example.com/', title: 'Fox', notes: 'For the letter' },
      ...{ expiresAt: '2030-01-01T00:00:00.000Z', expiredUrl: 'https://example.com/over' },
      forwardQuery: true,
      utm: { source: 'letter', medium: null, campaign: null, term: null, content: null },
      dynamicRouting: {
        rules: [
          rule('iOS', 'https://example.com/ios', { type: 'os', operator: 'is', value: 'iOS' }),
          rule('Android', 'https://example.com/android', {
            type: 'os',
            operator: 'is',
            value: 'Android',
          }),
          rule('DE, AT', 'https://example.com/de', {
            type: 'country',
            operator: 'is',
            value: ['DE', 'AT'],
          }),
          rule('FR', 'https://example.com/fr', { type: 'country', operator: 'is', value: ['FR'] }),
          { ...rule('Side A', 'https://example.com/'), weight: 70 },
          { ...rule('Side B', 'https://example.com/b'), weight: 30 },
        ],
      },
    })
  })

  it('says what of a link could not come as it was', async () => {
    const [read] = await linksOf(
      link({
        rewrite: true,
        proxy: true,
        disabledAt: '2024-04-01T00:00:00.000Z',
        geo: { XXL: 'https://example.com/' },
      }),
    )
    expect(read?.fields.expiresAt).toBe('2024-04-01T00:00:00.000Z')
    expect(read?.changes).toEqual([
      'It is disabled there. Here it ended when it was disabled.',
      'It hides where it leads there. Here it redirects.',
      'Its card for social networks does not come along.',
      'The rule for the country “XXL” does not come along.',
    ])
  })

  it('leads visitors of a disabled link where unknown codes lead there', async () => {
    const notFoundUrl = 'https://example.com/lost'
    const domains = { json: [{ slug: 'go.example.com', notFoundUrl, expiredUrl: null }] }
    const disabled = link({ disabledAt: '2024-04-01T00:00:00.000Z' })
    const answers = { '/domains': domains, '/tags': { json: [] } }
    const { items } = await read(workspace([disabled], answers))
    expect(ofKind(items, 'link')[0]?.fields).toMatchObject({ expiredUrl: notFoundUrl })
  })

  it('leaves out a test that is over', async () => {
    const testVariants = [{ url: 'https://example.com/b', percentage: 100 }]
    const [read] = await linksOf(
      link({ testVariants, testCompletedAt: '2024-01-01T00:00:00.000Z' }),
    )
    expect(read?.fields).toEqual({ originalUrl: 'https://example.com/', forwardQuery: true })
  })

  it.each([
    ['docs/start', 'docs/start', undefined],
    ['caf%C3%A9', 'café', undefined],
    ['xn--caf-dma', 'café', undefined],
    [
      'xn--docs/caf-hya',
      'xn--docs/caf-hya',
      'Its code has letters that Dub writes in punycode, and comes along as it is there.',
    ],
  ])('reads the code %s as %s', async (key, code, change) => {
    const [read] = await linksOf(link({ key }))
    expect([read?.code, read?.changes]).toEqual([code, change && [change]])
  })

  it('refuses what is no link, and goes on, without showing what it has', async () => {
    const { items } = await read(
      workspace(
        [
          { id: 'link_9', password: 'hidden' },
          { ...link(), id: {} },
          link({ expiresAt: 'soon' }),
          link({ id: 'link_2' }),
        ],
        lists,
      ),
    )
    expect(items.filter(({ kind }) => kind !== 'host')).toEqual([
      {
        kind: 'refused',
        row: 'link 1',
        reason: 'Its domain is not what the API should have there.',
      },
      { kind: 'refused', row: 'link 2', reason: 'Its id is not what the API should have there.' },
      expect.objectContaining({
        ...{ kind: 'link', isClosed: true },
        changes: ['It has ended here, because its end, “soon”, is no date.'],
      }),
      expect.objectContaining({ kind: 'link', id: 'link_2' }),
    ])
  })

  it.each<[string, (got: Got) => Answer, RegExp]>([
    ['a wrong key', () => ({ status: 401, json: {} }), /does not accept the key/],
    ['another server', () => ({ json: { hello: 'world' } }), /does not answer with a list/],
    ['no end', got => (got.path === '/links' ? { json: [link()] } : nothing), /again and again/],
  ])('ends with a sentence for %s', async (_, answer, sentence) => {
    await expect(read(answer)).rejects.toThrow(sentence)
  })

  it('is not asked without a key', async () => {
    const reading = read(workspace([], lists), { key: undefined })
    await expect(reading).rejects.toThrow(/^There is neither a file nor an API key\./)
  })

  it('waits as long as it is told', async () => {
    const answer = workspace([link()], lists)
    let times = 0
    const { items } = await read(got =>
      times++ % 2 === 0 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : answer(got),
    )
    expect(ofKind(items, 'link')).toHaveLength(1)
  })
})

describe('a CSV file of Dub', () => {
  it('has links with totals and tags', async () => {
    const csv =
      'Short link,Destination URL,Clicks,Created at,Tags,Archived\ngo.example.com/a,https://example.com/,42,2024-03-01T10:20:30.000Z,"news, spring",Yes'
    expect(ofKind(await itemsOf(dub, csv), 'link')).toMatchObject([
      {
        ...{ host: 'go.example.com', code: 'a', visits: 42, tags: ['news', 'spring'] },
        isArchived: true,
      },
    ])
  })
})

it('a key is one word', () => {
  const { schema } = dub.settings.key ?? {}
  expect(schema?.safeParse(' dub_abc \n').data).toBe('dub_abc')
  for (const wrong of ['', 'two words', 'line\nbreak', 7]) {
    expect(schema?.safeParse(wrong).success).toBe(false)
  }
})

function rule(name: string, originalUrl: string, ...conditions: readonly unknown[]) {
  return { name, originalUrl, conditions }
}
