import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../../core/plugin.ts'
import { tries } from '../at-night.ts'
import { addAccount } from '../core/accounts/add-account.ts'
import { boot, type Harness } from '../harness.ts'
import { publicId, readPublicId, sortKeys } from '../inside.ts'
import { aPerson } from './people.ts'

const plugins = [
  'developer.apiKeys',
  'link.urlScanning',
  'organization.campaigns',
  'organization.customDomains',
  'organization.tags',
  'analytics.visitsTracking',
]

let linnet: Harness

beforeAll(async () => {
  linnet = await boot(plugins)
})
afterAll(() => linnet.stop())

/** A list, and how entries are added and removed. `any` is a small number, so that many entries are alike. */
interface List {
  readonly path: string
  make(any: number): Promise<string>
  remove(id: string): Promise<unknown>
}

let made = 0

const post = async (path: string, body: object): Promise<string> => {
  made += 1
  const answer = await linnet.api('POST', path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data.id
}
const removeFrom = (path: string) => (id: string) => linnet.api('DELETE', `${path}/${id}`)

async function makeLink(any: number): Promise<string> {
  linnet.at(`2026-11-20T1${any}:00:00Z`)
  const title = any === 0 ? null : `Title ${any}`
  const id = await post('/links', { original_url: 'https://example.com/', title })
  if (any > 1) {
    const link_id = readPublicId('lnk', id) ?? 0
    const totals = { link_id, visits: any, last_visit_at: any }
    await linnet.db.insertInto('link_totals').values(totals).execute()
  }
  return id
}

const tables = () => linnet.db as unknown as Tables

const lists: readonly List[] = [
  ...sortKeys
    .flatMap(key => [key, `-${key}`])
    .map(sort => ({ path: `/links?sort=${sort}`, make: makeLink, remove: removeFrom('/links') })),
  {
    path: '/tags?search=t',
    make: any => post('/tags', { name: `t ${any} ${made}` }),
    remove: removeFrom('/tags'),
  },
  {
    path: '/campaigns',
    make: any => post('/campaigns', { name: `Été ${any} ${made}` }),
    remove: removeFrom('/campaigns'),
  },
  {
    path: '/domains',
    make: any => post('/domains', { host: `host-${any}-${made}.example` }),
    remove: removeFrom('/domains'),
  },
  {
    path: '/api-tokens',
    make: any => post('/api-tokens', { name: `Token ${any}`, scopes: ['*'] }),
    remove: removeFrom('/api-tokens'),
  },
  {
    path: '/admin/accounts',
    make: async () => publicId('acc', (await addAccount(linnet.db)).id),
    remove: removeFrom('/admin/accounts'),
  },
  {
    path: '/admin/blocked-links',
    async make(any) {
      const id = await makeLink(any)
      const link_id = readPublicId('lnk', id)
      const finding = { address: 'https://evil.example/', reason: 'bad', released_at: null }
      const values = { ...finding, link_id, address_hash: `${any}`, found_at: any }
      await tables().insertInto('link_url_scanning_findings').values(values).execute()
      return id
    },
    remove: removeFrom('/links'),
  },
]

const steps = fc.array(
  fc.record({
    makes: fc.boolean(),
    any: fc.integer({ min: 0, max: 4 }),
    which: fc.nat(),
    waits: fc.boolean(),
  }),
  { minLength: 4, maxLength: 14 },
)

/** The page behind a cursor; without one, the first page. */
async function read(path: string, cursor: string | null, perPage = 3) {
  const separator = path.includes('?') ? '&' : '?'
  const at = cursor === null ? '' : `&cursor=${cursor}`
  const answer = await linnet.api('GET', `${path}${separator}per_page=${perPage}${at}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const ids: string[] = answer.body.data.map(({ id }: { readonly id: string }) => id)
  return { ids, ...answer.body }
}

/** Reads the whole list by its cursors; `between` runs before each page but the first. */
async function walk(path: string, between: () => Promise<void> = async () => undefined) {
  const seen: string[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof read>> = await read(path, cursor)
    seen.push(...page.ids)
    cursor = page.meta.nextCursor
    if (cursor === null) return seen
    await between()
  }
}

describe.each(lists)('walking by cursor: $path', ({ path, make, remove }) => {
  it('shows each row that stays exactly once, whatever is made and removed meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.nat(4), { minLength: 5, maxLength: 9 }),
        async (todo, first) => {
          for (const any of first) await make(any)
          const before = await walk(path)
          const gone = new Set<string>()
          const queue = [...todo]
          const own: string[] = []
          const seen = await walk(path, async () => {
            for (const { makes, any, which, waits } of queue.splice(0, 3)) {
              if (waits) continue
              const there = [...before, ...own].filter(
                id => !gone.has(id) && id !== linnet.account.id,
              )
              const id = there[which % there.length]
              if (makes) own.push(await make(any))
              else if (id !== undefined) {
                await remove(id)
                gone.add(id)
              }
            }
          })
          expect(new Set(seen).size).toBe(seen.length)
          expect(before.filter(id => !gone.has(id) && !seen.includes(id))).toEqual([])
          for (const id of [...before, ...own]) {
            if (!gone.has(id) && id !== linnet.account.id) await remove(id)
          }
        },
      ),
      tries(4),
    )
  })
})

describe('a cursor', () => {
  const stop = async () => Promise.all((await walk('/links')).map(removeFrom('/links')))

  beforeAll(async () => {
    for (const any of [1, 1, 1, 1, 1, 2, 2]) await makeLink(any)
  })
  afterAll(stop)

  it('is there while more rows follow, and null at the end', async () => {
    const first = await read('/links', null)
    expect(first.meta).toMatchObject({ currentPage: 1, lastPage: 3, total: 7 })
    const second = await read('/links', first.meta.nextCursor)
    expect(second.meta).toMatchObject({ currentPage: 2, lastPage: 3, total: 7 })
    const third = await read('/links', second.meta.nextCursor)
    expect(third.meta).toMatchObject({ currentPage: 3, nextCursor: null })
    expect(third.links.next).toBeNull()
    expect((await read('/links', null, 7)).meta.nextCursor).toBeNull()
    expect((await read('/links?page=3', null)).ids).toEqual(third.ids)
  })

  it('is where `next` leads, in the body and in the header', async () => {
    const first = await linnet.api('GET', '/links?per_page=3&sort=title')
    const next = first.body.links.next.slice('/api/v1'.length)
    const query = new URLSearchParams(next.split('?')[1])
    expect(Object.fromEntries(query)).toEqual({
      cursor: first.body.meta.nextCursor,
      per_page: '3',
      sort: 'title',
    })
    expect(first.headers.link).toContain(`<${first.body.links.next}>; rel="next"`)
    const second = await linnet.api('GET', next)
    expect(second.body.meta.currentPage).toBe(2)
    expect(second.body.links.prev).toBe('/api/v1/links?page=1&per_page=3&sort=title')
    const lastOfTags = await linnet.api('GET', '/tags')
    expect(lastOfTags.headers.link).toContain('rel="first"')
  })

  it('goes on with pages of another size', async () => {
    const { ids, meta } = await read('/links', null, 2)
    const rest = await read('/links', meta.nextCursor, 100)
    expect([...ids, ...rest.ids]).toEqual(await walk('/links'))
  })

  it('outlives a restart', async () => {
    const first = await read('/links', null)
    linnet = await linnet.restart(plugins)
    await read('/links', first.meta.nextCursor)
  })

  const refused = async (path: string, headers?: Readonly<Record<string, string>>) => {
    const { status, body } = await linnet.api('GET', path, undefined, headers)
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    return body.errors
  }
  const cursorOf = async (path: string) => (await read(path, null)).meta.nextCursor as string

  it.each([
    ['another order', '/links?sort=title'],
    ['another search', '/links?search=example'],
    ['another filter', '/links?status=active'],
    ['another list', '/admin/accounts?'],
  ])('of the list is refused for %s', async (_, path) => {
    const cursor = await cursorOf('/links')
    expect(await refused(`${path}&cursor=${cursor}`)).toMatchObject([
      { field: 'cursor', code: 'invalid' },
    ])
  })

  it('is good for its own filters, however they are written', async () => {
    const cursor = await cursorOf('/links?created_from=2026-11-01T00:00:00Z&status=active')
    await read('/links?status=active&createdFrom=2026-11-01T00:00:00Z', cursor)
  })

  it('of another account is refused', async () => {
    const cursor = await cursorOf('/links')
    const stranger = await (await aPerson(linnet)).session()
    await refused(`/links?cursor=${cursor}`, stranger)
  })

  it('is refused beside a page', async () => {
    const cursor = await cursorOf('/links')
    expect(await refused(`/links?cursor=${cursor}&page=2`)).toMatchObject([{ field: 'page' }])
  })

  it('that nobody gave out is refused', async () => {
    const cursor = await cursorOf('/links')
    const [payload, signature = ''] = cursor.split('.')
    const other = Buffer.from('[2,0,1]').toString('base64url')
    const forged = [
      '',
      '.',
      'x',
      `${payload}`,
      `${payload}.`,
      `${other}.${signature}`,
      `${payload}.${signature.slice(1)}é`,
      `${payload}.${'A'.repeat(signature.length)}`,
      Buffer.from('{}').toString('base64url'),
      Buffer.from('[1.5,"x"]').toString('base64url'),
      'x'.repeat(9_000),
    ]
    for (const text of forged) {
      const errors = await refused(`/links?cursor=${encodeURIComponent(text)}`)
      expect(errors, text).toMatchObject([{ field: 'cursor' }])
    }
    await refused(`/links?cursor=${cursor}&cursor=${cursor}`)
  })
})
