import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import campaigns from '../../../plugins/organization/campaigns.ts'
import { boot, type Harness } from '../../harness.ts'
import { otherAccount } from './other-account.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([campaigns, visitsTracking])
})
afterEach(() => linnet.stop())

async function make(name: string, fields: object = {}) {
  const { status, body } = await linnet.api('POST', '/campaigns', { name, ...fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}

const read = async (id: string) => (await linnet.api('GET', `/campaigns/${id}`)).body.data

const namesIn = ({ body }: { body: { data: { name: string }[] } }) =>
  body.data.map(({ name }) => name)

describe('a campaign', () => {
  it('is made, shown, changed and deleted', async () => {
    const made = await make('Spring', {
      description: 'Flowers',
      color: '#2f9e44',
      starts_at: '2027-03-01T01:00:00+01:00',
      ends_at: '2027-04-01T00:00:00Z',
    })
    expect(made).toEqual({
      id: expect.stringMatching(/^cmp_/),
      name: 'Spring',
      description: 'Flowers',
      color: '#2F9E44',
      startsAt: '2027-03-01T00:00:00.000Z',
      endsAt: '2027-04-01T00:00:00.000Z',
      linksCount: 0,
      visits: 0,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    })
    expect(await read(made.id)).toEqual(made)

    linnet.at('2026-11-20T13:00:00Z')
    const path = `/campaigns/${made.id}`
    const fields = { name: 'Summer', description: null, starts_at: null }
    const changed = {
      ...made,
      name: 'Summer',
      description: null,
      startsAt: null,
      updatedAt: '2026-11-20T13:00:00.000Z',
    }
    expect((await linnet.api('PATCH', path, fields)).body.data).toEqual(changed)
    expect(await read(made.id)).toEqual(changed)

    expect(await linnet.api('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    for (const method of ['GET', 'DELETE']) {
      expect(await linnet.api(method, path)).toMatchObject({ status: 404 })
    }
    expect(await linnet.api('PATCH', path, { name: 'x' })).toMatchObject({ status: 404 })
  })

  it('needs no more than a name', async () => {
    expect(await make('Bare')).toMatchObject({
      description: null,
      color: expect.stringMatching(/^#[0-9A-F]{6}$/),
      startsAt: null,
      endsAt: null,
    })
  })

  it('ends after it starts, whichever of the two is changed', async () => {
    const [early, late] = ['2027-03-01T00:00:00Z', '2027-04-01T00:00:00Z']
    const backwards = { status: 422, body: { errors: [{ field: 'ends_at' }] } }
    for (const starts_at of [late, early]) {
      const draft = { name: 'Backwards', starts_at, ends_at: early }
      expect(await linnet.api('POST', '/campaigns', draft)).toMatchObject(backwards)
    }
    const { id } = await make('Spring', { starts_at: early, ends_at: late })
    const path = `/campaigns/${id}`
    expect(await linnet.api('PATCH', path, { starts_at: late })).toMatchObject(backwards)
    expect(await linnet.api('PATCH', path, { ends_at: early })).toMatchObject(backwards)
    expect(await read(id)).toMatchObject({ startsAt: '2027-03-01T00:00:00.000Z' })
    const moved = { starts_at: late, ends_at: '2027-05-01T00:00:00Z' }
    expect(await linnet.api('PATCH', path, moved)).toMatchObject({ status: 200 })
    expect(await linnet.api('PATCH', path, { ends_at: null })).toMatchObject({
      body: { data: { startsAt: '2027-04-01T00:00:00.000Z', endsAt: null } },
    })
  })

  it('has a name that no other campaign of the account has in any case', async () => {
    await make('Spring')
    const { id } = await make('Summer')
    const taken = { status: 409, body: { code: 'name_taken', errors: [{ field: 'name' }] } }
    expect(await linnet.api('POST', '/campaigns', { name: 'SPRING' })).toMatchObject(taken)
    expect(await linnet.api('PATCH', `/campaigns/${id}`, { name: 'spring' })).toMatchObject(taken)
    expect((await read(id)).name).toBe('Summer')
  })

  it.each([
    [{}, ['name']],
    [{ name: 'x', color: 'red', description: '' }, ['description', 'color']],
    [{ name: 'x', starts_at: 'soon', ends_at: 7 }, ['starts_at', 'ends_at']],
    [{ name: 'x', visits: 7 }, ['visits']],
  ])('%j is 422 in %j', async (body, fields) => {
    const answer = await linnet.api('POST', '/campaigns', body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
    expect((await linnet.api('GET', '/campaigns')).body.meta.total).toBe(0)
  })

  it('counts the visits of all its links, also in the list', async () => {
    const [spring, summer] = [await make('Spring'), await make('Summer')]
    const [one, two, other] = [
      await linnet.create({ campaign_id: spring.id }),
      await linnet.create({ campaign_id: spring.id }),
      await linnet.create({ campaign_id: summer.id }),
    ]
    await linnet.create({ campaign_id: spring.id })
    for (const link of [one, one, two, other, await linnet.create()]) await linnet.visit(link)
    expect(await read(spring.id)).toMatchObject({ linksCount: 3, visits: 3 })
    const { body } = await linnet.api('GET', '/campaigns')
    expect(body.data).toMatchObject([
      { name: 'Spring', linksCount: 3, visits: 3 },
      { name: 'Summer', linksCount: 1, visits: 1 },
    ])
    const renamed = await linnet.api('PATCH', `/campaigns/${spring.id}`, { name: 'Fall' })
    expect(renamed.body.data).toMatchObject({ linksCount: 3, visits: 3 })
    await linnet.api('PATCH', `/links/${one.id}`, { campaign_id: summer.id })
    expect(await read(summer.id)).toMatchObject({ linksCount: 2, visits: 3 })
  })
})

it('the list of campaigns comes by name, in pages that keep the search', async () => {
  for (const name of ['beta', 'Alpha', 'Gamma', 'Two']) await make(name)
  const { body } = await linnet.api('GET', '/campaigns?search=A&per_page=2')
  expect(namesIn({ body })).toEqual(['Alpha', 'beta'])
  expect(body.meta).toMatchObject({ total: 3, lastPage: 2 })
  expect(body.links.next).toBe(
    `/api/v1/campaigns?cursor=${body.meta.nextCursor}&per_page=2&search=A`,
  )
})

describe('a link', () => {
  it('is in one campaign at most, until it is put elsewhere or taken out', async () => {
    const [spring, summer] = [await make('Spring'), await make('Summer')]
    const link = await linnet.create({ campaign_id: spring.id })
    expect(link.campaign).toEqual({ id: spring.id, name: 'Spring' })
    const patch = async (fields: object) =>
      (await linnet.api('PATCH', `/links/${link.id}`, fields)).body.data.campaign
    expect(await patch({ title: 'Changed' })).toEqual(link.campaign)
    expect(await patch({ campaignId: summer.id })).toEqual({ id: summer.id, name: 'Summer' })
    expect(await read(spring.id)).toMatchObject({ linksCount: 0 })
    expect(await patch({ campaign_id: null })).toBeNull()
    expect((await linnet.create()).campaign).toBeNull()
  })

  it('stays when its campaign is deleted', async () => {
    const { id } = await make('Spring')
    const link = await linnet.create({ campaign_id: id })
    await linnet.api('DELETE', `/campaigns/${id}`)
    expect((await linnet.api('GET', `/links/${link.id}`)).body.data.campaign).toBeNull()
    expect(await linnet.visit(link)).toMatchObject({ status: 302 })
  })

  it('is neither made nor changed with a campaign that there is not', async () => {
    const { id } = await make('Spring')
    const link = await linnet.create({ campaign_id: id })
    for (const unknown of [link.id, 'cmp_x', '', 7]) {
      const refused = { status: 422, body: { errors: [{ field: 'campaign_id' }] } }
      const fields = { title: 'New', campaign_id: unknown }
      expect(await linnet.api('PATCH', `/links/${link.id}`, fields)).toMatchObject(refused)
      const draft = { original_url: 'https://example.com/', ...fields }
      expect(await linnet.api('POST', '/links', draft)).toMatchObject(refused)
    }
    const { body } = await linnet.api('GET', '/links')
    expect(body.data).toMatchObject([{ id: link.id, title: null, campaign: { id } }])
  })

  it('is listed by its campaign', async () => {
    const [spring, summer] = [await make('Spring'), await make('Summer')]
    const link = await linnet.create({ campaign_id: spring.id })
    await linnet.create({ campaign_id: summer.id })
    await linnet.create()
    const { body } = await linnet.api('GET', `/links?campaign_id=${spring.id}`)
    expect(body.data).toMatchObject([{ id: link.id }])
    for (const query of ['campaign_id=', 'campaign_id=spring', 'campaign_id=a&campaign_id=b']) {
      expect(await linnet.api('GET', `/links?${query}`)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'campaign_id' }] },
      })
    }
  })
})

describe('another account', () => {
  it('sees, changes, deletes and uses no campaign that is not its own', async () => {
    const mine = await make('Spring')
    await linnet.create({ campaign_id: mine.id })
    const call = await otherAccount(linnet)

    expect((await call('GET', '/campaigns')).body.data).toEqual([])
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Theirs' }], ['DELETE']] as const) {
      expect(await call(method, `/campaigns/${mine.id}`, body)).toMatchObject({ status: 404 })
    }
    const draft = { original_url: 'https://example.com/', campaign_id: mine.id }
    expect(await call('POST', '/links', draft)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'campaign_id' }] },
    })
    expect((await call('GET', `/links?campaign_id=${mine.id}`)).body.data).toEqual([])
    expect(await call('POST', '/campaigns', { name: 'Spring' })).toMatchObject({ status: 201 })
    expect(await read(mine.id)).toEqual({ ...mine, linksCount: 1 })
  })

  it('takes its campaigns along when it goes', async () => {
    const call = await otherAccount(linnet)
    const { id } = (await call('POST', '/campaigns', { name: 'Theirs' })).body.data
    await call('POST', '/links', { original_url: 'https://example.com/', campaign_id: id })
    await make('Mine')
    expect(await call('DELETE', '/profile')).toMatchObject({ status: 204 })

    const left = (table: string) =>
      linnet.db
        .selectFrom(table as 'links')
        .selectAll()
        .execute()
    expect(await left('organization_campaigns')).toMatchObject([{ name: 'Mine' }])
    expect(await left('organization_campaigns_links')).toEqual([])
  })
})

it('the limit of the plan is never passed by creates at the same moment', async () => {
  await linnet.db.updateTable('accounts').set({ plan: 'pro' }).execute()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      linnet.api('POST', '/campaigns', { name: `${index}` }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toMatchObject({ status: 403, body: { code: 'plan_limit_reached', limit: 20 } })
  }
  const { body } = await linnet.api('GET', '/profile')
  expect(body.data.plan.usage.campaignsCount).toBe(20)
})

it('is switched off for everybody at once: nothing new, but campaigns show and let links go', async () => {
  const { id } = await make('Spring')
  const link = await linnet.create({ campaign_id: id })
  await linnet.api('PATCH', '/admin/features', { campaign_creation_enabled: false })

  const disabled = { status: 403, body: { code: 'feature_disabled' } }
  const path = `/links/${link.id}`
  expect(await linnet.api('POST', '/campaigns', { name: 'New' })).toMatchObject(disabled)
  expect(await linnet.api('PATCH', `/campaigns/${id}`, { name: 'New' })).toMatchObject(disabled)
  expect(await linnet.api('PATCH', path, { campaign_id: id })).toMatchObject(disabled)
  expect(namesIn(await linnet.api('GET', '/campaigns'))).toEqual(['Spring'])
  expect((await linnet.api('PATCH', path, { campaign_id: null })).body.data.campaign).toBeNull()
  expect(await linnet.api('DELETE', `/campaigns/${id}`)).toMatchObject({ status: 204 })
})

it('keeps the campaigns of links while it is off', async () => {
  const { id } = await make('Spring')
  const link = await linnet.create({ campaign_id: id })
  const off = await linnet.restart([])
  expect(await off.api('GET', '/campaigns')).toMatchObject({ status: 404 })
  expect((await off.api('GET', `/links/${link.id}`)).body.data).not.toHaveProperty('campaign')
  const on = await off.restart([campaigns])
  expect((await on.api('GET', `/links/${link.id}`)).body.data.campaign).toMatchObject({ id })
  await on.app.close()
})
