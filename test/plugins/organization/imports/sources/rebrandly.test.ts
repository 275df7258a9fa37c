import { afterAll, describe, expect, it } from 'vitest'
import { rebrandly } from '../../../../../plugins/organization/imports/sources/rebrandly.ts'
import { type Answer, fetch, type Got, serve } from '../api-server.ts'
import { conforms } from '../conformance.ts'
import { all, asked, itemsOf, ofKind } from '../from-text.ts'

const link = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id: 'l1', title: 'Fox', slashtag: 'spring', destination: 'https://example.com/' },
  ...{ shortUrl: 'go.example.com/spring', domain: { id: 'd1', fullName: 'go.example.com' } },
  ...{ createdAt: '2024-03-01T10:20:30.000Z', updatedAt: '2024-03-02T10:20:30.000Z', clicks: 3 },
  ...{ lastClickAt: '2024-05-01T00:00:00.000Z', favourite: false, forwardParameters: true },
  ...{ status: 'active', description: 'For the letter' },
  tags: [{ id: 't', name: 'news', color: 'c92a2a', active: true, clicks: 3 }],
  ...more,
})

/** A workspace as its API answers: so many links after the one that is named, and an empty list at the end. */
function workspace(links: readonly Readonly<Record<string, unknown>>[]) {
  return ({ path, query }: Got): Answer => {
    if (path !== '/v1/links') return { status: 404, json: {} }
    const from = query.last ? links.findIndex(({ id }) => id === query.last) + 1 : 0
    return { json: links.slice(from, from + Number(query.limit)) }
  }
}

const service = await serve(workspace([link(), link({ id: 'l2', slashtag: 'b', tags: [] })]))
afterAll(service.close)
conforms(rebrandly, { fetch, settings: { api: `${service.base}/v1`, key: 'secret' } })

async function read(answer: (got: Got) => Answer, settings = {}) {
  const server = await serve(answer)
  const given = { api: `${server.base}/v1`, key: 'secret', ...settings }
  return { items: await all(rebrandly.read(asked({ fetch, settings: given }))), got: server.got }
}

describe('the API of Rebrandly', () => {
  it('gives links with tags and their colours', async () => {
    const { items, got } = await read(workspace([link()]), { workspace: 'w1' })
    expect(items).toEqual([
      { kind: 'tag', row: 'link l1', name: 'news', color: '#c92a2a' },
      { kind: 'host', row: 'go.example.com/spring', host: 'go.example.com' },
      {
        ...{ kind: 'link', row: 'go.example.com/spring', id: 'l1', host: 'go.example.com' },
        ...{ code: 'spring', tags: ['news'], visits: 3 },
        fields: {
          ...{ originalUrl: 'https://example.com/', title: 'Fox', notes: 'For the letter' },
          forwardQuery: true,
        },
        createdAt: new Date('2024-03-01T10:20:30Z'),
        updatedAt: new Date('2024-03-02T10:20:30Z'),
        lastVisitAt: new Date('2024-05-01T00:00:00Z'),
      },
    ])
    expect(got[0]?.headers).toMatchObject({ apikey: 'secret', workspace: 'w1' })
    expect(got.map(({ query }) => query.last)).toEqual([undefined, 'l1'])
  })

  it('gives all pages, each link once', async () => {
    const links = Array.from({ length: 60 }, (_, index) => link({ id: `l${index}` }))
    const { items, got } = await read(workspace([...links.slice(0, 25), ...links.slice(24)]))
    expect(ofKind(items, 'link').map(({ id }) => id)).toEqual(links.map(({ id }) => id))
    expect(got).toHaveLength(4)
    expect(got[0]?.headers).not.toHaveProperty('workspace')
  })

  it('keeps codes of its own host for a host of yours, and says what else differs', async () => {
    const domain = { fullName: 'rebrand.ly' }
    const { items } = await read(workspace([link({ domain, status: 'trashed', tags: null })]))
    expect(items).toMatchObject([
      {
        ...{ kind: 'link', host: null, code: 'spring' },
        changes: [
          'Its status there is “trashed”. Here it leads on.',
          '“rebrand.ly/spring” itself ends with Rebrandly, whose host it is.',
        ],
      },
    ])
  })

  it('refuses what is no link, and goes on', async () => {
    const { items } = await read(workspace([{ id: 'l0', slashtag: 'a' }, link({ tags: [] })]))
    expect(items[0]).toMatchObject({
      ...{
        kind: 'refused',
        row: 'link 1',
        reason: 'Its destination is not what the API should have there.',
      },
    })
    expect(ofKind(items, 'link')).toHaveLength(1)
  })

  it.each<[string, (got: Got) => Answer, RegExp]>([
    ['a wrong key', () => ({ status: 401, json: {} }), /Rebrandly .* does not accept the key/],
    ['a wrong workspace', () => ({ status: 403, json: {} }), /refuses \/links/],
    ['another server', () => ({ json: {} }), /does not answer with a list/],
    ['no end', () => ({ json: [link()] }), /again and again/],
  ])('ends with a sentence for %s', async (_, answer, sentence) => {
    await expect(read(answer)).rejects.toThrow(sentence)
  })
})

describe('a CSV file of Rebrandly', () => {
  it.each([
    'id,title,slashtag,destination,domain,clicks,createdAt\nl1,Fox,spring,https://example.com/,go.example.com,3,2024-03-01T10:20:30.000Z',
    'Title,Short URL,Destination URL,Clicks,Created At\nFox,go.example.com/spring,https://example.com/,3,2024-03-01T10:20:30.000Z',
  ])('is read by the names of its columns', async content => {
    expect(ofKind(await itemsOf(rebrandly, content), 'link')).toMatchObject([
      {
        ...{ host: 'go.example.com', code: 'spring', visits: 3 },
        fields: { originalUrl: 'https://example.com/', title: 'Fox' },
      },
    ])
  })
})
