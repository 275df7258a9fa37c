import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boot, type Harness } from '../harness.ts'
import { aPerson } from './people.ts'

/** Created in this order, one hour apart, and visited this many times. */
const links = [
  { short_code: 'apple', originalUrl: 'https://example.com/100%25', title: 'Zebra' },
  { short_code: 'Berry', originalUrl: 'https://example.com/a_b', title: 'ant' },
  { short_code: 'cherry', originalUrl: 'https://Fruit.example/', title: null },
  { short_code: 'damson', originalUrl: 'https://example.com/', title: '100% juice\\pulp' },
  {
    short_code: 'elder',
    originalUrl: 'https://example.com/',
    title: 'Übersicht a_b',
    archived: true,
  },
] as const
const visits: Readonly<Record<string, readonly string[]>> = {
  apple: ['18', '22'],
  Berry: ['19', '20', '21'],
  cherry: ['23'],
}

let linnet: Harness

beforeAll(async () => {
  linnet = await boot(['link.customShortCode', 'analytics.visitsTracking'])
  for (const [hour, link] of links.entries()) {
    linnet.at(`2026-11-20T1${hour}:00:00Z`)
    await linnet.create(link)
  }
  for (const [code, hours] of Object.entries(visits)) {
    for (const hour of hours) {
      linnet.at(`2026-11-20T${hour}:00:00Z`)
      await linnet.visit(code)
    }
  }
  const stranger = await (await aPerson(linnet)).session()
  await linnet.api('POST', '/links', { original_url: 'https://example.com/theirs' }, stranger)
})
afterAll(() => linnet.stop())

/** The codes of a list, in order. */
async function codes(query = ''): Promise<string> {
  const { status, body } = await linnet.api('GET', `/links${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map(({ shortCode }: { shortCode: string }) => shortCode).join(' ')
}

describe('the list of links', () => {
  it('has those of the account, the newest first', async () => {
    expect(await codes()).toBe('elder damson cherry Berry apple')
  })

  it.each([
    ['created_at', 'apple Berry cherry damson elder'],
    ['-created_at', 'elder damson cherry Berry apple'],
    ['visits', 'damson elder cherry apple Berry'],
    ['-visits', 'Berry apple cherry elder damson'],
    ['last_visit_at', 'damson elder Berry apple cherry'],
    ['-last_visit_at', 'cherry apple Berry elder damson'],
    ['short_code', 'Berry apple cherry damson elder'],
    ['-short_code', 'elder damson cherry apple Berry'],
    ['title', 'cherry damson apple Berry elder'],
    ['-title', 'elder Berry apple damson cherry'],
  ])('is sorted by %s', async (sort, expected) => {
    expect(await codes(`?sort=${sort}`)).toBe(expected)
  })

  it.each([
    ['by a part of the code', 'err', 'cherry Berry'],
    ['in any case', 'BERRY', 'Berry'],
    ['by host', 'fruit.example', 'cherry'],
    ['by title', 'ZEB', 'apple'],
    ['by a percent sign, which stands for itself', '100%', 'damson apple'],
    ['by an underscore, which stands for itself', 'a_b', 'elder Berry'],
    ['by a backslash, which stands for itself', '\\', 'damson'],
    ['by letters beyond ASCII', 'ÜBERSICHT', 'elder'],
    ['for SQL, which is no more than text', "' or 1=1 --", ''],
    ['with nothing found', 'nothing', ''],
    ['for what is another account’s', 'theirs', ''],
    ['with spaces around', '  zebra ', 'apple'],
  ])('is searched %s', async (_, search, expected) => {
    expect(await codes(`?search=${encodeURIComponent(search)}`)).toBe(expected)
  })

  it.each([
    ['status=archived', 'elder'],
    ['archived=true', 'elder'],
    ['archived=false', 'damson cherry Berry apple'],
    ['status=active', 'damson cherry Berry apple'],
    ['short_code=Berry', 'Berry'],
    ['short_code=berry', ''],
    ['short_code=cherr', ''],
    ['original_url=https://example.com/', 'elder damson'],
    ['original_url=HTTPS://EXAMPLE.com:443&archived=false', 'damson'],
    ['original_url=https://fruit.example', 'cherry'],
    ['original_url=https://example.com/100%2525', 'apple'],
    ['original_url=https://example.com/100', ''],
    ['original_url=example.com', ''],
    ['original_url=https://example.com/theirs', ''],
    ['original_url=https://example.com/&search=juice', 'damson'],
    ['created_from=2026-11-20T13:00:00Z', 'elder damson'],
    ['createdFrom=2026-11-20T14:00:00%2B01:00', 'elder damson'],
    ['created_to=2026-11-20T11:00:00Z', 'apple'],
    ['created_from=2026-11-20&created_to=2026-11-21', 'elder damson cherry Berry apple'],
    ['created_from=2026-11-21', ''],
    ['created_to=2026-11-20', ''],
    ['created_from=2026-11-20T11:00:00Z&created_to=2026-11-20T13:00:00Z', 'cherry Berry'],
    ['search=example.com&status=active&sort=title', 'damson apple Berry'],
  ])('is filtered by %s', async (query, expected) => {
    expect(await codes(`?${query}`)).toBe(expected)
  })

  it('comes in pages that lead to each other, with all that was asked for', async () => {
    const first = await linnet.api('GET', '/links?per_page=2&search=e&sort=short_code')
    const page = (number: number) =>
      `/api/v1/links?page=${number}&per_page=2&search=e&sort=short_code`
    const { next } = first.body.links
    expect(first.body).toMatchObject({
      data: [{ shortCode: 'Berry' }, { shortCode: 'apple' }],
      meta: { currentPage: 1, perPage: 2, total: 5, lastPage: 3, nextCursor: expect.any(String) },
      links: { first: page(1), prev: null, last: page(3) },
    })
    expect(first.headers.link).toBe(
      [`<${page(1)}>; rel="first"`, `<${next}>; rel="next"`, `<${page(3)}>; rel="last"`].join(', '),
    )
    const [byLink, byNumber] = await Promise.all(
      [next, page(2)].map(it => linnet.api('GET', it.slice('/api/v1'.length))),
    )
    expect(byLink?.body.data).toMatchObject([{ shortCode: 'cherry' }, { shortCode: 'damson' }])
    expect(byNumber?.body).toEqual(byLink?.body)
    const last = await linnet.api('GET', page(3).slice('/api/v1'.length))
    expect(last.body).toMatchObject({
      data: [{ shortCode: 'elder' }],
      meta: { currentPage: 3 },
      links: { prev: page(2), next: null },
    })
    expect(last.headers.link).toContain(`<${page(2)}>; rel="prev"`)
  })

  it('is empty past its end, and leads back', async () => {
    const { status, body } = await linnet.api('GET', '/links?page=99')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      data: [],
      meta: { currentPage: 99, total: 5, lastPage: 1 },
      links: { prev: expect.stringContaining('page=1'), next: null },
    })
  })

  it.each([
    ['sort=password', 'sort'],
    ['sort=id;drop table links', 'sort'],
    ['sort=title&sort=visits', 'sort'],
    ['per_page=101', 'per_page'],
    ['per_page=0', 'per_page'],
    ['page=-1', 'page'],
    ['page=0x10', 'page'],
    ['per_page=1e1', 'per_page'],
    ['per_page= 10', 'per_page'],
    ['per_page=', 'per_page'],
    ['archived=1', 'archived'],
    ['page=1.5', 'page'],
    ['page=two', 'page'],
    ['page=1000001', 'page'],
    ['search=', 'search'],
    ['short_code=', 'short_code'],
    [`short_code=${'a'.repeat(256)}`, 'short_code'],
    ['original_url=', 'original_url'],
    [`original_url=https://example.com/${'a'.repeat(8_192)}`, 'original_url'],
    ['status=gone', 'status'],
    ['created_from=yesterday', 'created_from'],
    ['created_from=2026-02-30', 'created_from'],
    ['created_to=9999-12-31T23:59:59-23:59', 'created_to'],
    ['order=asc', 'order'],
    ['__proto__=1', '__proto__'],
    ['per_page=5&perPage=6', 'perPage'],
  ])('is 422 for ?%s', async (query, field) => {
    const { status, body } = await linnet.api('GET', `/links?${query}`)
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })
})
