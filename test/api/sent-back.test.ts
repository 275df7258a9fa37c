import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Linnet, ProblemError } from '../../client/linnet.ts'
import type { Harness } from '../harness.ts'
import { clientOf } from './client-of.ts'
import { operationsOf, readDocument } from './document.ts'
import { bootAll } from './whole-instance.ts'

let server: Harness
let linnet: Linnet
let rules: object

beforeAll(async () => {
  server = await bootAll()
  const { body } = await server.api('POST', '/api-tokens', { name: 'Client', scopes: ['*'] })
  linnet = clientOf(server, body.data.token)
  const conditions = [{ type: 'device', operator: 'is', value: 'mobile' }]
  rules = { rules: [{ name: 'Phones', original_url: 'https://m.example.com/', conditions }] }
})
afterAll(() => server.stop())

const original_url = 'https://example.com/'

interface Kind {
  /** The id, or what is in its place in the path. */
  make(): Promise<{ readonly id: string } | string>
  read(id: string): Promise<object>
  update(id: string, body: object): Promise<object>
}

/** Everything that can be read and changed by its id, by its path. */
const kinds: Readonly<Record<string, () => Kind>> = {
  '/links/{id}': () => ({
    async make() {
      const tag = await linnet.tags.create({ name: 'Of a link' })
      const campaign = await linnet.campaigns.create({ name: 'Of a link' })
      const parts = { tag_ids: [tag.id], campaign_id: campaign.id, password: 'correct horse' }
      return linnet.links.create({ original_url, dynamic_routing: rules as never, ...parts })
    },
    read: id => linnet.links.get(id),
    update: (id, body) => linnet.links.update(id, body),
  }),
  '/tags/{id}': () => ({
    make: () => linnet.tags.create({ name: 'One' }),
    read: id => linnet.tags.get(id),
    update: (id, body) => linnet.tags.update(id, body),
  }),
  '/campaigns/{id}': () => ({
    make: () => linnet.campaigns.create({ name: 'One', starts_at: '2030-01-01T00:00:00Z' }),
    read: id => linnet.campaigns.get(id),
    update: (id, body) => linnet.campaigns.update(id, body),
  }),
  '/domains/{id}': () => ({
    make: () => linnet.domains.create({ host: 'sent.example.org' }),
    read: id => linnet.domains.get(id),
    update: (id, body) => linnet.domains.update(id, body),
  }),
  '/api-tokens/{id}': () => ({
    make: () => linnet.apiTokens.create({ name: 'One', scopes: ['links:read'] }),
    read: id => linnet.apiTokens.get(id),
    update: (id, body) => linnet.apiTokens.update(id, body),
  }),
  '/webhooks/{id}': () => ({
    make: () => linnet.webhooks.create({ url: original_url, events: ['link.*'] }),
    read: id => linnet.webhooks.get(id),
    update: (id, body) => linnet.webhooks.update(id, body),
  }),
  '/admin/accounts/{id}': () => ({
    make: () => linnet.accounts.create({ email: 'sent@example.org' }),
    read: id => linnet.accounts.get(id),
    update: (id, body) => linnet.accounts.update(id, body),
  }),
  '/admin/plans/{slug}': () => ({
    make: async () => (await linnet.plans.create({ slug: 'one', name: 'One' })).slug,
    read: slug => linnet.plans.get(slug),
    update: (slug, body) => linnet.plans.update(slug, body),
  }),
  '/annotations/{id}': () => ({
    make: () => linnet.annotations.create({ day: '2030-01-01', text: 'One' }),
    read: id => linnet.annotations.get(id),
    update: (id, body) => linnet.annotations.update(id, body),
  }),
  '/saved-searches/{id}': () => ({
    make: () => linnet.savedSearches.create({ name: 'One', query: 'search=one' }),
    read: id => linnet.savedSearches.get(id),
    update: (id, body) => linnet.savedSearches.update(id, body),
  }),
  '/public-numbers/{id}': () => ({
    make: async () => {
      const { id } = await linnet.links.create({ original_url })
      return linnet.publicNumbers.create({ of: id })
    },
    read: id => linnet.publicNumbers.get(id),
    update: (id, body) => linnet.publicNumbers.update(id, body),
  }),
  '/links/{id}/qr-look': () => ({
    make: () => linnet.links.create({ original_url }),
    read: id => linnet.links.qrLook.get(id),
    update: (id, body) => linnet.links.qrLook.update(id, body),
  }),
}

describe.each(Object.keys(kinds))('what was read at %s', path => {
  it('can be sent back whole, and what can only be read stays', async () => {
    const kind = kinds[path]?.() as Kind
    const made = await kind.make()
    const id = typeof made === 'string' ? made : made.id
    const read: Readonly<Record<string, unknown>> = { ...(await kind.read(id)) }
    expect(await kind.update(id, read)).toEqual(read)
    const { patch } = (await readDocument(server)).paths[`/api/v1${path}`] ?? {}
    const taken = patch?.requestBody?.content['application/json']?.schema?.properties ?? {}
    const fixed = Object.keys(read).filter(name => !(name in taken))
    const later = Object.fromEntries(fixed.filter(it => goesOn.test(it)).map(it => [it, moment]))
    // As of a while ago, or as a program writes it that leaves out zeros.
    expect(await kind.update(id, { ...read, ...later })).toEqual(read)
    const createdAt = read.createdAt && `${read.createdAt}`.replace(/\.?0*Z/, '+00:00')
    expect(await kind.update(id, createdAt ? { ...read, createdAt } : read)).toEqual(read)
    for (const name of fixed.filter(it => !goesOn.test(it) && !isCount(read[it]))) {
      const other = name.endsWith('At') ? moment : 'another'
      const wrong = await kind.update(id, { ...read, [name]: other }).catch((it: unknown) => it)
      expect(wrong, name).toBeInstanceOf(ProblemError)
      expect((wrong as ProblemError).errors).toMatchObject([{ field: name, code: 'read_only' }])
    }
  })
})

const moment = '2000-01-01T00:00:00.000Z'
const goesOn = /^(updatedAt|signedInAt|last.*At)$/
const isCount = (value: unknown) => typeof value === 'number'

it('can be sent back wherever it is changed at the address where it is read', async () => {
  const document = await readDocument(server)
  const refused: string[] = []
  for (const { path, method, operation } of operationsOf(document)) {
    const reader = document.paths[path]?.get
    if (method !== 'PATCH' || !reader || path.includes('{')) continue
    const at = path.replace('/api/v1', '')
    const { data } = (await server.api('GET', at)).body
    // Settings that a plugin must know are those of a test of their own.
    const { status } = await server.api('PATCH', at, data)
    if (status !== 200) refused.push(`${operation.operationId} ${status}`)
  }
  expect(refused).toEqual([])
})

it('is described: all that can be changed by an id is tried above', async () => {
  const document = await readDocument(server)
  const untried = operationsOf(document)
    .filter(
      ({ method, path }) => method === 'PATCH' && document.paths[path]?.get && path.includes('{'),
    )
    .map(({ path }) => path.replace('/api/v1', ''))
    .filter(path => !(path in kinds))
  expect(untried).toEqual([])
})

describe('a link that was read', () => {
  it('goes back from a list, with a change, after it was visited', async () => {
    const { id } = await linnet.links.create({ original_url, short_code: 'visited' })
    await linnet.links.list()
    const row = (await linnet.links.list({ short_code: 'visited' })).data[0] ?? { id }
    await server.visit('visited')
    const changed = await linnet.links.update(id, { ...row, title: 'Sent back' })
    expect(changed).toMatchObject({ id, title: 'Sent back', visits: { total: 1 } })
    const snake = Object.fromEntries(
      Object.entries(changed).map(([name, value]) => [
        name.replace(/[A-Z]/g, it => `_${it.toLowerCase()}`),
        value,
      ]),
    )
    expect(await linnet.links.update(id, snake)).toEqual(changed)
  })

  it('goes back by the id that another program has for it, and makes no other link of what was read', async () => {
    const read = await linnet.links.create({ original_url, external_id: 'crm-1' })
    const put = (id: string) =>
      linnet.request<{ data: object }>('PUT /links/by-external-id/{id}', {
        path: { id },
        body: { ...read, externalId: id },
      })
    expect((await put('crm-1')).data).toEqual(read)
    await expect(put('crm-2')).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('says of everything that cannot be changed that it was changed', async () => {
    const link = await linnet.links.create({ original_url })
    const wrong = { ...link, shortUrl: 'https://x.example/', status: 'ended', tags: [{ id: 'x' }] }
    const error = await linnet.links.update(link.id, wrong as object).catch((it: unknown) => it)
    expect((error as ProblemError).errors.map(({ field }) => field)).toEqual([
      'shortUrl',
      'status',
      'tags',
    ])
    await expect(linnet.links.update(link.id, { nonsense: 1 } as object)).rejects.toThrow(
      'nonsense: This field does not exist.',
    )
  })

  it('is stale if somebody changed what can only be read there', async () => {
    const link = await linnet.links.create({ original_url })
    const tag = await linnet.tags.create({ name: 'Of somebody' })
    await server.api('PATCH', `/links/${link.id}`, { tag_ids: [tag.id] })
    await expect(linnet.links.update(link, link)).rejects.toMatchObject({ name: 'StaleError' })
  })

  it('is changed once, however often it is sent with the same key', async () => {
    const link = await linnet.links.create({ original_url })
    const changes = { ...link, shortCode: 'sent-twice', archived: true }
    const options = { idempotencyKey: 'twice' }
    const first = await linnet.links.update(link.id, changes, options)
    expect(await linnet.links.update(link.id, changes, options)).toEqual(first)
  })
})

it('tells nothing to a token that may not read it', async () => {
  const { body } = await server.api('POST', '/api-tokens', {
    name: 'Writer',
    scopes: ['links:write'],
  })
  const other = clientOf(server, body.data.token)
  const link = await other.links.create({ original_url })
  expect(await other.links.update(link.id, link)).toEqual(link)
  const { id } = await server.api('GET', '/profile').then(({ body }) => body.data)
  await expect(other.accounts.update(id, { email: 'x' } as object)).rejects.toMatchObject({
    status: 403,
  })
})
