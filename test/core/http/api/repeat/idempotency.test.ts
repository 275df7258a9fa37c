import { EventEmitter, once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteMade, takeKey } from '../../../../../core/accounts/idempotency-keys.ts'
import { readPublicId } from '../../../../../core/lib/public-id.ts'
import { definePlugin, endpoint, file, refuse, z } from '../../../../../core/plugin.ts'
import { ofStorage } from '../../../../../core/storage/files/out-of-reach.ts'
import apiKeys from '../../../../../plugins/developer/api-keys.ts'
import customShortCode from '../../../../../plugins/link/custom-short-code.ts'
import { boot, type Harness } from '../../../../harness.ts'
import { addAccount } from '../../../accounts/fixtures.ts'

const original_url = 'https://example.com/'

/** What the plugin below does next; each test sets its own. */
let next: { validate?: () => Promise<void>; show?: () => void } = {}

/** How many sketches the plugin made. */
let sketches = 0

const meddler = definePlugin({
  feature: 'link.meddler',
  about: 'Does what a test says.',
  migrations: {
    '001': async db => {
      await db.schema.createTable('link_meddler_things').addColumn('name', 'text').execute()
    },
  },
  async validate() {
    await next.validate?.()
    return undefined
  },
  computed: {
    schema: {},
    of: links => {
      next.show?.()
      return links.map(() => ({}))
    },
  },
  limits: { maxThings: { label: 'Things', used: 'thingsCount' } },
  usage: {
    thingsCount: async (_, { db }) =>
      (await db.selectFrom('link_meddler_things').selectAll().execute()).length,
  },
  endpoints: {
    'POST /drawings': endpoint({
      summary: 'Draw',
      scope: 'links:read',
      media: ['text/plain'],
      handle: () => file('text/plain', 'x'.repeat(300_000), 0),
    }),
    'POST /sketches': endpoint({
      summary: 'Sketch',
      scope: 'links:write',
      media: ['text/plain'],
      handle() {
        sketches += 1
        return file('text/plain', 'x'.repeat(180_000), 0)
      },
    }),
    'POST /etchings': endpoint({
      summary: 'Etch',
      scope: 'links:write',
      media: ['text/plain'],
      inTransaction: true,
      handle: () => file('text/plain', 'x'.repeat(180_000), 0),
    }),
    'POST /things': endpoint({
      summary: 'Make a thing',
      scope: 'links:write',
      body: z.strictObject({ name: z.string(), fails: z.boolean().optional() }),
      answer: z.object({ data: z.object({ name: z.string() }) }),
      status: 201,
      limit: 'maxThings',
      async handle({ body: { name, fails } }, { db }) {
        await db.insertInto('link_meddler_things').values({ name }).execute()
        return fails ? refuse('thing_taken', 'It is taken.', 409, 'name') : { data: { name } }
      },
    }),
  },
})

let linnet: Harness

beforeEach(async () => {
  next = {}
  linnet = await boot([customShortCode, meddler, apiKeys], { at: '2026-11-20T12:00:00Z' })
})
afterEach(() => linnet.stop())

const post = (key: string, path: string, body?: unknown, headers = {}) =>
  linnet.api('POST', path, body, { 'idempotency-key': key, ...headers })
const create = (key: string, fields = {}) => post(key, '/links', { original_url, ...fields })
const linkCount = async () => (await linnet.api('GET', '/links')).body.meta.total
const keys = () => linnet.db.selectFrom('idempotency_keys').selectAll().execute()

describe('the same request with the same Idempotency-Key', () => {
  it('gets the first answer again, and makes nothing', async () => {
    const first = await create('key-1')
    const again = await create('key-1')
    const { 'x-request-id': _, date, connection, ...headers } = first.headers
    expect(first.status).toBe(201)
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers).toMatchObject({ ...headers, 'idempotent-replayed': 'true' })
    expect(again.headers.location).toBe(`/api/v1/links/${first.body.data.id}`)
    expect(await linkCount()).toBe(1)
  })

  it('gets it also after the link was changed or deleted', async () => {
    const first = await create('key-1')
    await linnet.api('DELETE', `/links/${first.body.data.id}`)
    expect((await create('key-1')).body).toEqual(first.body)
    expect(await linkCount()).toBe(0)
  })

  it('is the same whatever the spaces in its JSON', async () => {
    const spaced = JSON.stringify({ original_url }, null, 4)
    const { body } = await create('key-1')
    const json = { 'content-type': 'application/json' }
    expect((await post('key-1', '/links', spaced, json)).body).toEqual(body)
  })

  it('makes as many links as it says when it is about many', async () => {
    const links = [{ original_url }, { original_url: 'x' }, { original_url }]
    const first = await post('key-1', '/links/bulk', { links })
    expect((await post('key-1', '/links/bulk', { links })).body).toEqual(first.body)
    expect(await linkCount()).toBe(2)
  })

  it('is done again a day later', async () => {
    await create('key-1')
    linnet.at('2026-11-21T11:59:59Z')
    await create('key-1')
    expect(await linkCount()).toBe(1)
    linnet.at('2026-11-21T12:00:00Z')
    expect((await create('key-1')).headers).not.toHaveProperty('idempotent-replayed')
    expect(await linkCount()).toBe(2)
  })

  it('makes one link when it comes many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('key-1')))
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1)
    const others = answers.filter(({ status }) => status !== 201)
    expect(others.every(({ body }) => body.code === 'request_in_progress')).toBe(true)
    expect(await linkCount()).toBe(1)
  })
})

describe('an Idempotency-Key', () => {
  it.each([
    ['another body', () => create('key-1', { title: 'x' })],
    ['another address', () => post('key-1', '/links/bulk', { links: [{ original_url }] })],
  ])('is not good for %s', async (_, send) => {
    await create('key-1')
    expect(await send()).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    })
    expect(await linkCount()).toBe(1)
  })

  it('does not give what one credential made to one that may do less', async () => {
    const token = async (scopes: readonly string[]) => {
      const { body } = await linnet.api('POST', '/api-tokens', { name: 'Test', scopes })
      return { authorization: `Bearer ${body.data.token}` }
    }
    const wanted = { name: 'CI', scopes: ['api-tokens:write'] }
    const all = await token(['*'])
    expect((await post('key-1', '/api-tokens', wanted, all)).status).toBe(201)
    const less = await token(['api-tokens:write'])
    expect(await post('key-1', '/api-tokens', wanted, less)).toMatchObject({ status: 409 })
  })

  it.each(['', ' ', 'two words', '\u00e4', 'x'.repeat(256)])('cannot be %j', async key => {
    expect(await create(key)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ field: 'Idempotency-Key' }] },
    })
    expect(await linkCount()).toBe(0)
  })

  it.each(['x', '"8e03978e-40d5"', '!~', 'x'.repeat(255)])('can be %j', async key => {
    expect((await create(key)).status).toBe(201)
    expect((await create(key)).headers['idempotent-replayed']).toBe('true')
  })

  it('belongs to one account', async () => {
    await create('key-1')
    const { id } = await addAccount(linnet.db)
    await linnet.db.deleteFrom('idempotency_made').execute()
    await linnet.db.updateTable('idempotency_keys').set({ account_id: id }).execute()
    expect((await create('key-1')).headers).not.toHaveProperty('idempotent-replayed')
    expect(await keys()).toHaveLength(2)
  })

  it('means nothing for what only reads, and for who signs in', async () => {
    const key = { 'idempotency-key': 'two words' }
    const list = await linnet.api('GET', '/links', undefined, key)
    const signIn = await linnet.api('POST', '/session', { email: 'a@b.c', password: 'x' }, key)
    expect([list.status, signIn.status]).toEqual([200, 401])
    expect(await keys()).toEqual([])
  })

  it('repeats the answer to a change, which without it would be refused as stale', async () => {
    const link = await linnet.create()
    const { headers } = await linnet.api('GET', `/links/${link.id}`)
    const version = { 'if-match': String(headers.etag) }
    const change = (more: object, title = 'New') =>
      linnet.api('PATCH', `/links/${link.id}`, { title }, { 'idempotency-key': 'key-1', ...more })
    const first = await change(version)
    const again = await change(version)
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    expect(again.headers['idempotent-replayed']).toBe('true')
    const title = { title: 'New' }
    expect((await linnet.api('PATCH', `/links/${link.id}`, title, version)).status).toBe(412)
    for (const another of [await change({}), await change(version, 'Newer')]) {
      expect(another.body.code).toBe('idempotency_key_reused')
    }
  })

  it('repeats the answer to a deletion, which without it would find nothing', async () => {
    const link = await linnet.create()
    const destroy = (headers: Record<string, string>) =>
      linnet.api('DELETE', `/links/${link.id}`, undefined, headers)
    const key = { 'idempotency-key': 'key-1' }
    const statuses = [await destroy(key), await destroy(key), await destroy({})]
    expect(statuses.map(({ status }) => status)).toEqual([204, 204, 404])
  })

  it('has a digest of its request that says nothing of a password without the key', async () => {
    const digests = async () => (await keys()).map(({ request }) => request)
    await post('key-1', '/links', { original_url: 'https://example.com/', title: 'a guess' })
    await post('key-2', '/links', { original_url: 'https://example.com/', title: 'a guess' })
    const [first, second] = await digests()
    expect(first).toMatch(/^[\da-f]{64}$/)
    expect(first).not.toBe(second)
  })

  it('is kept as a digest, and its answer sealed: no token can be read in the database', async () => {
    const wanted = { name: 'CI', scopes: ['links:read'] }
    const { body } = await post('key-1', '/api-tokens', wanted)
    const [row] = await keys()
    expect(body.data.token).toMatch(/^lnt_/)
    expect(row?.key).not.toContain('key-1')
    expect(row?.answer?.toString('latin1')).not.toContain('lnt_')
    expect((await post('key-1', '/api-tokens', wanted)).body).toEqual(body)
  })

  it('is forgotten by the nightly job after a day', async () => {
    await create('old')
    linnet.at('2026-11-21T11:00:00Z')
    await create('young')
    linnet.at('2026-11-21T12:30:00Z')
    await linnet.run('idempotency.forgetKeys')
    expect(await keys()).toHaveLength(1)
    expect(await linnet.db.selectFrom('idempotency_made').selectAll().execute()).toHaveLength(1)
  })
})

describe('what is not kept', () => {
  it.each([
    ['a wrong field', 422, () => create('key-1', { title: 7 }), () => Promise.resolve()],
    [
      'links that are switched off',
      403,
      () => create('key-1'),
      () => linnet.api('PATCH', '/admin/features', { linkCreationEnabled: true }),
    ],
  ])('is the answer to %s', async (_, status, send, repair) => {
    if (status === 403) await linnet.api('PATCH', '/admin/features', { linkCreationEnabled: false })
    expect((await send()).status).toBe(status)
    expect(await keys()).toEqual([])
    await repair()
    expect((await create('key-1')).status).toBe(201)
  })

  it.each([
    ['the same request', { short_code: 'taken' }],
    ['another one', { short_code: 'free' }],
  ])('is the refusal of a short code that is taken: the key is good for %s', async (_, fields) => {
    const { id } = await linnet.create({ shortCode: 'taken' })
    const send = (wanted: object) => create('key-1', wanted)
    expect((await send({ short_code: 'taken' })).body.code).toBe('short_code_taken')
    expect(await keys()).toEqual([])
    await linnet.api('DELETE', `/links/${id}`)
    const made = await send(fields)
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect((await send(fields)).body).toEqual(made.body)
    expect(await linkCount()).toBe(1)
  })

  it('is the refusal of a plugin', async () => {
    expect((await post('key-1', '/things', { name: 'b', fails: true })).status).toBe(409)
    expect(await keys()).toEqual([])
    expect((await post('key-1', '/things', { name: 'b' })).status).toBe(201)
  })

  /** Of a hundred links, in an answer of more than 256 KiB. */
  const long = Array.from({ length: 100 }, () => ({
    original_url: original_url.padEnd(3_000, 'x'),
  }))

  it('is the large answer to a change: nothing is done again, and nothing is said of it', async () => {
    const { body: made } = await linnet.api('POST', '/links/bulk', { links: long })
    const ids = made.data.map(({ link }: { link: { id: string } }) => link.id)
    const change = (key: string, some: readonly string[]) =>
      linnet.api('PATCH', '/links/bulk', { ids: some, title: 'New' }, { 'idempotency-key': key })
    expect((await change('large', ids)).body.meta).toEqual({ updated: 100, failed: 0 })
    expect((await change('small', ids.slice(0, 2))).body.meta).toEqual({ updated: 2, failed: 0 })
    await linnet.api('PATCH', `/links/${ids[0]}`, { title: 'Newer' })

    expect(await change('large', ids)).toMatchObject({
      status: 409,
      body: { code: 'outcome_unknown', detail: expect.stringContaining('too large to be kept') },
    })
    expect((await change('small', ids.slice(0, 2))).headers).toHaveProperty('idempotent-replayed')
    expect((await linnet.api('GET', `/links/${ids[0]}`)).body.data.title).toBe('Newer')
    for (const { answer } of await keys()) expect(answer?.length).toBeLessThan(16 * 1024)
  })

  it('is the large answer to a creation: it is made again of what was made', async () => {
    const first = await post('large', '/links/bulk', { links: long })
    const again = await post('large', '/links/bulk', { links: long })
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    expect(await linkCount()).toBe(100)
    expect(await keys()).toMatchObject([{ answer: null }])
  })

  it('is the large answer to what only reads: that is done again', async () => {
    const statuses = [await post('key-1', '/drawings'), await post('key-1', '/drawings')]
    expect(statuses.map(({ status }) => status)).toEqual([200, 200])
    expect(await keys()).toEqual([])
  })

  it('are answers of an account beyond 32 MiB within a day: nothing is done again, and links are shown as they are', async () => {
    sketches = 0
    const sketch = (count: number) => post(`key-${count}`, '/sketches')
    for (let count = 0; count < 150; count++) expect((await sketch(count)).status).toBe(200)
    const link = await create('link')
    const kept = await keys()
    const bytes = kept.reduce((sum, { answer }) => sum + (answer?.length ?? 0), 0)
    expect(kept).toHaveLength(151)
    expect(bytes).toBeGreaterThan(31 * 2 ** 20)
    expect(bytes).toBeLessThanOrEqual(32 * 2 ** 20)

    expect((await sketch(0)).headers).toMatchObject({ 'idempotent-replayed': 'true' })
    const again = await sketch(149)
    expect([again.status, again.body.code]).toEqual([409, 'outcome_unknown'])
    expect((await post('key-149', '/things', { name: 'a' })).body.code).toBe(
      'idempotency_key_reused',
    )
    expect(sketches).toBe(150)
    const linkAgain = await create('link')
    expect([linkAgain.status, linkAgain.body.data.id]).toEqual([201, link.body.data.id])
    expect(await linkCount()).toBe(1)

    linnet.at('2026-11-21T00:00:00Z')
    await sketch(150)
    expect((await sketch(150)).headers).toMatchObject({ 'idempotent-replayed': 'true' })
  })

  it('counts an answer once that is kept with what it made', async () => {
    for (let count = 0; count < 100; count++) await post(`key-${count}`, '/etchings')
    expect((await keys()).filter(({ answer }) => !answer?.length)).toEqual([])
  })

  it('is a failure: the request is done when it comes again', async () => {
    next.validate = () => Promise.reject(new Error('broken'))
    expect((await create('key-1')).status).toBe(503)
    next = {}
    expect((await create('key-1')).status).toBe(201)
    expect(await linkCount()).toBe(1)
  })
})

describe('a request that is under way', () => {
  /** Let requests wait before they are saved; `begun` tells of the first. */
  function holdUp() {
    const gate = new EventEmitter()
    next.validate = async () => {
      gate.emit('begun')
      await once(gate, 'goOn')
    }
    return { begun: once(gate, 'begun'), goOn: () => gate.emit('goOn') }
  }

  it('is not begun a second time', async () => {
    const { begun, goOn } = holdUp()
    const first = create('key-1')
    await begun
    expect(await create('key-1')).toMatchObject({
      status: 409,
      headers: { 'retry-after': '1' },
      body: { code: 'request_in_progress' },
    })
    goOn()
    expect((await first).status).toBe(201)
    expect((await create('key-1')).body).toEqual((await first).body)
    expect(await linkCount()).toBe(1)
  })

  it('and was overtaken leaves nothing behind', async () => {
    const { begun, goOn } = holdUp()
    const first = create('key-1')
    await begun
    next = {}
    linnet.at('2026-11-20T12:01:00Z')
    const second = await create('key-1')
    goOn()
    expect((await first).body).toMatchObject({ code: 'request_in_progress' })
    expect((await create('key-1')).body).toEqual(second.body)
    expect(await linkCount()).toBe(1)
  })
})

describe('after the answer was lost, right behind the commit', () => {
  const breakOnce = () => {
    next.show = () => {
      next = {}
      throw ofStorage(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' }))
    }
  }

  it('the link that was made is the answer', async () => {
    breakOnce()
    expect((await create('key-1')).status).toBe(503)
    expect(await linnet.db.selectFrom('links').select('id').execute()).toHaveLength(1)

    const again = await create('key-1')
    expect(again.status).toBe(201)
    expect(await linkCount()).toBe(1)
    expect((await linnet.api('GET', '/links')).body.data[0].id).toBe(again.body.data.id)
  })

  it('the links that were made are the answer, and those that were not are made', async () => {
    const links = [{ original_url }, { original_url: 'nowhere' }, { original_url }]
    breakOnce()
    expect((await post('key-1', '/links/bulk', { links })).status).toBe(503)
    const made = await linnet.db.selectFrom('links').select('id').execute()
    expect(made).toHaveLength(2)

    await linnet.db.deleteFrom('idempotency_made').where('part', '=', 2).execute()
    const { body } = await post('key-1', '/links/bulk', { links })
    expect(body.meta).toEqual({ created: 2, failed: 1 })
    expect(made).toContainEqual({ id: readPublicId('lnk', body.data[0].link.id) })
    expect(made).not.toContainEqual({ id: readPublicId('lnk', body.data[2].link.id) })
  })

  it('the process can have died: it is found out by who asks again', async () => {
    // As it is when the process ends between the commit and the answer.
    const { body } = await create('key-1')
    await linnet.db.updateTable('idempotency_keys').set({ answer: null }).execute()
    expect(await create('key-1')).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
    linnet.at('2026-11-20T12:00:10Z')
    expect((await create('key-1')).body).toEqual(body)
    expect(await linkCount()).toBe(1)
  })

  it('what died before the commit is done', async () => {
    await create('key-1')
    await linnet.db.updateTable('idempotency_keys').set({ answer: null }).execute()
    await linnet.db.deleteFrom('links').execute()
    await linnet.db.deleteFrom('idempotency_made').execute()
    linnet.at('2026-11-20T12:00:10Z')
    expect((await create('key-1')).status).toBe(201)
    expect(await linkCount()).toBe(1)
  })

  it('of what is made elsewhere nobody knows whether it was made', async () => {
    const wanted = { name: 'CI', scopes: ['links:read'] }
    await post('key-1', '/api-tokens', wanted)
    await linnet.db.updateTable('idempotency_keys').set({ answer: null }).execute()
    linnet.at('2026-11-20T12:00:10Z')
    expect(await post('key-1', '/api-tokens', wanted)).toMatchObject({
      status: 409,
      body: { code: 'outcome_unknown' },
    })
  })
})

it('an attempt that began after now, because the clock was set back, is not waited for', async () => {
  const wanted = { name: 'CI', scopes: ['links:read'] }
  await post('key-1', '/api-tokens', wanted)
  await linnet.db.updateTable('idempotency_keys').set({ answer: null }).execute()
  linnet.at('2026-11-20T11:59:51Z')
  expect((await post('key-1', '/api-tokens', wanted)).body.code).toBe('request_in_progress')
  linnet.at('2026-11-20T11:59:50Z')
  expect((await post('key-1', '/api-tokens', wanted)).body.code).toBe('outcome_unknown')
})

describe('what a plugin makes within a limit', () => {
  it('is made together with its answer, or not at all', async () => {
    const made = await post('key-1', '/things', { name: 'a' })
    expect(made.status).toBe(201)
    expect((await post('key-1', '/things', { name: 'a' })).body).toEqual(made.body)
    expect((await post('key-2', '/things', { name: 'b', fails: true })).status).toBe(409)
    const things = linnet.db.selectFrom('link_meddler_things' as 'meta').selectAll()
    expect(await things.execute()).toEqual([{ name: 'a' }])
  })
})

it('no two attempts note the same part of what was made', async () => {
  const of = { accountId: linnet.account.rowId, key: 'k' }
  await takeKey(linnet.db, of, 'request', 0)
  await linnet.db.transaction().execute(async tx => {
    expect(await noteMade(tx, of, 0, 'lnk_1')).toBe(true)
    expect(await noteMade(tx, of, 0, 'lnk_2')).toBe(false)
    expect(await noteMade(tx, of, 1, 'lnk_2')).toBe(true)
  })
})
