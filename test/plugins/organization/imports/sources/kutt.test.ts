import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kutt } from '../../../../../plugins/organization/imports/sources/kutt.ts'
import { type Answer, fetch, type Got, serve } from '../api-server.ts'
import { conforms, readAll } from '../conformance.ts'
import { ofKind } from '../from-text.ts'
import { writtenFile } from '../written-file.ts'

const fileOf = (name: string) => new URL(`./kutt/${name}`, import.meta.url).pathname
const files = ['kutt.sqlite', 'kutt-mysql.sql', 'kutt-postgres.sql', 'kutt-postgres-inserts.sql']

describe.each(files)('with %s', name => {
  conforms(kutt, { file: fileOf(name) })

  it('yields links with all that Kutt knows of them', async () => {
    const items = await readAll(kutt, { file: fileOf(name) })
    const link = { host: null, owner: 'ada@example.org', visits: 0 }
    const ofGrace = { ...link, owner: 'grace@example.org' }
    const date = expect.any(Date)
    // PostgreSQL writes the rows that were changed last at the end.
    const inOrder = items.toSorted((a, b) => a.row.localeCompare(b.row))
    const found = inOrder.flatMap(item => {
      if (item.kind !== 'link') return []
      const { kind, row, id, ...rest } = item
      expect(id).toMatch(/^[\da-f]{8}-/)
      return [rest]
    })
    expect(found.map(({ createdAt, updatedAt, ...rest }) => rest)).toEqual([
      {
        ...{ ...link, code: 'Spring', visits: 5 },
        fields: {
          originalUrl: 'https://example.com/spring?a=1&b=2',
          notes: "It's spring – “sale”, 50 % \\ off 🌷",
        },
      },
      {
        ...{ ...link, code: 'secret', fields: { originalUrl: 'https://example.com/secret' } },
        password: { hash: expect.stringMatching(/^\$2a\$12\$.{53}$/) },
      },
      {
        ...{ ...ofGrace, code: 'soon-gone' },
        fields: {
          originalUrl: 'https://example.com/',
          expiresAt: expect.stringMatching(/^2026-11-29T05:0[78]:\d\d\.\d{3}Z$/),
        },
      },
      {
        ...{ ...ofGrace, host: 'go.kutt.test', code: 'spring' },
        fields: { originalUrl: 'https://example.org/café' },
      },
      { ...ofGrace, code: 'mail', fields: { originalUrl: 'mailto:ada@example.org' } },
      {
        ...{ ...ofGrace, code: 'bad', fields: { originalUrl: 'https://example.com/bad' } },
        isClosed: true,
        changes: ['It was banned there, and has ended here.'],
      },
    ])
    for (const { createdAt, updatedAt } of found)
      expect([createdAt, updatedAt]).toEqual([date, date])
  })

  it('yields visits as they would be counted here, domains and keys', async () => {
    const items = await readAll(kutt, { file: fileOf(name) })
    expect(items.filter(({ kind }) => kind !== 'link')).toEqual([
      {
        ...{ kind: 'host', row: 'domains id 1', host: 'go.kutt.test' },
        rootUrl: 'https://example.com/home',
      },
      {
        ...{ kind: 'counts', row: 'links id 1', link: expect.any(String), part: '2026-11-27' },
        counts: [
          {
            at: new Date('2026-11-27T05:00:00Z'),
            visits: 5,
            by: {
              visitsByBrowser: { Chrome: 3, Firefox: 1, Safari: 1 },
              visitsByCountry: { GB: 2, US: 3 },
              visitsByOperatingSystem: { Linux: 1, Windows: 3, iOS: 1 },
              visitsByReferer: { 'news.example.com': 1, 't.co': 3 },
            },
          },
        ],
      },
      ...['ada@example.org', 'grace@example.org'].map((owner, index) => ({
        ...{ kind: 'key', row: `users id ${index + 1}`, name: `Kutt, ${owner}`, owner },
        ...{ sha256: expect.stringMatching(/^[\da-f]{64}$/), tellsOwner: true },
      })),
    ])
  })
})

it.each([
  '{"us":{"toString":1},"de":2}',
  '{"us":"3","de":2}',
  `{"us":${'['.repeat(16_000)}${']'.repeat(16_000)},"de":2}`,
])('counts nothing of what is no number: %.40s', async countries => {
  const dump = `${readFileSync(fileOf('kutt-postgres-inserts.sql'))}`
  const path = writtenFile(dump.replace(/'\{"[a-z]{2}"[^']*'/, `'${countries}'`))
  const counts = ofKind(await readAll(kutt, { file: path }), 'counts')
  expect(JSON.stringify(counts)).toContain('"DE":2')
})

describe('with its API', () => {
  const read = (name: string) => JSON.parse(readFileSync(fileOf(`${name}.json`), 'utf8'))
  const [links, allLinks, user, stats] = ['links', 'links-admin', 'users', 'stats'].map(read)
  const pages = (page: { data: unknown[] }, { query }: Got) => {
    const start = Number(query.skip)
    return { json: { ...page, data: page.data.slice(start, start + Number(query.limit)) } }
  }
  const answerTo = (got: Got): Answer => {
    if (got.headers['x-api-key'] !== 'abc') return { status: 401, json: { error: 'Unauthorized' } }
    if (got.path === '/api/v2/users') return { json: user }
    if (got.path === '/api/v2/links') return pages(links, got)
    if (got.path === '/api/v2/links/admin') return pages(allLinks, got)
    if (got.path === `/api/v2/links/${stats.id}/stats`) return { json: stats }
    return { status: 404, json: {} }
  }
  const settings = (url: string) => ({ url, key: 'abc' })

  conforms(kutt, {
    settings: settings('https://kutt.test'),
    fetch: async (url, options) => {
      const { base, close } = await serve(answerTo)
      return fetch(url.replace('https://kutt.test', base), options).finally(close)
    },
  })

  it('yields links, visits of the last days, domains and the key', async () => {
    const { base } = await serve(answerTo)
    const items = await readAll(kutt, { settings: settings(base), fetch })
    const createdAt = expect.any(Date)
    expect(items).toEqual([
      {
        ...{ kind: 'host', row: 'domain go.kutt.test', host: 'go.kutt.test' },
        rootUrl: 'https://example.com/home',
      },
      {
        ...{
          kind: 'link',
          row: 'link /secret',
          id: expect.any(String),
          host: null,
          code: 'secret',
        },
        fields: { originalUrl: 'https://example.com/secret' },
        ...{ createdAt, updatedAt: createdAt, isClosed: true, visits: 0 },
        changes: [expect.stringContaining('The API does not tell its password. It has ended here')],
      },
      {
        ...{ kind: 'link', row: 'link /Spring', id: stats.id, host: null, code: 'Spring' },
        fields: {
          originalUrl: 'https://example.com/spring?a=1&b=2',
          notes: "It's spring – “sale”, 50 % \\ off 🌷",
        },
        ...{ createdAt: new Date('2026-11-27T05:07:02Z'), updatedAt: createdAt, visits: 5 },
      },
      {
        ...{ kind: 'counts', row: 'link /Spring', link: stats.id, part: 'last 30 days' },
        counts: [{ at: new Date('2026-11-27T05:07:02Z'), visits: 5 }],
      },
      {
        ...{
          kind: 'key',
          row: 'users',
          name: 'Kutt, grace@example.org',
          owner: 'grace@example.org',
        },
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        tellsOwner: true,
      },
    ])
  })

  it('yields links of all users, with their owners, the default host as none', async () => {
    const { base } = await serve(answerTo)
    const all = { ...settings(base), allLinks: true }
    const found = ofKind(await readAll(kutt, { settings: all, fetch }), 'link')
    expect(found.map(({ host, code, owner, isClosed }) => [host, code, owner, isClosed])).toEqual([
      [null, 'bad', 'grace@example.org', true],
      [null, 'mail', 'grace@example.org', undefined],
      ['go.kutt.test', 'spring', 'grace@example.org', undefined],
      [null, 'soon-gone', 'grace@example.org', undefined],
      [null, 'secret', 'ada@example.org', true],
      [null, 'Spring', 'ada@example.org', undefined],
    ])
    expect(found[3]?.fields.expiresAt).toBe('2026-11-29T05:07:03.000Z')
  })

  it('says who may list the links of all users', async () => {
    const { base } = await serve(got =>
      got.path.endsWith('/admin')
        ? { status: 401, json: { error: 'Unauthorized' } }
        : answerTo(got),
    )
    const reading = readAll(kutt, { settings: { ...settings(base), allLinks: true }, fetch })
    await expect(reading).rejects.toThrow('Only an admin of Kutt may list the links of all users.')
  })

  it('counts days and hours from when the server answered', async () => {
    const views = (size: number, at: Record<number, number>) => ({
      views: Array.from({ length: size }, (_, index) => at[size - 1 - index] ?? 0),
    })
    const old = { ...links.data[1], created_at: '2020-01-01T00:00:00.000Z', visit_count: 100 }
    const { base } = await serve(got => {
      if (got.path === '/api/v2/links') return pages({ data: [old] }, got)
      if (!got.path.endsWith('/stats')) return answerTo(got)
      const [lastDay, lastMonth] = [views(24, { 0: 1, 5: 2 }), views(30, { 0: 3, 1: 4, 29: 5 })]
      return { json: { lastDay, lastMonth, updatedAt: '2026-11-27T10:10:00.000Z' } }
    })
    const items = await readAll(kutt, { settings: settings(base), fetch })
    expect(ofKind(items, 'counts')[0]?.counts).toEqual([
      { at: new Date('2026-11-27T09:40:00Z'), visits: 1 },
      { at: new Date('2026-11-27T04:40:00Z'), visits: 2 },
      { at: '2026-11-25', visits: 4 },
      { at: '2026-10-28', visits: 5 },
    ])
  })

  it('reads page by page, and yields what moved to another one once', async () => {
    const data = Array.from({ length: 95 }, (_, index) => ({
      ...links.data[0],
      id: `${index}`,
      address: `a${index}`,
    }))
    const { base, got } = await serve(it =>
      it.path === '/api/v2/links' ? pages({ data }, it) : answerTo(it),
    )
    const found = ofKind(await readAll(kutt, { settings: settings(base), fetch }), 'link')
    expect(found.map(({ code }) => code)).toEqual(data.map(({ address }) => address))
    expect(
      got.filter(({ path }) => path === '/api/v2/links').map(({ query }) => query.skip),
    ).toEqual(['0', '40', '80', '120'])
  })

  it.each<[what: string, answer: Answer, says: string]>([
    ['the key is wrong', { status: 401, json: {} }, 'does not accept the key'],
    ['another server answers', { json: [] }, 'does not answer as the API of Kutt does'],
  ])('says so if %s', async (_, answer, says) => {
    const { base } = await serve(() => answer)
    await expect(readAll(kutt, { settings: settings(base), fetch })).rejects.toThrow(says)
  })
})

it('says what it needs', async () => {
  await expect(readAll(kutt, {})).rejects.toThrow('There is neither a file nor the address of Kutt')
})
