import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { boot, type Harness } from '../../../harness.ts'
import { isOnServer } from '../../../open-storage.ts'
import { otherAccount } from '../../../plugins/organization/other-account.ts'

const features = [
  'link.customShortCode',
  'link.editShortCode',
  'link.linkExpiration',
  'link.passwordProtection',
  'link.queryForwarding',
  'link.utmParameters',
  'organization.campaigns',
  'organization.tags',
  'developer.apiKeys',
]
const url = 'https://example.com/a?b=1#c'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot(features)
})
afterEach(() => linnet.stop())

const send = (body: object, headers?: Record<string, string>) =>
  linnet.api('POST', '/links', { original_url: url, ...body }, headers)
const reuse = (body: object = {}) => send({ reuse: true, ...body })
const total = async () => (await linnet.api('GET', '/links')).body.meta.total

async function tag(name: string): Promise<string> {
  return (await linnet.api('POST', '/tags', { name, color: '#336699' })).body.data.id
}

/** Whether the second request gets the link of the first. */
async function isSame(first: object, second: object): Promise<boolean> {
  const made = await send(first)
  expect(made.status).toBe(201)
  const again = await reuse(second)
  expect([200, 201]).toContain(again.status)
  expect(again.body.data.id === made.body.data.id).toBe(again.status === 200)
  expect(await total()).toBe(again.status === 200 ? 1 : 2)
  return again.status === 200
}

describe('reuse', () => {
  it('makes a link, and then answers with it: its ETag, its place and its numbers', async () => {
    const made = await reuse()
    expect(made.status).toBe(201)
    const { id, shortCode } = made.body.data
    await linnet.visit(shortCode)
    const again = await reuse({ original_url: 'HTTPS://EXAMPLE.com:443/a?b=1#c' })
    expect([again.status, again.body.data.id]).toEqual([200, id])
    expect(again.headers.etag).toBe((await linnet.api('GET', `/links/${id}`)).headers.etag)
    expect(again.headers.location).toBe(`/api/v1/links/${id}`)
    expect((await reuse({ reuse: false })).status).toBe(201)
    expect(await total()).toBe(2)
    // The oldest of several.
    expect((await reuse()).body.data.id).toBe(id)
  })

  it.each([
    [{}, { original_url: 'https://example.com/a?b=1' }],
    [{}, { original_url: 'https://example.com/a?b=1#C' }],
    [{ archived: true }, {}],
    [{}, { archived: true }],
    [{ title: 'A' }, { title: 'B' }],
    [{}, { title: 'B' }],
    [{ notes: 'A' }, { notes: 'B' }],
    [{ short_code: 'one' }, { short_code: 'two' }],
    [{ password: 'secret' }, {}],
    [{ expires_at: '2027-01-01T00:00:00Z' }, {}],
    [{}, { expires_at: '2027-01-01T00:00:00Z' }],
    [{ max_visits: 5 }, { max_visits: 6 }],
    [{ forward_query: true }, {}],
  ])('makes another link where %j is there and %j is wanted', async (first, second) => {
    expect(await isSame(first, second)).toBe(false)
  })

  it.each([
    [{ title: 'A', notes: 'B', short_code: 'one' }, {}],
    [{ title: 'A' }, { title: 'A' }],
    [{ short_code: 'one' }, { short_code: 'one' }],
    [
      { expires_at: '2027-01-01T00:00:00Z', max_visits: 5 },
      { max_visits: 5, expires_at: '2027-01-01T01:00:00+01:00' },
    ],
    [{}, { title: null, archived: false }],
    [{ original_url: 'https://example.com/ü' }, { original_url: 'https://example.com/%C3%BC' }],
  ])('answers with the link where %j is there and %j is wanted', async (first, second) => {
    expect(await isSame(first, second)).toBe(true)
  })

  it('compares what plugins keep in tables of theirs, and writes none of it', async () => {
    const [red, blue] = [await tag('red'), await tag('blue')]
    const first = await send({ tag_ids: [red] })
    const second = await reuse({ tag_ids: [blue] })
    expect(second.status).toBe(201)
    const third = await reuse({ tag_ids: [red, blue] })
    expect(third.status).toBe(201)
    for (const made of [first, second, third]) {
      const { id, tags, version } = made.body.data
      const ids = tags.map(({ id }: { id: string }) => id)
      expect((await reuse({ tag_ids: ids })).body.data).toMatchObject({ id, tags })
      const now = await linnet.api('GET', `/links/${id}`)
      expect(now.body.data).toMatchObject({ tags })
      expect(now.headers.etag).toBe(made.headers.etag)
      expect(version).toBe(undefined)
    }
    expect((await reuse()).body.data.id).toBe(first.body.data.id)
    expect(await total()).toBe(3)
  })

  it('finds what plugins made of the address', async () => {
    const utm = { utm: { source: 'news' } }
    const made = await send(utm)
    expect(made.body.data.originalUrl).toContain('utm_source=news')
    expect((await reuse(utm)).body.data.id).toBe(made.body.data.id)
    expect((await reuse()).status).toBe(201)
  })

  it('is refused with a password, which nobody can compare', async () => {
    await send({ password: 'secret' })
    const { status, body } = await reuse({ password: 'secret' })
    expect([status, body.errors]).toMatchObject([422, [{ field: 'password' }]])
    expect(await total()).toBe(1)
  })

  it.each([['true'], [1], [null]])('is refused as %j', async wrong => {
    const { status, body } = await reuse({ reuse: wrong })
    expect([status, body.errors[0].field]).toEqual([422, 'reuse'])
  })

  it('finds no link of another account, nor a code of another link', async () => {
    const other = await otherAccount(linnet)
    await other('POST', '/links', { original_url: url, short_code: 'theirs' })
    expect((await reuse()).status).toBe(201)
    const taken = await reuse({ short_code: 'theirs' })
    expect([taken.status, taken.body.code]).toEqual([409, 'short_code_taken'])
  })

  it('makes one link of many requests at the same moment', async () => {
    const id = await tag('red')
    for (const body of [{}, { tag_ids: [id] }]) {
      const before = await total()
      const answers = await Promise.all(Array.from({ length: 12 }, () => reuse(body)))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([...Array(11).fill(200), 201])
      expect(new Set(answers.map(it => it.body.data.id)).size).toBe(1)
      expect(await total()).toBe(before + 1)
    }
  })

  it('uses up nothing of the plan where a link is there', async () => {
    await reuse()
    await reuse()
    const { body } = await linnet.api('GET', '/profile')
    expect(body.data.plan.usage.linksCreatedThisMonth).toBe(1)
  })

  it('answers the same once more with an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'once' }
    const made = await send({ reuse: true }, key)
    const again = await send({ reuse: true }, key)
    expect([made.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(made.body)
  })

  it.skipIf(isOnServer)('finds a link among many by an index', async () => {
    const where = "account_id = 1 and substr(original_url, 1, 500) = 'a' and original_url = 'a'"
    const { rows } = await sql<{ detail: string }>`explain query plan select * from links
      where ${sql.raw(where)} order by id`.execute(linnet.db)
    expect(rows.map(({ detail }) => detail).join()).toContain('INDEX links_account_address')
  })
})
