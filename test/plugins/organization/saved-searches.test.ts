import { afterEach, beforeEach, expect, it } from 'vitest'
import savedSearches from '../../../plugins/organization/saved-searches.ts'
import { boot, type Harness } from '../../harness.ts'
import { otherAccount } from './other-account.ts'

let linnet: Harness
beforeEach(async () => {
  linnet = await boot(savedSearches)
})
afterEach(() => linnet.stop())

const save = (name: string, query: string) => linnet.api('POST', '/saved-searches', { name, query })

const names = async () =>
  (await linnet.api('GET', '/saved-searches')).body.data.map(({ name }: { name: string }) => name)

it('a search is saved without its page, found by its name, and finds what it found', async () => {
  const link = await linnet.create({ title: 'Spring & summer' })
  await linnet.create({ title: 'Autumn' })
  const asked = '?search=spring+%26&sort=-visits&page=7&per_page=3&cursor=x'
  const { status, body } = await save('  Spring ', asked)
  expect([status, body.data]).toEqual([
    201,
    { id: expect.stringMatching(/^sea_/), name: 'Spring', query: 'search=spring+%26&sort=-visits' },
  ])
  await save('autumn', 'archived=true')
  expect(await names()).toEqual(['autumn', 'Spring'])
  const found = await linnet.api('GET', `/links?${body.data.query}`)
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([link.id])
})

it('a search is changed and deleted, and no two have one name', async () => {
  const { id } = (await save('Spring', 'search=a')).body.data
  await save('Autumn', 'search=b')
  expect(await save('SPRING', 'search=c')).toMatchObject({
    status: 409,
    body: { code: 'name_taken', errors: [{ field: 'name' }] },
  })
  const change = (body: object) => linnet.api('PATCH', `/saved-searches/${id}`, body)
  expect((await change({ name: 'autumn' })).status).toBe(409)
  expect((await change({ name: 'SPRING' })).body.data).toEqual({
    id,
    name: 'SPRING',
    query: 'search=a',
  })
  expect((await change({ query: 'status=active' })).body.data.query).toBe('status=active')
  expect((await linnet.api('DELETE', `/saved-searches/${id}`)).status).toBe(204)
  expect((await linnet.api('DELETE', `/saved-searches/${id}`)).status).toBe(404)
  expect((await change({ name: 'x' })).status).toBe(404)
  expect(await names()).toEqual(['Autumn'])
})

it('a search is changed and deleted only as it was read, where the request says so', async () => {
  const { id } = (await save('Spring', 'search=a')).body.data
  const path = `/saved-searches/${id}`
  const read = await linnet.api('GET', path)
  expect(read.body.data).toEqual({ id, name: 'Spring', query: 'search=a' })
  const asRead = { 'if-match': String(read.headers.etag) }
  expect((await linnet.api('PATCH', path, { query: 'search=b' }, asRead)).status).toBe(200)
  expect((await linnet.api('PATCH', path, { query: 'search=c' }, asRead)).status).toBe(412)
  expect((await linnet.api('DELETE', path, undefined, asRead)).status).toBe(412)
  expect((await linnet.api('GET', path)).body.data.query).toBe('search=b')
})

it.each([
  ['nothing', ''],
  ['a page alone', 'page=3&perPage=2'],
  ['too much', `search=${'x'.repeat(2_000)}`],
])('a search that says %s is not saved', async (_, query) => {
  expect(await save('x', query)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'query' }] },
  })
})

it('an account sees its own alone, has a hundred at most, and takes them along when it goes', async () => {
  const { id } = (await save('Spring', 'search=a')).body.data
  const other = await otherAccount(linnet)
  expect((await other('GET', '/saved-searches')).body.meta.total).toBe(0)
  expect((await other('PATCH', `/saved-searches/${id}`, { name: 'x' })).status).toBe(404)
  expect((await other('DELETE', `/saved-searches/${id}`)).status).toBe(404)
  for (let at = 0; at < 100; at++) {
    const made = await other('POST', '/saved-searches', { name: `n${at}`, query: 'search=a' })
    expect(made.status).toBe(201)
  }
  expect(
    await other('POST', '/saved-searches', { name: 'one more', query: 'search=a' }),
  ).toMatchObject({
    status: 403,
    body: { code: 'limit_reached', limit: 100 },
  })
  const left = () =>
    linnet.db
      .selectFrom('organization_saved_searches' as never)
      .selectAll()
      .execute()
  expect(await left()).toHaveLength(101)
  await linnet.db.deleteFrom('accounts').where('id', '!=', linnet.account.rowId).execute()
  expect(await left()).toHaveLength(1)
})
