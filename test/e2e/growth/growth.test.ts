import { inject } from 'light-my-request'
import { afterAll, describe, expect, it } from 'vitest'
import { bodyOf, operationsOf, type Placed, readDocument } from '../../api/document.ts'
import { plugins } from '../../api/whole-instance.ts'
import { firstOf, isNight, itAtNight } from '../../at-night.ts'
import { boot, type Headers, type VisitOptions } from '../../harness.ts'
import { makeInternet } from '../../plugins/organization/custom-domains/internet.ts'
import { list, ways } from './bodies.ts'
import { growthOf, mostGrowth } from './cost.ts'

/**
 * Whatever a client sends, the work of the thread that redirects grows no faster than the length: four times as much
 * input takes at most six times the processor time.
 */
const internet = makeInternet()
const linnet = await boot(plugins, internet)
afterAll(() => linnet.stop())

const link = await linnet.create({ short_code: 'here', forward_query: true })
const document = await readDocument(linnet)
const operations = operationsOf(document)

/** A body from an anonymous client must be small, or nobody reads it. */
const sizeFor = ({ operation }: Placed, size: number) =>
  operation['x-required-scope'] === undefined ? Math.ceil(Math.min(size, 1_000)) : size

const addressOf = (path: string, thing: string = link.id) =>
  path
    .slice('/api/v1'.length)
    .replace('{slug}', 'pro')
    .replace(/\{\w+\}/, thing)

const json = { 'content-type': 'application/json' }

/** The same request with this much input, and with four times as much. */
function pairOf(size: number, ask: (size: number) => () => Promise<unknown>) {
  return { small: ask(size), large: ask(4 * size) }
}

async function expectLinear(size: number, ask: (size: number) => () => Promise<unknown>) {
  expect(await growthOf(pairOf(size, ask))).toBeLessThan(mostGrowth)
}

/** All of these at night; in every run one of sixteen, which others for each way to grow. */
function some<T>(all: readonly T[], way: string): readonly T[] {
  return isNight ? all : all.filter((_, index) => index % 16 === way.length % 16)
}

describe.each(Object.entries(ways))('a body with more %s', (name, way) => {
  it.each(
    some(
      operations.filter(({ operation }) => bodyOf(operation)),
      name,
    ),
  )('to $method $path takes time in proportion', async placed => {
    const { method, path, operation } = placed
    const schema = bodyOf(operation) ?? {}
    await expectLinear(sizeFor(placed, way.size), size => {
      const body = JSON.stringify(way.grow(schema, size))
      expect(body.length).toBeLessThan(1024 * 1024)
      return () => linnet.api(method, addressOf(path), body, json)
    })
  })
})

/** Queries of growing length; `name` is a known parameter. */
const queries: Readonly<Record<string, (name: string, size: number) => string>> = {
  'unknown names': (_, size) => many(size, i => `x${i}=1`, '&'),
  'names in both cases': (_, size) => many(size / 2, i => `ab_c${i}=1&abC${i}=1`, '&'),
  'values of one name': (name, size) => many(size, i => `${name}=a${i}`, '&'),
  'things in a list': (name, size) => `${name}=${many(size, i => `a${i}`, ',')}`,
  'letters in a value': (name, size) => `${name}=${'a'.repeat(size)}`,
  'blanks in a value': (name, size) => `${name}=${'+'.repeat(size)}a`,
}

function many(size: number, one: (index: number) => string, between: string): string {
  return Array.from({ length: Math.ceil(size) }, (_, index) => one(index)).join(between)
}

describe.each(Object.entries(queries))('a query with more %s', (name, query) => {
  it.each(some(operations, name))(
    'to $method $path takes time in proportion',
    async ({ method, path, operation }) => {
      const known = operation.parameters.filter(it => it.in === 'query').map(({ name }) => name)
      for (const name of known.length === 0 ? ['x'] : known) {
        await expectLinear(1_000, size => {
          const address = `${addressOf(path)}?${query(name, size)}`
          return () => linnet.api(method, address, undefined, json)
        })
      }
    },
  )
})

describe('an id with more letters', () => {
  const onOne = operations.filter(({ path }) => path.includes('{'))
  it.each(some(onOne, 'id'))(
    'to $method $path takes time in proportion',
    async ({ method, path, operation }) => {
      for (const unit of ['a', 'Q', 'QHjkdYfmFMRTBb2tqgXwsZCPp3KnD9Wyz74hGVNv8J65Sxcr', '%C3%A9']) {
        await expectLinear(2_000, size => {
          const thing = `tag_${unit.repeat(size / unit.length)}`
          const body = bodyOf(operation) ? '{}' : undefined
          return () => linnet.api(method, addressOf(path, thing), body, json)
        })
      }
    },
  )
})

const lists = ['{"a":', '[', '{"original_url":{"dynamic_routing":'] as const

describe('a body that is nested deeper', () => {
  it.each(lists)('by %s', async open => {
    const close = open.replace(/[^[{]/g, '').replaceAll('[', ']').replaceAll('{', '}')
    await expectLinear(5_000, size => {
      const body = `{"links":${open.repeat(size)}1${close.repeat(size)}}`
      return () => linnet.api('POST', '/links/bulk', body, json)
    })
  })
})

/** Headers of growing length. */
const headers: Readonly<Record<string, (size: number) => Headers>> = {
  accept: size => ({ accept: many(size, i => `a/b;q=0.${i}`, ',') }),
  'accept-language': size => ({ 'accept-language': many(size, i => `en;q=0.${i}`, ',') }),
  'user-agent': size => ({ 'user-agent': 'Mozilla/5.0 ('.repeat(size) }),
  referer: size => ({ referer: `https://example.com/${'a/'.repeat(size)}` }),
  cookie: size => ({ cookie: many(size, i => `a${i}=b`, '; ') }),
  'x-forwarded-for': size => ({ 'x-forwarded-for': many(size, () => '203.0.113.9', ',') }),
  'if-match': size => ({ 'if-match': many(size, i => `"${i}"`, ', ') }),
  'idempotency-key': size => ({ 'idempotency-key': 'a'.repeat(size) }),
  authorization: size => ({ authorization: `Bearer ${' a'.repeat(size)}` }),
  host: size => ({ host: many(size, () => 'a', '.') }),
}

describe('a header that is longer', () => {
  it.each(Object.entries(headers))('as %s, to the API', async (_, header) => {
    await expectLinear(2_000, size => () => linnet.api('GET', '/links', undefined, header(size)))
    await expectLinear(2_000, size => () => {
      const sent = { ...json, ...header(size) }
      return linnet.api('PATCH', `/links/${link.id}`, '{"title":"Red"}', sent)
    })
  })

  it.each(Object.entries(headers))('as %s, to a link', async (_, header) => {
    await expectLinear(2_000, size => () => visits('here', { headers: header(size) }))
  })
})

/** A single visit takes too little time to measure. */
async function visits(path: string, options: VisitOptions = {}): Promise<void> {
  for (let visit = 0; visit < 20; visit++) await linnet.visit(path, options)
}

const ruleOf = (index: number) => ({
  name: `Rule ${index}`,
  originalUrl: `https://example.com/${index}`,
  conditions: list(3, at => ({
    type: 'query_param',
    operator: 'is',
    key: 'a0',
    value: list(5, each => `${at} ${each}`),
  })),
})

describe('a page of visitors', () => {
  it.each(firstOf(1, ['split', 'here', 'here+', 'nothing', 'shut', 'shut+']))(
    'at %s, with a longer query',
    async path => {
      await someLinks()
      await expectLinear(800, size => () => {
        const query = `?${many(size / 2, i => `a${i}=${i}`, '&')}&${many(size / 2, () => 'a0=1', '&')}`
        return visits(path, { query })
      })
    },
  )

  it('with a longer path', async () => {
    for (const unit of ['a', '/', '+', '%C3%A9', '../']) {
      await expectLinear(2_000, size => () => visits(unit.repeat(size / unit.length)))
    }
  })

  it.each(firstOf(1, ['shut', 'here']))('at %s, with more answers', async path => {
    await someLinks()
    await expectLinear(400, size => () => {
      const answers = Object.fromEntries(list(size, i => [`a${i}`, '1']))
      return visits(path, { answers })
    })
    await expectLinear(400, size => () => {
      const payload = JSON.stringify(Object.fromEntries(list(size, i => [`a${i}`, 1])))
      const asked = { method: 'POST', url: `/${path}`, headers: json, payload } as const
      return repeated(() => inject(linnet.app.server.handle, asked))
    })
  })

  it('with a longer pass', async () => {
    await someLinks()
    await expectLinear(2_000, size => () => {
      const answers = { pass: `${'a.'.repeat(size)}`, word: 'x' }
      return visits('shut', { answers })
    })
  })

  it('on a host of an account, with a longer query, path or host', async () => {
    const host = await ownHost()
    const follow = (url: string, name: string) =>
      repeated(() => inject(linnet.app.server.handle, { url, headers: { host: name } }))
    await expectLinear(800, size => () => follow(`/?${many(size, i => `a${i}=1`, '&')}`, host))
    await expectLinear(2_000, size => () => follow(`/${'a/'.repeat(size)}`, host))
    await expectLinear(2_000, size => () => follow('/', `${'a.'.repeat(size)}${host}`))
  })

  itAtNight('of a link with more rules', async () => {
    for (const size of [12, 48]) {
      await linnet.create({
        short_code: `rules-${size}`,
        dynamic_routing: { rules: list(size, ruleOf) },
      })
    }
    await expectLinear(
      12,
      size => () => visits(`rules-${size}`, { query: `?${'a0=1&'.repeat(1_000)}` }),
    )
  })
})

async function repeated(work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 20; time++) await work()
}

let made: Promise<unknown> | undefined

/** One link with a password, and one with rules. */
function someLinks(): Promise<unknown> {
  made ??= Promise.all([
    linnet.create({ short_code: 'shut', password: 'a long word' }),
    linnet.create({ short_code: 'split', dynamic_routing: { rules: list(10, ruleOf) } }),
  ])
  return made
}

async function ownHost(): Promise<string> {
  const { body } = await linnet.api('POST', '/domains', { host: 'links.example.com' })
  const { id, verification } = body.data
  internet.txt.set(verification.dns.name, [verification.text])
  expect((await linnet.api('POST', `/domains/${id}/verify`)).status).toBe(200)
  return 'links.example.com'
}

it('takes addresses with more labels in their host', async () => {
  await expectLinear(900, size => {
    const rules = list(20, i => ({
      name: `Rule ${i}`,
      original_url: `https://${'a.'.repeat(size)}com/${i}`,
    }))
    const body = { original_url: 'https://example.com/', dynamic_routing: { rules } }
    return () => linnet.api('POST', '/links', body)
  })
})

describe('more of what there is', () => {
  const newLinks = (size: number) => list(size, i => ({ original_url: `https://example.com/${i}` }))
  let ids: readonly string[] = []

  it('links to make at once', async () => {
    await expectLinear(25, size => async () => {
      const { body } = await linnet.api('POST', '/links/bulk', { links: newLinks(size) })
      ids = body.data.map((it: { link: { id: string } }) => it.link.id)
      expect(body.meta.created).toBe(size)
    })
  })

  itAtNight('links to change at once, each with tags', async () => {
    const tags = await Promise.all(
      list(50, async index => (await linnet.api('POST', '/tags', { name: `Tag ${index}` })).body),
    )
    const tag_ids = tags.map(({ data }) => data.id)
    while (ids.length < 100) {
      const { body } = await linnet.api('POST', '/links/bulk', { links: newLinks(100) })
      ids = body.data.map((it: { link: { id: string } }) => it.link.id)
    }
    await expectLinear(25, size => async () => {
      const some = { ids: ids.slice(0, size), tag_ids }
      const { body } = await linnet.api('PATCH', '/links/bulk', some)
      expect(body.meta.updated).toBe(size)
    })
  })

  it('links in a list', async () => {
    await expectLinear(25, size => () => linnet.api('GET', `/links?per_page=${size}`))
  })

  itAtNight('tags of a link', async () => {
    const { body } = await linnet.api('GET', '/tags?per_page=50')
    const all = body.data.map(({ id }: { id: string }) => id)
    await expectLinear(
      12,
      size => () =>
        repeated(() => linnet.api('PATCH', `/links/${link.id}`, { tag_ids: all.slice(0, size) })),
    )
  })
})
