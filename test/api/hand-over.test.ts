import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer, Harness, Headers } from '../harness.ts'
import { boot } from '../harness.ts'
import { publicId } from '../inside.ts'
import { aPerson, type Person } from './people.ts'

let linnet: Harness
let ada: Caller
let grace: Caller

/** Somebody with an account. */
interface Caller extends Person {
  readonly id: string
  readonly path: string
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

async function someone(plan = 'unlimited'): Promise<Caller> {
  const person = await aPerson(linnet)
  await person.moveTo(plan)
  const session: Headers = await person.session()
  const id = publicId('acc', person.account.id)
  return {
    ...person,
    ...{ id, path: `/admin/accounts/${id}` },
    call: (method, path, body) => linnet.api(method, path, body, session),
  }
}

beforeEach(async () => {
  linnet = await boot([
    'developer.apiKeys',
    'analytics.visitsOverTime',
    'analytics.uniqueVisitors',
    'analytics.publicNumbers',
    'link.customShortCode',
    'link.editShortCode',
    'link.externalId',
    'organization.tags',
    'organization.campaigns',
    'organization.customDomains',
    'organization.auditLog',
  ])
  ;[ada, grace] = [await someone(), await someone()]
})
afterEach(() => linnet.stop())

async function made(caller: Caller, path: string, body: object): Promise<string> {
  const { status, body: answer } = await caller.call('POST', path, body)
  expect([path, status, answer?.detail]).toEqual([path, 201, undefined])
  return answer.data.id
}

const original_url = 'https://example.com/'
const host = 'links.example.com'

async function verify(): Promise<void> {
  await linnet.db
    .updateTable('organization_custom_domains' as 'meta')
    .set({ verified_host: host } as never)
    .execute()
}

const visit = async (code: string, from: string, on?: string) =>
  (
    await linnet.visit(code, {
      ip: from,
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        ...(on && { host: on }),
      },
    })
  ).status

/** Visits, and different visitors of all days together. */
async function totals(caller: Caller, path = '') {
  const { body } = await caller.call('GET', `${path}/analytics?interval=7d`)
  const { totals, uniqueVisitors } = body.data
  const unique = uniqueVisitors.reduce(
    (sum: number, day: { visits: number }) => sum + day.visits,
    0,
  )
  return [totals.visits, unique]
}

const tokens = async (caller: Caller) => (await caller.call('GET', '/tags')).body.data
const namesOf = (things: readonly { name: string; linksCount: number }[]) =>
  things.map(({ name, linksCount }) => `${name} ${linksCount}`)

describe('an account that hands over', () => {
  it('all of its links gives their codes, counts, tags, campaigns and domains, and keeps its tokens', async () => {
    const tag = await made(ada, '/tags', { name: 'News' })
    await made(grace, '/tags', { name: 'news' })
    const campaign = await made(ada, '/campaigns', { name: 'Spring', description: 'Flowers' })
    const domain = await made(ada, '/domains', { host })
    await verify()
    await ada.call('PATCH', `/domains/${domain}`, { root_url: 'https://example.com/root' })
    const link = await made(ada, '/links', {
      ...{ original_url, short_code: 'first', external_id: 'a-1' },
      ...{ tag_ids: [tag], campaign_id: campaign },
    })
    await ada.call('PATCH', `/links/${link}`, { short_code: 'second' })
    await made(ada, '/links', { original_url, short_code: 'own', domain: host })
    await made(grace, '/links', { original_url, short_code: 'hers', external_id: 'a-2' })
    const page = (await ada.call('POST', '/public-numbers', { of: link })).body.data.url
    const deleted = await made(ada, '/links', { original_url, short_code: 'gone', tag_ids: [tag] })
    expect(await visit('gone', '192.0.2.9')).toBe(302)
    await ada.call('DELETE', `/links/${deleted}`)
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.2']) await visit('first', ip)
    await visit('hers', '192.0.2.1')
    const token = await ada.token()
    const before = await totals(ada, `/links/${link}`)

    const given = await linnet.api('POST', `${ada.path}/hand-over`, { to: grace.id })
    expect(given).toMatchObject({ status: 200, body: { data: { links: 2 } } })

    expect(await visit('second', '192.0.2.1')).toBe(302)
    expect(await visit('own', '192.0.2.1', host)).toBe(302)
    expect(await visit('', '192.0.2.1', host)).toBe(302)
    expect((await ada.call('GET', '/links')).body.data).toEqual([])
    const shown = (await grace.call('GET', `/links/${link}`)).body.data
    expect(shown).toMatchObject({
      ...{ shortCode: 'second', externalId: 'a-1' },
      tags: [{ id: tag, name: 'News 2' }],
      campaign: { id: campaign, name: 'Spring' },
    })
    expect(namesOf(await tokens(grace))).toEqual(['news 0', 'News 2 1'])
    expect(await tokens(ada)).toEqual([])
    expect((await grace.call('GET', `/campaigns/${campaign}`)).body.data.description).toBe(
      'Flowers',
    )
    expect(before).toEqual([3, 2])
    expect(await totals(grace, `/links/${link}`)).toEqual([4, 2])
    // The visitor of the link that is deleted now was one of that day.
    expect(await totals(grace)).toEqual([6, 3])
    expect(await totals(ada)).toEqual([0, 0])
    expect((await linnet.visit(new URL(page).pathname.slice(1))).status).toBe(200)
    expect((await linnet.api('GET', '/profile', undefined, token)).status).toBe(200)

    const back = await grace.call('POST', `/links/${deleted}/restore`)
    expect(back).toMatchObject({ status: 200, body: { data: { tags: [{ id: tag }] } } })
    expect(await totals(grace)).toEqual([7, 3])
    await linnet.settled()
    const entries = (await linnet.api('GET', '/audit-log?kind=account')).body.data
    expect(entries[0]).toMatchObject({
      changed: ['handedOverTo', 'handedOverLinks'],
      after: { handedOverTo: grace.id, handedOverLinks: 2 },
    })
  })

  it('some of its links, by id or short URL, gives these alone, into tags of the same name', async () => {
    const [news, sale] = [
      await made(ada, '/tags', { name: 'News', color: '#0A7CFF' }),
      await made(ada, '/tags', { name: 'Sale' }),
    ]
    const hers = await made(grace, '/tags', { name: 'Sale' })
    const campaign = await made(ada, '/campaigns', { name: 'Spring' })
    const [one, two] = [
      await made(ada, '/links', {
        ...{ original_url, short_code: 'one', tag_ids: [news, sale], campaign_id: campaign },
      }),
      await made(ada, '/links', { original_url, short_code: 'two', tag_ids: [news] }),
    ]
    await made(ada, '/links', { original_url, short_code: 'stays', tag_ids: [news] })
    for (const code of ['one', 'two', 'stays']) await visit(code, '192.0.2.1')
    expect(await totals(ada)).toEqual([3, 1])
    const links = [one, 'https://go.example.org/two']
    const given = await linnet.api('POST', `${ada.path}/hand-over`, { to: grace.id, links })
    expect(given).toMatchObject({ status: 200, body: { data: { links: 2 } } })

    const { tags } = (await grace.call('GET', `/links/${one}`)).body.data
    expect(tags).toMatchObject([
      { name: 'News', color: '#0A7CFF' },
      { id: hers, name: 'Sale' },
    ])
    expect((await grace.call('GET', `/links/${two}`)).body.data.tags).toEqual([tags[0]])
    expect(namesOf(await tokens(ada))).toEqual(['News 1', 'Sale 0'])
    expect((await grace.call('GET', '/campaigns')).body.data).toMatchObject([
      { name: 'Spring', linksCount: 1 },
    ])
    expect(await totals(grace)).toEqual([2, 1])
    expect((await totals(ada))[0]).toBe(1)
    expect((await ada.call('GET', `/links/${one}`)).status).toBe(404)
  })

  it('nothing where a part of it is refused, and says why', async () => {
    const domain = await made(ada, '/domains', { host })
    await verify()
    await ada.call('PATCH', `/domains/${domain}`, { root_url: 'https://example.com/root' })
    const on = await made(ada, '/links', { original_url, domain: host, external_id: 'same' })
    for (let n = 0; n < 3; n += 1) await made(ada, '/tags', { name: `Tag ${n}` })
    const hand = (body: object) => linnet.api('POST', `${ada.path}/hand-over`, body)
    const refused = (status: number, code: string) => ({ status, body: { code } })

    expect(await hand({ to: ada.id })).toMatchObject(refused(422, 'validation_failed'))
    expect(await hand({ to: 'acc_nobody' })).toMatchObject(refused(422, 'validation_failed'))
    expect(await hand({ to: grace.id, links: ['nothing'] })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'links[0]' }] },
    })
    expect(await hand({ to: grace.id, links: [on] })).toMatchObject(refused(409, 'domain_in_use'))
    const hers = await made(grace, '/links', { original_url, external_id: 'same' })
    expect(await hand({ to: grace.id })).toMatchObject(refused(409, 'external_id_taken'))
    await grace.call('DELETE', `/links/${hers}`)

    const plan = await linnet.api('PATCH', '/admin/plans/pro', { organization: { max_tags: 2 } })
    expect(plan.status).toBe(200)
    await grace.moveTo('pro')
    expect(await hand({ to: grace.id })).toMatchObject({
      status: 403,
      body: { code: 'plan_limit_reached', limitName: 'organization.maxTags', limit: 2, used: 3 },
    })
    const gone = await linnet.api('DELETE', `${ada.path}?hand_over_to=${grace.id}`)
    expect(gone).toMatchObject(refused(403, 'plan_limit_reached'))
    expect(await tokens(ada)).toHaveLength(3)
    expect((await ada.call('GET', `/links/${on}`)).body.data.externalId).toBe('same')
  })

  it('its links goes, and its short URLs live on', async () => {
    const link = await made(ada, '/links', { original_url, short_code: 'spring' })
    await visit('spring', '192.0.2.1')
    const wrong = await linnet.api('DELETE', `${ada.path}?hand_over_to=${ada.id}`)
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'hand_over_to' }] } })
    const path = `${ada.path}?hand_over_to=${grace.id}`
    expect((await linnet.api('DELETE', `${path}&dry_run=true`)).status).toBe(204)
    expect((await ada.call('GET', `/links/${link}`)).status).toBe(200)
    expect((await linnet.api('DELETE', path)).status).toBe(204)
    expect((await linnet.api('GET', ada.path)).status).toBe(404)
    expect(await visit('spring', '192.0.2.2')).toBe(302)
    expect(await totals(grace)).toEqual([2, 2])
    const taken = await ada.call('POST', '/links', { original_url, short_code: 'spring' })
    expect(taken.status).toBe(401)
  })
})
