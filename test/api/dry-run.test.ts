import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definePlugin, endpoint, readPublicId, z } from '../../core/plugin.ts'
import { codeOf } from '../authenticator-app.ts'
import type { Harness, Headers } from '../harness.ts'
import { boot } from '../harness.ts'
import { otherAccount } from '../plugins/organization/other-account.ts'
import { softwareAuthenticator } from '../software-authenticator.ts'
import { operationsOf, type Placed, readDocument } from './document.ts'
import { plugins } from './whole-instance.ts'

/** Does what it says, whatever is in the query: nobody who asks for a try may reach it. */
const careless = definePlugin({
  feature: 'acme.careless',
  about: 'Write, whatever the query says.',
  endpoints: {
    'POST /careless': endpoint({
      summary: 'Write something',
      scope: 'links:write',
      query: z.strictObject({ dryRun: z.string().optional() }),
      answer: z.strictObject({ data: z.string() }),
      async handle(_, { store }) {
        await store.set('written', true)
        return { data: 'written' }
      },
    }),
  },
})

/** The events that a listener had. */
const heard: string[] = []
const listening = definePlugin({
  feature: 'acme.listening',
  about: 'Hear of everything.',
  events: {
    kinds: ['link', 'tag', 'campaign'],
    handle: ({ type }) => void heard.push(type),
  },
  on: {
    created: () => void heard.push('on.created'),
    updated: () => void heard.push('on.updated'),
    deleted: () => void heard.push('on.deleted'),
  },
})

const original_url = 'https://example.com/'
const base = '/api/v1'

let linnet: Harness
beforeAll(async () => {
  linnet = await boot([...plugins, careless, listening])
})
afterAll(() => linnet.stop())

const call = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
  linnet.api(method, path, body, { 'sec-fetch-site': 'same-origin', ...headers })

let count = 0
const another = () => `name-${++count}`

async function make(path: string, body: object): Promise<string> {
  const made = await call('POST', path, body)
  expect([path, made.status]).toEqual([path, path === '/admin/domains' ? 200 : 201])
  return made.body.data.id
}

const aLink = (more: object = {}) => make('/links', { original_url, ...more })
const aTag = () => make('/tags', { name: another() })
const aCampaign = () => make('/campaigns', { name: another() })
const aDomain = () => make('/domains', { host: `${another()}.example.com` })
const anAnnotation = () => make('/annotations', { day: '2026-11-20', text: 'Sale' })
const aSearch = () => make('/saved-searches', { name: another(), query: 'sort=-visits' })
const aToken = () => make('/api-tokens', { name: another(), scopes: ['links:read'] })
const aShared = () => make('/admin/domains', { host: `${another()}.example.net` })
const aPage = async () => make('/public-numbers', { of: await aLink() })
const someone = () => ({ email: `${another()}@example.org`, plan: 'pro' })
const anAccount = () => make('/admin/accounts', someone())
const title = { title: 'Another' }
const aLogo = {
  image:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
}
async function aPlan(): Promise<string> {
  const slug = another()
  expect((await call('POST', '/admin/plans', { slug, name: 'A' })).status).toBe(201)
  return slug
}
const ownId = async () => (await call('GET', '/profile')).body.data.id
/** Two, so that one may go. */
async function anIdentity(account: string): Promise<string> {
  const account_id = readPublicId('acc', account) ?? 0
  for (const issuer of [another(), another()]) {
    const row = { issuer, subject: 'a', account_id, created_at: 1, used_at: 1 }
    await linnet.db.insertInto('identities').values(row).execute()
  }
  const { body } = await call('GET', `/admin/accounts/${account}/identities`)
  return body.data[0].id
}
async function aBlockedLink(): Promise<string> {
  const id = await aLink()
  const found = {
    ...{ link_id: readPublicId('lnk', id), address_hash: 'a', address: original_url },
    ...{ reason: 'harmful', found_at: 1 },
  }
  await linnet.db
    .insertInto('link_url_scanning_findings' as 'meta')
    .values(found as never)
    .execute()
  return id
}
const twoLinks = async () => [await aLink(), await aLink()]
async function aDeletedLink(): Promise<string> {
  const id = await aLink({ short_code: another(), tag_ids: [await aTag()], external_id: another() })
  await call('DELETE', `/links/${id}`)
  return id
}

async function aPasskey(): Promise<string> {
  await aSecondFactor()
  const [row] = await linnet.db.selectFrom('accounts').select('id').limit(1).execute()
  const keyTable = 'organization_second_factor_passkeys' as 'meta'
  const key = { id: another(), account_id: row?.id, public_key: '', counter: 0, transports: '[]' }
  const values = { ...key, created_at: 0, used_at: 0 } as never
  await linnet.db.insertInto(keyTable).values(values).execute()
  const { body } = await call('GET', '/second-factor/passkeys')
  return `/second-factor/passkeys/${body.data[0].id}`
}

/** What a browser made. */
async function aNewPasskey(): Promise<string> {
  await aSecondFactor()
  const { body } = await call('POST', '/second-factor/passkeys')
  return softwareAuthenticator('https://go.example.org').make(body.data.options)
}

/** One that hears of nothing that happens here, so that nothing is sent meanwhile. */
const aWebhook = () => make('/webhooks', quietWebhook)
const quietWebhook = { url: 'https://example.com/', events: ['campaign.restored'] }
async function aMessage(): Promise<string> {
  const webhook = await aWebhook()
  const { body } = await call('POST', `/webhooks/${webhook}/test`)
  return `/webhooks/${webhook}/deliveries/${body.data.id}`
}

/** The secret of an authenticator app that is not in use yet. */
async function aSecret(): Promise<string> {
  await call('DELETE', '/second-factor')
  return (await call('POST', '/second-factor')).body.data.secret
}
const aCode = async () => ({ code: codeOf(await aSecret(), new Date('2026-11-20T12:00:00Z')) })
async function aSecondFactor(): Promise<void> {
  expect((await call('POST', '/second-factor/confirm', await aCode())).status).toBe(200)
}

type Ask = () => Promise<readonly [path: string, body?: object]>

/** A request for each operation that can be tried. Without `dry_run`, it succeeds and writes. */
const asks: Readonly<Record<string, Ask>> = {
  'POST /links': async () => [
    '/links',
    { original_url, tag_ids: [await aTag()], external_id: another(), utm: { source: 'a' } },
  ],
  'PATCH /links/{id}': async () => [
    `/links/${await aLink()}`,
    {
      original_url: `${original_url}2`,
      tag_ids: [await aTag()],
      short_code: another(),
      title: 'B',
    },
  ],
  'DELETE /links/{id}': async () => [`/links/${await aLink({ tag_ids: [await aTag()] })}`],
  'PUT /links/by-external-id/{id}': async () => [
    `/links/by-external-id/${another()}`,
    { original_url, title: 'A' },
  ],
  'DELETE /links/by-external-id/{id}': async () => {
    const external_id = another()
    await aLink({ external_id })
    return [`/links/by-external-id/${external_id}`]
  },
  'POST /links/{id}/restore': async () => [`/links/${await aDeletedLink()}/restore`],
  'DELETE /links/deleted/{id}': async () => [`/links/deleted/${await aDeletedLink()}`],
  'POST /links/bulk': async () => ['/links/bulk', { links: [{ original_url }, { original_url }] }],
  'PATCH /links/bulk': async () => ['/links/bulk', { ids: await twoLinks(), title: 'Many' }],
  'DELETE /links/bulk': async () => ['/links/bulk', { ids: await twoLinks() }],
  'POST /tags': async () => ['/tags', { name: another() }],
  'PATCH /tags/{id}': async () => [`/tags/${await aTag()}`, { name: another() }],
  'DELETE /tags/{id}': async () => [`/tags/${await aTag()}`],
  'POST /webhooks': async () => ['/webhooks', quietWebhook],
  'PATCH /webhooks/{id}': async () => [`/webhooks/${await aWebhook()}`, { active: false }],
  'DELETE /webhooks/{id}': async () => [`/webhooks/${await aWebhook()}`],
  'POST /webhooks/{id}/rotate': async () => [`/webhooks/${await aWebhook()}/rotate`, {}],
  'POST /webhooks/{id}/replay': async () => [
    `/webhooks/${await aWebhook()}/replay`,
    { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' },
  ],
  'POST /webhooks/{webhookId}/deliveries/{id}/redeliver': async () => [
    `${await aMessage()}/redeliver`,
  ],
  'POST /campaigns': async () => ['/campaigns', { name: another() }],
  'PATCH /campaigns/{id}': async () => [`/campaigns/${await aCampaign()}`, { name: another() }],
  'DELETE /campaigns/{id}': async () => [`/campaigns/${await aCampaign()}`],
  'POST /domains': async () => ['/domains', { host: `${another()}.example.com` }],
  'PATCH /domains/{id}': async () => [`/domains/${await aDomain()}`, { root_url: original_url }],
  'DELETE /domains/{id}': async () => [`/domains/${await aDomain()}`],
  'POST /annotations': async () => ['/annotations', { day: '2026-11-20', text: 'Sale' }],
  'PATCH /annotations/{id}': async () => [`/annotations/${await anAnnotation()}`, { text: 'B' }],
  'DELETE /annotations/{id}': async () => [`/annotations/${await anAnnotation()}`],
  'POST /saved-searches': async () => [
    '/saved-searches',
    { name: another(), query: 'sort=-visits' },
  ],
  'PATCH /saved-searches/{id}': async () => [
    `/saved-searches/${await aSearch()}`,
    { name: another() },
  ],
  'DELETE /saved-searches/{id}': async () => [`/saved-searches/${await aSearch()}`],
  'POST /second-factor': async () => {
    await aSecret()
    return ['/second-factor']
  },
  'POST /second-factor/confirm': async () => ['/second-factor/confirm', await aCode()],
  'POST /second-factor/recovery-codes': async () => {
    await aSecondFactor()
    return ['/second-factor/recovery-codes']
  },
  'POST /yourls-signatures': async () => ['/yourls-signatures', { name: another() }],
  'DELETE /yourls-signatures/{id}': async () => [
    `/yourls-signatures/${await make('/yourls-signatures', { name: another() })}`,
  ],
  'POST /second-factor/passkeys/confirm': async () => [
    '/second-factor/passkeys/confirm',
    { passkey: await aNewPasskey() },
  ],
  'DELETE /second-factor/passkeys/{id}': async () => [await aPasskey()],
  'PATCH /second-factor/passkeys/{id}': async () => [await aPasskey(), { name: 'Phone' }],
  'DELETE /second-factor': async () => {
    await aSecondFactor()
    return ['/second-factor']
  },
  'PATCH /api-tokens/{id}': async () => [`/api-tokens/${await aToken()}`, { name: another() }],
  'DELETE /api-tokens/{id}': async () => [`/api-tokens/${await aToken()}`],
  'PATCH /public-numbers/{id}': async () => [`/public-numbers/${await aPage()}`, title],
  'DELETE /public-numbers/{id}': async () => [`/public-numbers/${await aPage()}`],
  'PATCH /notice-settings': async () => ['/notice-settings', { weekly: ++count % 2 === 0 }],
  'PATCH /qr-look': async () => ['/qr-look', { dark: `#${String(++count).padStart(6, '0')}` }],
  'DELETE /qr-look': async () => {
    await call('PATCH', '/qr-look', { dark: '#100000' })
    return ['/qr-look']
  },
  'PATCH /links/{id}/qr-look': async () => [`/links/${await aLink()}/qr-look`, { dark: '#100000' }],
  'DELETE /links/{id}/qr-look': async () => {
    const at = `/links/${await aLink()}/qr-look`
    await call('PATCH', at, { dark: '#100000' })
    return [at]
  },
  'PATCH /profile': async () => ['/profile', { fullName: another() }],
  'POST /admin/accounts': async () => [
    '/admin/accounts',
    { ...someone(), password: 'correct horse' },
  ],
  'PATCH /admin/accounts/{id}': async () => [
    `/admin/accounts/${await anAccount()}`,
    { full_name: another(), plan: 'free', password: 'correct horse' },
  ],
  'POST /admin/accounts/{id}/suspend': async () => [
    `/admin/accounts/${await anAccount()}/suspend`,
    { links_closed: true },
  ],
  'POST /admin/accounts/{id}/release': async () => {
    const account = `/admin/accounts/${await anAccount()}`
    await call('POST', `${account}/suspend`, {})
    return [`${account}/release`, {}]
  },
  'POST /admin/accounts/{id}/hand-over': async () => {
    await aLink({ tag_ids: [await aTag()] })
    return [`/admin/accounts/${await ownId()}/hand-over`, { to: await anAccount() }]
  },
  'DELETE /admin/accounts/{id}': async () => [`/admin/accounts/${await anAccount()}`],
  'POST /admin/plans/{slug}/move-accounts': async () => {
    await anAccount()
    return ['/admin/plans/pro/move-accounts', { to: 'free' }]
  },
  'POST /public-numbers': async () => ['/public-numbers', { of: await aLink(), title: 'A' }],
  'POST /api-tokens': async () => ['/api-tokens', { name: another(), scopes: ['links:write'] }],
  'POST /code-rules': async () => ['/code-rules', { hyphens: 'ignored', grammar: 'wide' }],
  'DELETE /identities/{id}': async () => [`/identities/${await anIdentity(await ownId())}`],
  'DELETE /admin/accounts/{id}/identities/{identity}': async () => {
    const id = await anAccount()
    return [`/admin/accounts/${id}/identities/${await anIdentity(id)}`]
  },
  'POST /qr-logo': async () => ['/qr-logo', aLogo],
  'DELETE /qr-logo': async () => {
    await call('POST', '/qr-logo', aLogo)
    return ['/qr-logo']
  },
  'POST /admin/blocked-links/{id}/release': async () => [
    `/admin/blocked-links/${await aBlockedLink()}/release`,
  ],
  'PATCH /admin/front-page': async () => [
    '/admin/front-page',
    { front: 'text', front_title: another() },
  ],
  'POST /admin/domains': async () => ['/admin/domains', { host: `${another()}.example.net` }],
  'DELETE /admin/domains/{id}': async () => [`/admin/domains/${await aShared()}`],
  'POST /admin/plans': async () => ['/admin/plans', { slug: another(), name: 'A', copy_of: 'pro' }],
  'PATCH /admin/plans/{slug}': async () => [`/admin/plans/${await aPlan()}`, { name: 'B' }],
  'DELETE /admin/plans/{slug}': async () => {
    const at = `/admin/plans/${await aPlan()}`
    await call('PATCH', at, { is_retired: true })
    return [at]
  },
  'PATCH /admin/brand': async () => ['/admin/brand', { name: another() }],
  'PATCH /admin/features': async () => ['/admin/features', { urlScanningEnabled: false }],
  // Deletes who asks.
  'DELETE /profile': async () => {
    await make('/admin/accounts', { ...someone(), is_admin: true })
    await aLink({ tag_ids: [await aTag()] })
    return ['/profile']
  },
}

/** What the server keeps in memory besides, as it tells it. */
const kept = ['/admin/front-page', '/code-rules', '/admin/plans', '/admin/features', '/admin/brand']

let tables: Awaited<ReturnType<Harness['db']['introspection']['getTables']>> | undefined

/** All that is in the database, row by row, and what the server answers by heart. */
async function dump(): Promise<readonly string[]> {
  await linnet.settled()
  // Counts of links that are gone are removed in the background.
  const left = () => linnet.db.selectFrom('counts_to_remove').selectAll().execute()
  await expect.poll(left).toEqual([])
  tables ??= await linnet.db.introspection.getTables()
  const rows: string[] = []
  for (const { name } of tables) {
    if (name.startsWith('links_search')) continue
    const all = await linnet.db
      .selectFrom(name as 'meta')
      .selectAll()
      .execute()
    rows.push(...all.map(row => `${name} ${JSON.stringify(row)}`))
  }
  for (const path of kept) rows.push(`${path} ${JSON.stringify((await call('GET', path)).body)}`)
  return rows.sort()
}

const dry = (path: string, value = 'true') =>
  `${path}${path.includes('?') ? '&' : '?'}dry_run=${value}`

it('many links that are tried keep no other account from writing', async () => {
  const other = await otherAccount(linnet)
  const links = Array.from({ length: 100 }, () => ({ original_url }))
  let tried = 0
  const trials = Array.from({ length: 5 }, async () => {
    const { status } = await call('POST', dry('/links/bulk'), { links })
    if (status === 200) tried += 1
    return status
  })
  // By then, all of them wait.
  await Promise.race(trials)
  expect((await other('POST', '/tags', { name: another() })).status).toBe(201)
  expect(tried).toBeLessThan(3)
  expect(await Promise.all(trials)).toEqual(Array(5).fill(200))
})

describe('a request with dry_run', () => {
  let tried: readonly Placed[]
  let refused: readonly Placed[]
  const nameOf = ({ method, path }: Placed) => `${method} ${path.slice(base.length)}`

  beforeAll(async () => {
    const writes = operationsOf(await readDocument(linnet)).filter(it => it.method !== 'GET')
    const takes = ({ operation }: Placed) =>
      operation.parameters.some(it => it.description?.includes('only tried'))
    tried = writes.filter(takes)
    refused = writes.filter(it => !takes(it))
  })

  it('is refused everywhere else, and changes nothing', async () => {
    expect(refused.length).toBeGreaterThan(20)
    const before = await dump()
    for (const { method, path } of refused) {
      const at = path.slice(base.length).replace(/\{\w+\}/g, 'nothing')
      for (const sent of [dry(at), `${at}?dryRun=true`, dry(at, 'false')]) {
        const { status, body } = await call(method, sent, {})
        expect([method, at, status]).toEqual([method, at, 422])
        expect(body.errors).toContainEqual({
          field: sent.includes('dryRun') ? 'dryRun' : 'dry_run',
          code: 'not_possible',
          message: 'This cannot be tried, so nothing was done. Leave out dry_run to do it.',
        })
      }
    }
    expect(await dump()).toEqual(before)
  })

  it.each([
    ['dry_run=yes', 'dry_run', 'invalid', 'Must be true or false.'],
    ['dry_run=', 'dry_run', 'invalid', 'Must be true or false.'],
    ['dry_run', 'dry_run', 'invalid', 'Must be true or false.'],
    ['dry_run=TRUE', 'dry_run', 'invalid', 'Must be true or false.'],
    ['dry_run=1', 'dry_run', 'invalid', 'Must be true or false.'],
    ['dry_run=true&dry_run=true', 'dry_run', 'sent_twice', 'Send it once.'],
    ['dry_run=false&dryRun=true', 'dry_run', 'sent_twice', 'Send it once.'],
    ['dryrun=true', 'dryrun', 'unknown_field', 'This field does not exist.'],
    ['DRY_RUN=true', 'DRY_RUN', 'unknown_field', 'This field does not exist.'],
  ])('is refused where it says %s', async (query, field, code, message) => {
    const before = await dump()
    const { status, body } = await call('POST', `/tags?${query}`, { name: another() })
    expect([status, body.errors]).toMatchObject([422, [{ field, code, message }]])
    expect(await dump()).toEqual(before)
  })

  it('is an ordinary one where it says false', async () => {
    const made = await call('POST', '/tags?dry_run=false', { name: another() })
    expect([made.status, made.headers['dry-run']]).toEqual([201, undefined])
    expect((await call('GET', `/tags/${made.body.data.id}`)).status).toBe(200)
  })

  it('is refused for what would refuse it, and says that it was tried', async () => {
    const name = another()
    await make('/tags', { name })
    const taken = await call('POST', '/tags?dry_run=true', { name })
    expect([taken.status, taken.body.code, taken.headers['dry-run']]).toEqual([
      409,
      'name_taken',
      'true',
    ])
    expect((await call('POST', '/tags?dry_run=true', { name: '' })).status).toBe(422)
    const of = await aLink()
    const twice = () => call('POST', '/public-numbers?dry_run=true', { of })
    expect((await twice()).status).toBe(201)
    await make('/public-numbers', { of })
    expect([(await twice()).status, (await twice()).headers['dry-run']]).toEqual([409, 'true'])
    const noLogo = await call('POST', '/qr-logo?dry_run=true', { image: 'data:image/png;base64,' })
    expect([noLogo.status, noLogo.headers['dry-run']]).toEqual([422, 'true'])
    for (const short_code of ['same-code', 'Same-Code']) await aLink({ short_code })
    const codes = { grammar: 'narrow', codes: 'any_case', hyphens: 'strict' }
    const same = await call('POST', '/code-rules?dry_run=true', codes)
    expect([same.status, same.body.code, same.headers['dry-run']]).toEqual([
      409,
      'codes_collide',
      'true',
    ])
    const token = { name: 'A', scopes: ['links:read'], expires_at: '2001-01-01T00:00:00Z' }
    expect((await call('POST', '/api-tokens?dry_run=true', token)).status).toBe(422)
    const plan = await call('POST', '/admin/plans?dry_run=true', { slug: 'pro', name: 'A' })
    expect([plan.status, plan.body.code]).toEqual([409, 'plan_taken'])
    expect((await call('DELETE', '/admin/plans/pro?dry_run=true')).status).toBe(409)
    const unblocked = await call('POST', `/admin/blocked-links/${of}/release?dry_run=true`)
    expect([unblocked.status, unblocked.headers['dry-run']]).toEqual([404, 'true'])
    const noFront = await call('PATCH', '/admin/front-page?dry_run=true', { front: 'address' })
    expect([noFront.status, noFront.headers['dry-run']]).toEqual([422, 'true'])
    const gone = await call('DELETE', '/tags/tag_nothing?dry_run=true')
    expect([gone.status, gone.headers['dry-run']]).toEqual([404, 'true'])
    const stale = { 'if-match': '"1"' }
    const at = `/tags/${await aTag()}?dry_run=true`
    expect((await call('DELETE', at, undefined, stale)).status).toBe(412)
    const nobody = { cookie: '' }
    expect((await call('DELETE', at, undefined, nobody)).status).toBe(401)
  })

  it('means nothing where nothing is written', async () => {
    expect((await call('GET', '/tags?dry_run=true')).status).toBe(422)
  })

  // Last, because in the end it deletes who asks.
  it('is answered as it would be, and changes nothing, wherever the API describes it', async () => {
    expect(tried.map(nameOf).sort()).toEqual(Object.keys(asks).sort())
    for (const [name, ask] of Object.entries(asks)) {
      const [method = ''] = name.split(' ')
      const [path, body] = await ask()
      const before = await dump()
      heard.length = 0
      const key = { 'idempotency-key': another() }
      const answer = await call(method, dry(path), body, key)
      expect([name, await dump()]).toEqual([name, before])
      expect(heard).toEqual([])
      const done = await call(method, path, body, key)
      expect([name, answer.status, answer.headers['dry-run']]).toEqual([name, done.status, 'true'])
      expect(done.headers['dry-run']).toBe(undefined)
      expect([answer.headers.etag, answer.headers.location]).toEqual([undefined, undefined])
      // A token that was only tried would open nothing.
      if (name === 'POST /api-tokens') {
        expect([answer.body.data.token, done.body.data.token]).toEqual([null, expect.any(String)])
        answer.body.data.token = ''
      }
      if (name === 'POST /webhooks' || name.endsWith('/rotate')) {
        expect(answer.body.data.secret).toBe(null)
        answer.body.data.secret = ''
      }
      expect([name, shapeOf(answer.body)]).toEqual([name, shapeOf(done.body)])
      expect([name, done.status < 300, done.headers['idempotent-replayed']]).toEqual([
        name,
        true,
        undefined,
      ])
      // The control: without `dry_run` it does write, and plugins hear of it.
      expect([name, await dump()]).not.toEqual([name, before])
      const isOfLinks = name.includes('links') && !/qr-look|deleted|blocked/.test(name)
      if (isOfLinks) expect([name, heard.length > 0]).toEqual([name, true])
    }
  })
})

/** The names of all members: ids, codes and moments differ. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, shapeOf(it)]))
}
