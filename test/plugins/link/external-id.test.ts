import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import customShortCode from '../../../plugins/link/custom-short-code.ts'
import externalId from '../../../plugins/link/external-id.ts'
import { isNight } from '../../at-night.ts'
import { type Answer, boot, type Harness } from '../../harness.ts'
import { otherAccount } from '../organization/other-account.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([
    customShortCode,
    externalId,
    'link.editOriginalUrl',
    'link.editShortCode',
    'link.passwordProtection',
    'link.utmParameters',
    'organization.tags',
    'developer.apiKeys',
  ])
})
afterEach(() => linnet.stop())

const url = 'https://example.com/'
const make = (external_id: unknown, more: object = {}) =>
  linnet.api('POST', '/links', { original_url: url, external_id, ...more })
const change = (id: string, external_id: string | null) =>
  linnet.api('PATCH', `/links/${id}`, { external_id })

async function found(externalId: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ external_id: externalId })
  const { body } = await linnet.api('GET', `/links?${query}`)
  return body.data.map(({ id }: { id: string }) => id)
}

describe('an external id', () => {
  it('is shown, finds its link, changes and goes', async () => {
    const made = await make(' crm/42 ü ')
    const { id } = made.body.data
    expect([made.status, made.body.data.externalId]).toEqual([201, 'crm/42 ü'])
    expect((await linnet.create()).externalId).toBe(null)
    expect([await found('crm/42 ü'), await found('crm/42'), await found('CRM/42 ü')]).toEqual([
      [id],
      [],
      [],
    ])
    const before = await linnet.api('GET', `/links/${id}`)
    const same = await change(id, 'crm/42 ü')
    expect(same.headers.etag).toBe(before.headers.etag)
    const changed = await change(id, 'crm/43')
    expect(changed.body.data.externalId).toBe('crm/43')
    expect(changed.headers.etag).not.toBe(before.headers.etag)
    expect([await found('crm/42 ü'), await found('crm/43')]).toEqual([[], [id]])
    expect((await change(id, null)).body.data.externalId).toBe(null)
    expect(await found('crm/43')).toEqual([])
  })

  it('is one link’s in an account, and another account may have the same', async () => {
    const first = await make('a')
    const second = await linnet.create()
    for (const { status, body } of [await make('a'), await change(second.id, 'a')]) {
      expect([status, body.code, body.errors]).toMatchObject([
        409,
        'external_id_taken',
        [{ field: 'external_id' }],
      ])
    }
    const other = await otherAccount(linnet)
    const body = { original_url: url, external_id: 'a' }
    expect((await other('POST', '/links', body)).status).toBe(201)
    expect(await found('a')).toEqual([first.body.data.id])
    await linnet.api('DELETE', `/links/${first.body.data.id}`)
    expect((await make('a')).status).toBe(201)
  })

  it('is given to one of many links that want it at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => make('a')))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect((await linnet.api('GET', '/links')).body.meta.total).toBe(1)
    const links = [{ original_url: url, external_id: 'b' }]
    const bulk = await linnet.api('POST', '/links/bulk', { links: [...links, ...links] })
    expect(bulk.body.data.map(({ status }: { status: number }) => status)).toEqual([201, 409])
  })

  it('comes back with a deleted link, unless another link has it by then', async () => {
    const { id } = (await make('a')).body.data
    await linnet.api('DELETE', `/links/${id}`)
    expect((await linnet.api('POST', `/links/${id}/restore`)).body.data.externalId).toBe('a')
    await linnet.api('DELETE', `/links/${id}`)
    const taken = (await make('a')).body.data.id
    expect((await linnet.api('POST', `/links/${id}/restore`)).body.data.externalId).toBe(null)
    expect(await found('a')).toEqual([taken])
  })

  it('is compared by reuse', async () => {
    const { id } = (await make('a', { reuse: true })).body.data
    expect((await make('a', { reuse: true })).body.data.id).toBe(id)
    expect((await make('b', { reuse: true })).status).toBe(201)
  })

  it.each(['', ' ', 'x'.repeat(256), 5, ['a'], 'a\u0000b', 'a\nb'])(
    'is refused as %j',
    async wrong => {
      const { status, body } = await make(wrong)
      expect([status, body.errors]).toMatchObject([422, [{ field: 'external_id' }]])
    },
  )
})

const path = (id: string) => `/links/by-external-id/${encodeURIComponent(id)}`
const put = (id: string, body: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  linnet.api('PUT', path(id), { original_url: url, ...body }, headers)
const read = (id: string) => linnet.api('GET', path(id))
const total = async () => (await linnet.api('GET', '/links')).body.meta.total
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

async function token(...scopes: readonly string[]) {
  const { body } = await linnet.api('POST', '/api-tokens', { name: 'A', scopes })
  return { authorization: `Bearer ${body.data.token}` }
}

describe('a link by its external id', () => {
  it('is made by PUT, and the same body again changes nothing', async () => {
    const tag = await linnet.api('POST', '/tags', { name: 'red', color: '#336699' })
    const body = {
      ...{ title: 'A', short_code: 'one', utm: { source: 'news' } },
      ...{ tag_ids: [tag.body.data.id], notes: null, external_id: 'crm/42 ü' },
    }
    const made = await put('crm/42 ü', body)
    const { id } = made.body.data
    expect([made.status, made.headers.location]).toEqual([201, `/api/v1/links/${id}`])
    expect(made.body.data).toMatchObject({ externalId: 'crm/42 ü', title: 'A', shortCode: 'one' })
    const again = await put('crm/42 ü', body)
    expect([again.status, again.headers.etag, again.headers.location]).toEqual([
      200,
      made.headers.etag,
      made.headers.location,
    ])
    expect(again.body).toEqual(made.body)
    expect(await total()).toBe(1)
    const { body: profile } = await linnet.api('GET', '/profile')
    expect(profile.data.plan.usage.linksCreatedThisMonth).toBe(1)
  })

  it('is changed by PUT, which leaves what the body leaves out, and clears what is null', async () => {
    await put('a', { title: 'A', notes: 'B', short_code: 'one' })
    const changed = await put('a', { original_url: `${url}2`, title: null, short_code: 'two' })
    expect([changed.status, changed.body.data]).toMatchObject([
      200,
      { originalUrl: `${url}2`, title: null, notes: 'B', shortCode: 'two', externalId: 'a' },
    ])
    expect((await linnet.visit('one')).location).toBe(`${url}2`)
  })

  it('is read and deleted, and its id is free then', async () => {
    const { body, headers } = await put('a')
    const shown = await read('a')
    expect([shown.status, shown.body, shown.headers.etag]).toEqual([200, body, headers.etag])
    const known = { 'if-none-match': String(headers.etag) }
    expect((await linnet.api('GET', path('a'), undefined, known)).status).toBe(304)
    expect((await linnet.api('DELETE', path('a'))).status).toBe(204)
    expect([(await read('a')).status, (await linnet.api('DELETE', path('a'))).status]).toEqual([
      404, 404,
    ])
    const another = await put('a')
    expect([another.status, another.body.data.id === body.data.id]).toEqual([201, false])
    const restored = await linnet.api('POST', `/links/${body.data.id}/restore`)
    expect(restored.body.data.externalId).toBe(null)
    expect((await read('a')).body.data.id).toBe(another.body.data.id)
  })

  it('honours If-Match', async () => {
    expect((await put('a', {}, { 'if-match': '*' })).status).toBe(412)
    const first = { 'if-match': String((await put('a')).headers.etag) }
    expect((await put('a', { title: 'A' }, first)).status).toBe(200)
    const stale = await put('a', { title: 'B' }, first)
    expect([stale.status, stale.body.code]).toEqual([412, 'stale'])
    expect((await linnet.api('DELETE', path('a'), undefined, first)).status).toBe(412)
    expect((await read('a')).body.data.title).toBe('A')
  })

  it('is one, however many ask for it at the same moment, even for the last of the plan', async () => {
    for (const body of [{}, { short_code: 'one' }]) {
      const limits = { maxLinksCreatedPerMonth: (await total()) + 1 }
      await linnet.api('PATCH', '/admin/plans/unlimited', { limits })
      const id = JSON.stringify(body)
      const length = process.env.LINNET_TEST_DATABASE_URL && !isNight ? 20 : 100
      const answers = await Promise.all(Array.from({ length }, () => put(id, body)))
      expect(statuses(answers)).toEqual([...Array(length - 1).fill(200), 201])
      expect(new Set(answers.map(it => it.body.data.id)).size).toBe(1)
      expect(await total()).toBe(limits.maxLinksCreatedPerMonth)
      expect((await put('another')).body.code).toBe('plan_limit_reached')
    }
  })

  it('is made or changed once for an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'once' }
    const made = await put('a', { title: 'A' }, key)
    await linnet.api('DELETE', path('a'))
    const again = await put('a', { title: 'A' }, key)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(again.body).toEqual(made.body)
    expect((await put('b', { title: 'A' }, key)).body.code).toBe('idempotency_key_reused')
    expect(await total()).toBe(0)
    // As it is when the process ends between the commit and the answer.
    const cut = { 'idempotency-key': 'cut' }
    const first = await put('a', { title: 'A' }, cut)
    await linnet.db.updateTable('idempotency_keys').set({ answer: null }).execute()
    linnet.at('2026-11-20T12:00:10Z')
    const repeated = await put('a', { title: 'A' }, cut)
    expect([repeated.status, repeated.body]).toEqual([201, first.body])
  })

  it('is another for each account, and needs the scopes of links', async () => {
    const other = await otherAccount(linnet)
    expect((await other('PUT', path('a'), { original_url: url })).status).toBe(201)
    expect([(await read('a')).status, (await linnet.api('DELETE', path('a'))).status]).toEqual([
      404, 404,
    ])
    expect((await put('a')).status).toBe(201)
    const reads = await token('links:read')
    const barred = await put('a', {}, reads)
    expect([barred.status, barred.body.requiredScope]).toEqual([403, 'links:write'])
    expect((await linnet.api('GET', path('a'), undefined, reads)).status).toBe(200)
    expect((await put('a', {}, await token('links:write'))).status).toBe(200)
    expect((await linnet.api('GET', path('a'), undefined, await token('tags:read'))).status).toBe(
      403,
    )
  })

  it.each([
    ['a', { original_url: 'nowhere' }, 'original_url'],
    ['a', { original_url: undefined }, 'original_url'],
    ['a', { external_id: 'b' }, 'external_id'],
    ['a', { external_id: null }, 'external_id'],
    ['a', { reuse: true }, 'reuse'],
    ['a', { colour: 'red' }, 'colour'],
    [' ', {}, 'external_id'],
    ['x'.repeat(256), {}, 'external_id'],
    ['a\nb', {}, 'external_id'],
    ['%zz', { external_id: 'a' }, 'external_id'],
  ])('is refused as %j with %j, whether it is there or not', async (id, body, field) => {
    for (const _ of ['absent', 'there']) {
      const { status, body: problem } = await put(id, body)
      expect([status, problem.errors]).toMatchObject([422, [{ field }]])
      await put('a')
    }
    expect(await total()).toBe(1)
  })

  it('has an id that is written as it is stored', async () => {
    await put(' e\u0301/?# ')
    expect((await read('\u00e9/?#')).body.data.externalId).toBe('\u00e9/?#')
    expect((await put('\u00e9/?#')).status).toBe(200)
    for (const id of ['bulk', 'deleted', 'analytics', '100%']) {
      expect((await put(id)).status).toBe(201)
      expect((await read(id)).body.data.externalId).toBe(id)
    }
  })

  it('keeps what nobody may change', async () => {
    await put('a', { short_code: 'one' })
    linnet = await linnet.restart([customShortCode, externalId])
    expect((await put('a', { short_code: 'one', title: 'A' })).body.data.title).toBe('A')
    for (const [field, body] of [
      ['original_url', { original_url: `${url}2` }],
      ['short_code', { short_code: 'two' }],
    ] as const) {
      const { status, body: problem } = await put('a', body)
      expect([status, problem.errors]).toMatchObject([422, [{ field }]])
    }
    linnet = await linnet.restart([])
    expect([(await read('a')).status, (await put('a')).status]).toEqual([404, 404])
  })

  it('is made and changed only where the plan includes it, and read and deleted everywhere', async () => {
    await put('a')
    const without = { extensions: { 'link.externalId': false } }
    await linnet.api('PATCH', '/admin/plans/unlimited', without)
    for (const id of ['a', 'b']) {
      const { status, body } = await put(id)
      expect([status, body.code, body.feature]).toEqual([
        403,
        'feature_not_in_plan',
        'link.externalId',
      ])
    }
    expect((await read('a')).status).toBe(200)
    expect((await linnet.api('DELETE', path('a'))).status).toBe(204)
  })
})
