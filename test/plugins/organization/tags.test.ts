import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import tags from '../../../plugins/organization/tags.ts'
import { boot, type Harness } from '../../harness.ts'
import { otherAccount } from './other-account.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot(tags)
})
afterEach(() => linnet.stop())

async function make(name: string, fields: object = {}) {
  const { status, body } = await linnet.api('POST', '/tags', { name, ...fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}

const namesIn = ({ body }: { body: { data: { name: string }[] } }) =>
  body.data.map(({ name }) => name)

/** The ids of the links that a query lists. */
async function listed(query: string): Promise<string[]> {
  const { status, body } = await linnet.api('GET', `/links?sort=created_at&${query}`)
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => id)
}

describe('a tag', () => {
  it('is made, shown, changed and deleted', async () => {
    const made = await make('News', { color: '#2f9e44' })
    expect(made).toEqual({
      id: expect.stringMatching(/^tag_/),
      name: 'News',
      color: '#2F9E44',
      linksCount: 0,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    })
    const path = `/tags/${made.id}`
    expect((await linnet.api('GET', path)).body.data).toEqual(made)

    linnet.at('2026-11-20T13:00:00Z')
    const changed = { ...made, name: 'Old news', updatedAt: '2026-11-20T13:00:00.000Z' }
    expect(await linnet.api('PATCH', path, { name: 'Old news' })).toMatchObject({
      status: 200,
      body: { data: changed },
    })
    expect((await linnet.api('GET', path)).body.data).toEqual(changed)

    expect(await linnet.api('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    for (const method of ['GET', 'DELETE']) {
      expect(await linnet.api(method, path)).toMatchObject({ status: 404 })
    }
    expect(await linnet.api('PATCH', path, { name: 'x' })).toMatchObject({ status: 404 })
  })

  it('gets a colour by turn when none is given', async () => {
    const colors = [
      (await make('one')).color,
      (await make('two')).color,
      (await make('three')).color,
    ]
    for (const color of colors) expect(color).toMatch(/^#[0-9A-F]{6}$/)
    expect(new Set(colors).size).toBe(3)
  })

  it('has a name that no other tag of the account has in any case', async () => {
    const { id } = await make('Éclair')
    const other = await make('Other')
    const taken = {
      status: 409,
      body: { code: 'name_taken', errors: [{ field: 'name', code: 'name_taken' }] },
    }
    expect(await linnet.api('POST', '/tags', { name: ' ÉCLAIR ' })).toMatchObject(taken)
    expect(await linnet.api('PATCH', `/tags/${other.id}`, { name: 'éclair' })).toMatchObject(taken)
    expect((await linnet.api('GET', `/tags/${other.id}`)).body.data.name).toBe('Other')
    expect(await linnet.api('PATCH', `/tags/${id}`, { name: 'éclair' })).toMatchObject({
      status: 200,
      body: { data: { name: 'éclair' } },
    })
  })

  it.each([
    [{}, ['name']],
    [{ name: ' ' }, ['name']],
    [{ name: 'x'.repeat(101), color: 'red' }, ['name', 'color']],
    [{ name: 'x', color: '#FFF' }, ['color']],
    [{ name: 'x', color: '#GGGGGG' }, ['color']],
    [{ name: 'x', color: null }, ['color']],
    [{ name: 'x', links: [] }, ['links']],
  ])('%j is 422 in %j', async (body, fields) => {
    const answer = await linnet.api('POST', '/tags', body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
    expect((await linnet.api('GET', '/tags')).body.meta.total).toBe(0)
  })

  it.each(['tag_', 'tag_xxxxxxxx', '1', 'lnk_Gv8J65Sx'])('is not %s', async id => {
    for (const method of ['GET', 'DELETE']) {
      expect(await linnet.api(method, `/tags/${id}`)).toMatchObject({ status: 404 })
    }
  })
})

describe('the list of tags', () => {
  beforeEach(async () => {
    for (const name of ['beta', 'Alpha', 'Gamma', '100%']) await make(name)
  })

  it('comes by name, in pages that keep the search', async () => {
    expect(namesIn(await linnet.api('GET', '/tags'))).toEqual(['100%', 'Alpha', 'beta', 'Gamma'])
    const { body } = await linnet.api('GET', '/tags?search=A&per_page=2')
    expect(namesIn({ body })).toEqual(['Alpha', 'beta'])
    expect(body.meta).toMatchObject({ total: 3, lastPage: 2 })
    expect(body.links.next).toBe(`/api/v1/tags?cursor=${body.meta.nextCursor}&per_page=2&search=A`)
    expect(namesIn(await linnet.api('GET', '/tags?search=A&per_page=2&page=2'))).toEqual(['Gamma'])
  })

  it('takes the signs of a pattern for what they are', async () => {
    expect(namesIn(await linnet.api('GET', '/tags?search=%25'))).toEqual(['100%'])
    expect(namesIn(await linnet.api('GET', '/tags?search=_'))).toEqual([])
    expect(namesIn(await linnet.api('GET', '/tags?search=%5C'))).toEqual([])
  })
})

describe('a link', () => {
  it('shows its tags by name, and keeps them until it is given others', async () => {
    const [news, ads] = [await make('News'), await make('Ads')]
    const shown = ({ id, name, color }: typeof news) => ({ id, name, color })
    const link = await linnet.create({ tag_ids: [news.id, ads.id, news.id] })
    expect(link.tags).toEqual([shown(ads), shown(news)])
    expect((await linnet.api('GET', `/tags/${ads.id}`)).body.data.linksCount).toBe(1)

    const patch = async (fields: object) =>
      (await linnet.api('PATCH', `/links/${link.id}`, fields)).body.data.tags
    expect(await patch({ title: 'Changed' })).toEqual([shown(ads), shown(news)])
    expect(await patch({ tagIds: [news.id] })).toEqual([shown(news)])
    expect(await patch({ tag_ids: [] })).toEqual([])
    await patch({ tag_ids: [ads.id] })
    expect(await patch({ tag_ids: null })).toEqual([])
    expect((await linnet.create()).tags).toEqual([])
  })

  it('gets some more tags and loses some, beside those that it has', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(async name => (await make(name)).id))
    const link = await linnet.create({ tag_ids: [a] })
    const change = async (body: object) => {
      const answer = await linnet.api('PATCH', `/links/${link.id}`, body)
      return answer.status === 200
        ? answer.body.data.tags.map(({ name }: { name: string }) => name).join(' ')
        : answer.body.errors[0].field
    }
    expect(await change({ add_tag_ids: [a, b] })).toBe('a b')
    expect(await change({ add_tag_ids: [c], remove_tag_ids: [a, a] })).toBe('b c')
    expect(await change({ remove_tag_ids: [a], add_tag_ids: [] })).toBe('b c')
    expect(await change({ add_tag_ids: [a, 'tag_unknown'] })).toBe('add_tag_ids[1]')
    expect(await change({ tag_ids: [a], add_tag_ids: [b], remove_tag_ids: [a] })).toBe('b')
    expect(await change({ remove_tag_ids: null, title: 'same' })).toBe('b')
    expect(
      (
        await linnet.api('POST', '/links', {
          original_url: 'https://example.com/',
          add_tag_ids: [a],
        })
      ).status,
    ).toBe(422)
  })

  it('gets no more tags than a link can have', async () => {
    const ids: string[] = []
    for (let at = 0; at < 51; at++) ids.push((await make(`t${at}`)).id)
    const link = await linnet.create({ tag_ids: ids.slice(0, 50) })
    const add = (body: object) => linnet.api('PATCH', `/links/${link.id}`, body)
    expect(await add({ add_tag_ids: ids.slice(50) })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'add_tag_ids' }] },
    })
    const swapped = await add({ add_tag_ids: ids.slice(50), remove_tag_ids: ids.slice(0, 1) })
    expect(swapped.body.data.tags).toHaveLength(50)
  })

  it('stays when its tag is deleted, without it', async () => {
    const [news, ads] = [await make('News'), await make('Ads')]
    const link = await linnet.create({ tag_ids: [news.id, ads.id] })
    await linnet.api('DELETE', `/tags/${news.id}`)
    const { body } = await linnet.api('GET', `/links/${link.id}`)
    expect(namesIn({ body: { data: body.data.tags } })).toEqual(['Ads'])
    expect(await linnet.visit(link)).toMatchObject({ status: 302 })
  })

  it('is not counted in its tags when it is deleted', async () => {
    const { id } = await make('News')
    const link = await linnet.create({ tag_ids: [id] })
    await linnet.create({ tag_ids: [id] })
    await linnet.api('DELETE', `/links/${link.id}`)
    expect((await linnet.api('GET', '/tags')).body.data[0].linksCount).toBe(1)
  })

  it('is neither made nor changed with a tag that there is not', async () => {
    const { id } = await make('News')
    const gone = await make('Gone')
    await linnet.api('DELETE', `/tags/${gone.id}`)
    const link = await linnet.create({ tag_ids: [id] })
    for (const unknown of [gone.id, link.id, 'tag_x', '']) {
      const refused = { status: 422, body: { errors: [{ field: 'tag_ids[1]' }] } }
      const fields = { title: 'New', tag_ids: [id, unknown] }
      expect(await linnet.api('PATCH', `/links/${link.id}`, fields)).toMatchObject(refused)
      const draft = { original_url: 'https://example.com/', ...fields }
      expect(await linnet.api('POST', '/links', draft)).toMatchObject(refused)
    }
    const { body } = await linnet.api('GET', '/links')
    expect(body.data).toMatchObject([{ id: link.id, title: null, tags: [{ id }] }])
  })

  it('has 50 tags at most', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `tag_${index}`)
    const draft = { original_url: 'https://example.com/', tag_ids: many }
    expect(await linnet.api('POST', '/links', draft)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'tag_ids', code: 'too_big' }] },
    })
  })
})

describe('the list of links', () => {
  it('can be had by any of some tags, or by all of them', async () => {
    const [a, b] = [(await make('a')).id, (await make('b')).id]
    const ids: string[] = []
    for (const tag_ids of [[a], [b], [a, b], []]) ids.push((await linnet.create({ tag_ids })).id)
    const [one, two, both] = ids

    expect(await listed(`tag_ids=${a}`)).toEqual([one, both])
    expect(await listed(`tag_ids=${a},${b}`)).toEqual([one, two, both])
    expect(await listed(`tag_ids=${a}&tag_ids=${b}&tags_mode=any`)).toEqual([one, two, both])
    expect(await listed(`tag_ids=${a},${b},${a}&tags_mode=all`)).toEqual([both])
    expect(await listed('tags_mode=all')).toEqual(ids)
    await linnet.api('DELETE', `/tags/${b}`)
    expect(await listed(`tag_ids=${a},${b}&tags_mode=all`)).toEqual([])
    expect(await listed(`tag_ids=${a},${b}`)).toEqual([one, both])
  })

  it('keeps its tags from page to page', async () => {
    const [a, b] = [(await make('a')).id, (await make('b')).id]
    for (let made = 1; made <= 3; made++) await linnet.create({ tag_ids: [a, b] })
    const query = `tag_ids=${a},${b}&tags_mode=all&per_page=2`
    const { body } = await linnet.api('GET', `/links?${query}`)
    expect(body.meta.total).toBe(3)
    const next = await linnet.api('GET', body.links.next.slice('/api/v1'.length))
    expect(next.body.data).toHaveLength(1)
  })

  it.each([
    ['tag_ids=', 'tag_ids'],
    ['tag_ids=news', 'tag_ids'],
    ['tag_ids=lnk_Gv8J65Sx', 'tag_ids'],
    ['tags_mode=none', 'tags_mode'],
  ])('is refused by %s', async (query, field) => {
    expect(await linnet.api('GET', `/links?${query}`)).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    })
  })
})

describe('another account', () => {
  it('sees, changes, deletes and uses no tag that is not its own, and may use the same name', async () => {
    const mine = await make('News')
    const link = await linnet.create({ tag_ids: [mine.id] })
    const call = await otherAccount(linnet)

    expect((await call('GET', '/tags')).body.data).toEqual([])
    expect((await call('GET', '/profile')).body.data.plan.usage.tagsCount).toBe(0)
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Theirs' }], ['DELETE']] as const) {
      expect(await call(method, `/tags/${mine.id}`, body)).toMatchObject({ status: 404 })
    }
    const draft = { original_url: 'https://example.com/', tag_ids: [mine.id] }
    expect(await call('POST', '/links', draft)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'tag_ids[0]' }] },
    })
    expect((await call('GET', `/links?tag_ids=${mine.id}`)).body.data).toEqual([])
    expect(await call('POST', '/tags', { name: 'News' })).toMatchObject({ status: 201 })

    expect((await linnet.api('GET', '/tags')).body.data).toEqual([{ ...mine, linksCount: 1 }])
    expect((await linnet.api('GET', `/links/${link.id}`)).body.data.tags).toHaveLength(1)
  })

  it('takes its tags along when it goes', async () => {
    const call = await otherAccount(linnet)
    const { id } = (await call('POST', '/tags', { name: 'Theirs' })).body.data
    await call('POST', '/links', { original_url: 'https://example.com/', tag_ids: [id] })
    await make('Mine')
    expect(await call('DELETE', '/profile')).toMatchObject({ status: 204 })

    const left = (table: string) =>
      linnet.db
        .selectFrom(table as 'links')
        .selectAll()
        .execute()
    expect(await left('organization_tags')).toMatchObject([{ name: 'Mine' }])
    expect(await left('organization_tags_links')).toEqual([])
  })
})

describe('the plan', () => {
  const free = () => linnet.db.updateTable('accounts').set({ plan: 'free' }).execute()

  it('is never passed by creates at the same moment', async () => {
    await free()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => linnet.api('POST', '/tags', { name: `${index}` })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 201)).toHaveLength(5)
    expect(answers.filter(({ status }) => status !== 201)[44]).toMatchObject({
      status: 403,
      body: { code: 'plan_limit_reached', limit: 5, used: 5 },
    })
    expect((await linnet.api('GET', '/tags')).body.meta.total).toBe(5)
    expect((await linnet.api('GET', '/profile')).body.data.plan.usage.tagsCount).toBe(5)
  })

  it('has room again when a tag is deleted, and a downgrade takes nothing away', async () => {
    const made = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) made.push(await make(name))
    await free()
    expect((await linnet.api('GET', '/tags')).body.meta.total).toBe(6)
    for (const { id } of made.slice(0, 2)) await linnet.api('DELETE', `/tags/${id}`)
    expect(await linnet.api('POST', '/tags', { name: 'g' })).toMatchObject({ status: 201 })
    expect(await linnet.api('POST', '/tags', { name: 'h' })).toMatchObject({ status: 403 })
  })
})

it('is switched off for everybody at once: nothing new, but tags show and can be taken off', async () => {
  const { id } = await make('News')
  const link = await linnet.create({ tag_ids: [id] })
  await linnet.api('PATCH', '/admin/features', { tag_creation_enabled: false })

  const disabled = { status: 403, body: { code: 'feature_disabled' } }
  const path = `/links/${link.id}`
  expect(await linnet.api('POST', '/tags', { name: 'New' })).toMatchObject(disabled)
  expect(await linnet.api('PATCH', `/tags/${id}`, { name: 'New' })).toMatchObject(disabled)
  expect(await linnet.api('PATCH', path, { tag_ids: [id] })).toMatchObject(disabled)
  expect((await linnet.api('GET', '/tags')).body.data).toMatchObject([{ name: 'News' }])
  expect(await listed(`tag_ids=${id}`)).toEqual([link.id])
  expect((await linnet.api('PATCH', path, { tag_ids: [] })).body.data.tags).toEqual([])
  expect(await linnet.api('DELETE', `/tags/${id}`)).toMatchObject({ status: 204 })
})

it('keeps the tags of links while it is off', async () => {
  const { id } = await make('News')
  const link = await linnet.create({ tag_ids: [id] })
  const off = await linnet.restart([])
  expect(await off.api('GET', '/tags')).toMatchObject({ status: 404 })
  expect((await off.api('GET', `/links/${link.id}`)).body.data).not.toHaveProperty('tags')
  const on = await off.restart([tags])
  expect((await on.api('GET', `/links/${link.id}`)).body.data.tags).toMatchObject([{ id }])
  await on.app.close()
})
