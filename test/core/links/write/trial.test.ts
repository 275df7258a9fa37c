import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, text } from '../../../../core/plugin.ts'
import { type Answer, boot, type Harness } from '../../../harness.ts'
import { isOnServer } from '../../../open-storage.ts'

const url = 'https://example.com/'

/** Fails when a link is saved with the mood `bad`. */
const moody = definePlugin({
  feature: 'acme.moody',
  about: 'Fail for some moods.',
  fields: { mood: text({ label: 'Mood', stored: false }) },
  save(_, { mood }) {
    if (mood === 'bad') throw new Error('boom')
    return undefined
  },
})

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([
    'link.customShortCode',
    'link.editShortCode',
    'link.editOriginalUrl',
    'link.externalId',
    'link.passwordProtection',
    'link.linkExpiration',
    'organization.tags',
    moody,
  ])
})
afterEach(() => linnet.stop())

const send = (method: string, path: string, body?: object) => linnet.api(method, path, body)
const attempt = (method: string, path: string, body?: object) =>
  linnet.api(method, `${path}?dry_run=true`, body)
const total = async () => (await send('GET', '/links')).body.meta.total
const limitTo = (maxLinksCreatedPerMonth: number) =>
  send('PATCH', '/admin/plans/unlimited', { limits: { maxLinksCreatedPerMonth } })
const statusesOf = ({ body }: Answer) => body.data.map(({ status }: { status: number }) => status)

/** What is the same of a link that was tried and of one that was made. */
const lasting = ({ body: { data } }: Answer) => ({ ...data, id: '', shortCode: '', shortUrl: '' })

describe('a link that is only tried', () => {
  it('is shown as it would be, with what is in tables of plugins', async () => {
    const tag = await send('POST', '/tags', { name: 'red', color: '#336699' })
    const body = {
      ...{ original_url: url, title: 'A', external_id: 'a', password: 'secret', max_visits: 5 },
      tag_ids: [tag.body.data.id],
      starts_at: '2026-11-21T00:00:00Z',
    }
    const tried = await attempt('POST', '/links', body)
    expect(tried.body.data).toMatchObject({
      externalId: 'a',
      status: 'scheduled',
      hasPassword: true,
    })
    expect(tried.body.data.tags).toHaveLength(1)
    const made = await send('POST', '/links', body)
    expect(lasting(tried)).toEqual(lasting(made))
    const { id, shortCode } = made.body.data

    const change = { tag_ids: [], external_id: 'b', short_code: 'other', starts_at: null }
    const changed = await attempt('PATCH', `/links/${id}`, change)
    expect(changed.body.data).toMatchObject({
      ...{ tags: [], externalId: 'b', shortCode: 'other', status: 'active' },
      formerShortCodes: [shortCode],
    })
    expect((await send('GET', `/links/${id}`)).body).toEqual(made.body)
    expect((await send('PATCH', `/links/${id}`, change)).body).toEqual(changed.body)
  })

  it('uses up nothing, and is refused where nothing is left', async () => {
    await limitTo(1)
    for (let count = 0; count < 3; count++) {
      expect((await attempt('POST', '/links', { original_url: url })).status).toBe(201)
    }
    expect((await send('POST', '/links', { original_url: url })).status).toBe(201)
    const refused = await attempt('POST', '/links', { original_url: url })
    expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit_reached'])
  })

  it('leaves those alone that are made, changed and deleted at the same moment', async () => {
    const kept = await linnet.create({ short_code: 'kept' })
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const body = { original_url: url, external_id: String(index >> 1) }
        if (index % 3 === 2) return attempt('PATCH', `/links/${kept.id}`, { title: `T${index}` })
        return index % 2 ? attempt('POST', '/links', body) : send('POST', '/links', body)
      }),
    )
    const made = answers.filter(
      (it, index) => index % 3 < 2 && index % 2 === 0 && it.status === 201,
    )
    expect(made).toHaveLength(20)
    expect(await total()).toBe(21)
    for (const { body } of made) {
      expect((await send('GET', `/links/${body.data.id}`)).status).toBe(200)
    }
    expect((await send('GET', `/links/${kept.id}`)).body.data.title).toBe(null)
  })

  it('leads where it led', async () => {
    const { id } = await linnet.create({ short_code: 'one' })
    expect((await linnet.visit('one')).location).toBe(url)
    await attempt('PATCH', `/links/${id}`, { original_url: `${url}2`, short_code: 'two' })
    expect((await linnet.visit('one')).location).toBe(url)
    expect((await linnet.visit('two')).status).toBe(404)
    await attempt('DELETE', `/links/${id}`)
    expect((await linnet.visit('one')).location).toBe(url)
    await attempt('POST', '/links', { original_url: url, short_code: 'two' })
    expect((await linnet.visit('two')).status).toBe(404)
    expect((await send('POST', '/links', { original_url: url, short_code: 'two' })).status).toBe(
      201,
    )
  })

  it('may be one that is there, or that is named by its external id', async () => {
    const made = await send('PUT', '/links/by-external-id/a', { original_url: url })
    const again = await attempt('POST', '/links', {
      original_url: url,
      external_id: 'a',
      reuse: true,
    })
    expect([again.status, again.body.data.id]).toEqual([200, made.body.data.id])
    const another = { original_url: url, external_id: 'b', reuse: true }
    expect((await attempt('POST', '/links', another)).status).toBe(201)
    const there = await attempt('PUT', '/links/by-external-id/a', { original_url: `${url}2` })
    expect([there.status, there.body.data.originalUrl]).toEqual([200, `${url}2`])
    const absent = await attempt('PUT', '/links/by-external-id/b', { original_url: url })
    expect([absent.status, absent.body.data.externalId]).toEqual([201, 'b'])
    await limitTo(1)
    const refused = await attempt('PUT', '/links/by-external-id/b', { original_url: url })
    expect(refused.body.code).toBe('plan_limit_reached')
    expect(await total()).toBe(1)
  })

  it('fails as it would, and leaves nothing', async () => {
    const bad = { original_url: url, external_id: 'a', mood: 'bad' }
    const refused = await attempt('POST', '/links', bad)
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    const links = [bad, { original_url: url, external_id: 'a', mood: 'good' }]
    expect(statusesOf(await attempt('POST', '/links/bulk', { links }))).toEqual([503, 201])
    expect(await total()).toBe(0)
  })
})

describe('many links that are only tried', () => {
  it('are tried together: what one takes is taken for the next', async () => {
    const one = { original_url: url, short_code: 'one' }
    const id = { original_url: url, external_id: 'a' }
    const wrong = { original_url: 'nowhere' }
    const links = [one, one, wrong, id, id, { original_url: url }]
    const tried = await attempt('POST', '/links/bulk', { links })
    expect(statusesOf(tried)).toEqual([201, 409, 422, 201, 409, 201])
    expect(tried.body.meta).toEqual({ created: 3, failed: 3 })
    expect(tried.body.data[3].link.externalId).toBe('a')
    expect(await total()).toBe(0)
    await limitTo(2)
    const limited = await attempt('POST', '/links/bulk', { links })
    expect(statusesOf(limited)).toEqual([201, 409, 422, 201, 403, 403])
    await limitTo(100)
    expect(statusesOf(await send('POST', '/links/bulk', { links }))).toEqual(statusesOf(tried))
  })

  it('are changed and deleted in the same way', async () => {
    const ids = [(await linnet.create()).id, 'lnk_nothing', (await linnet.create()).id]
    const change = { ids, external_id: 'a', title: 'B' }
    const tried = await attempt('PATCH', '/links/bulk', change)
    // Which of the two is first, nobody says: the same is so where it is done.
    expect(statusesOf(tried).sort()).toEqual([200, 404, 409])
    const changed = tried.body.data.find(({ status }: { status: number }) => status === 200)
    expect(changed.link).toMatchObject({ title: 'B', externalId: 'a' })
    const deleted = await attempt('DELETE', '/links/bulk', { ids })
    expect(statusesOf(deleted)).toEqual([204, 404, 204])
    expect(deleted.body.meta).toEqual({ deleted: 2, failed: 1 })
    expect(await total()).toBe(2)
    expect(statusesOf(await send('PATCH', '/links/bulk', change)).sort()).toEqual([200, 404, 409])
  })

  it('are up to a hundred', async () => {
    const length = isOnServer ? 20 : 100
    const links = Array.from({ length }, () => ({ original_url: url }))
    const tried = await attempt('POST', '/links/bulk', { links })
    expect(tried.body.meta).toEqual({ created: length, failed: 0 })
    expect(await total()).toBe(0)
  })
})
