import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccount } from '../../../../core/accounts/accounts.ts'
import {
  type Context,
  choice,
  definePlugin,
  type Event,
  type Plugin,
} from '../../../../core/plugin.ts'
import { dropOldest } from '../../../../core/storage/bound-outbox.ts'
import { chooseKinds, isHeard, readListeners } from '../../../../core/storage/outbox.ts'
import { boot, type Harness, type HarnessOptions } from '../../../harness.ts'

let linnet: Harness
let heard: Event[]
let context: Context
let failsWith: string | undefined

const everything = ['link', 'account', 'token', 'session', 'settings', 'plugins', 'tag', 'domain']

const listener = (kinds = everything): Plugin =>
  definePlugin({
    feature: 'z.listener',
    about: 'Hears of everything.',
    setup(its) {
      context = its as Context
    },
    events: {
      kinds,
      handle(event) {
        if (failsWith !== undefined) throw new Error(failsWith)
        heard.push(event)
      },
    },
  })

beforeEach(() => {
  heard = []
  failsWith = undefined
})
afterEach(() => linnet.stop())

async function start(plugins: readonly (Plugin | string)[], options: HarnessOptions = {}) {
  linnet = await boot(plugins, { at: '2026-11-26T12:00:00Z', ...options })
}
const types = () => heard.map(({ type }) => type)
const waiting = async () => {
  const { count } = await linnet.db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

describe('a plugin that hears of events', () => {
  it('hears of each change of a link once, in order, with who made it, before and after', async () => {
    await start([listener(), 'link.customShortCode', 'link.editOriginalUrl'])
    const link = await linnet.create({ shortCode: 'spring', title: 'Spring' })
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'Summer', notes: 'Hot.' })
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'Summer' })
    await linnet.api('DELETE', `/links/${link.id}`)
    await linnet.settled()
    const links = heard.filter(({ type }) => type.startsWith('link.'))
    expect(links.map(({ type }) => type)).toEqual(['link.created', 'link.updated', 'link.deleted'])
    const [created, updated, deleted] = links
    expect(created).toMatchObject({
      at: '2026-11-26T12:00:00.000Z',
      accountId: linnet.account.rowId,
      actor: { kind: 'account', accountId: linnet.account.rowId, by: 'session' },
      before: null,
      after: { id: link.id, shortCode: 'spring', shortUrl: link.shortUrl, title: 'Spring' },
    })
    expect(updated).toMatchObject({
      before: { title: 'Spring', notes: null },
      after: { title: 'Summer', notes: 'Hot.' },
      changed: ['title', 'notes'],
    })
    expect(deleted).toMatchObject({ before: { id: link.id, title: 'Summer' }, after: null })
    expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length)
    expect(await waiting()).toBe(0)
  })

  it('hears what plugins had and have in their own tables of a link, where that changed', async () => {
    await start([listener(), 'organization.tags'])
    const tag = (await linnet.api('POST', '/tags', { name: 'Sale' })).body.data
    const { id } = await linnet.create({})
    await linnet.api('PATCH', `/links/${id}`, { title: 'Spring' })
    await linnet.api('PATCH', `/links/${id}`, { addTagIds: [tag.id] })
    await linnet.settled()
    const [titled, tagged] = heard.filter(({ type }) => type === 'link.updated')
    expect(titled?.after).not.toHaveProperty('tags')
    expect(tagged).toMatchObject({
      before: { id, tags: [] },
      after: { id, tags: [{ id: tag.id, name: 'Sale' }] },
      changed: ['addTagIds', 'tags'],
    })
  })

  it('is told the account of each thing, as listeners are, and whoever goes through all links', async () => {
    const named: unknown[] = []
    const onAll = definePlugin({
      feature: 'z.onAll',
      about: 'Listens to everything.',
      on: {
        created: ({ accountId }) => void named.push(['created', accountId]),
        updated: ({ accountId }) => void named.push(['updated', accountId]),
        deleted: ({ accountId }) => void named.push(['deleted', accountId]),
        visited: visits =>
          void named.push(...visits.map(it => ['visited', it.accountId, it.visits])),
      },
    })
    const ours = [
      'organization.tags',
      'organization.campaigns',
      'developer.apiKeys',
      'analytics.visitsTracking',
    ]
    await start([listener([...everything, 'campaign']), onAll, ...ours])
    const { rowId } = linnet.account
    const link = await linnet.create()
    const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    await linnet.visit(link, { headers: { 'user-agent': browser } })
    await linnet.app.recorder.catchUp()
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'Summer' })
    for await (const links of context.links.all()) {
      expect(links.map(({ accountId }) => accountId)).toEqual([rowId])
    }
    await linnet.api('POST', '/tags', { name: 'warm' })
    await linnet.api('POST', '/campaigns', { name: 'Warm' })
    await linnet.api('POST', '/api-tokens', { name: 'x', scopes: ['links:read'] })
    await linnet.api('PATCH', '/profile', { fullName: 'Ada' })
    await linnet.api('DELETE', `/links/${link.id}`)
    await linnet.settled()
    const told = heard.filter(({ type }) => !/^(settings|plugins)\./.test(type))
    const kinds = new Set(told.map(({ type }) => type.slice(0, type.indexOf('.'))))
    expect([...kinds].sort()).toEqual(['account', 'campaign', 'link', 'session', 'tag', 'token'])
    expect(told.filter(({ accountId }) => accountId !== rowId)).toEqual([])
    expect(named).toEqual([
      ['created', rowId],
      ['visited', rowId, 1],
      ['updated', rowId],
      ['deleted', rowId],
    ])
  })

  it('hears of many links that are made or deleted at once, and of those of a deleted account', async () => {
    await start([listener(['link', 'account'])])
    const links = Array.from({ length: 30 }, (_, number) => ({
      originalUrl: `https://example.com/${number}`,
    }))
    const { body } = await linnet.api('POST', '/links/bulk', { links })
    const ids = body.data.map((it: { link: { id: string } }) => it.link.id)
    await linnet.api('DELETE', '/links/bulk', { ids: ids.slice(0, 10) })
    await linnet.settled()
    expect(types().filter(type => type === 'link.created')).toHaveLength(30)
    expect(types().filter(type => type === 'link.deleted')).toHaveLength(10)
    const other = await createAccount(
      linnet.db,
      {
        email: 'b@example.com',
        password: null,
        fullName: null,
        plan: 'unlimited',
        isAdmin: false,
      },
      () => new Date(),
    )
    if (!('id' in other)) throw new Error(other.detail)
    await context.links.create(other.id, { originalUrl: 'https://example.com/hers' })
    const { data } = (await linnet.api('GET', '/admin/accounts')).body
    await linnet.api('DELETE', `/admin/accounts/${data[1].id}`)
    await linnet.settled()
    expect(types().slice(40)).toEqual([
      ...['account.created', 'link.created', 'link.deleted', 'account.deleted'],
    ])
    expect(heard[40]?.actor).toEqual({ kind: 'system' })
    expect(heard[41]?.actor).toEqual({ kind: 'plugin', feature: 'z.listener' })
    expect(heard[42]).toMatchObject({ accountId: other.id, after: null })
  })

  it('hears of accounts, tokens, sessions and tags', async () => {
    await start([listener(), 'developer.apiKeys', 'organization.tags'])
    await linnet.api('PATCH', '/profile', { fullName: 'Countess' })
    const made = await linnet.api('POST', '/api-tokens', { name: 'CI', scopes: ['links:read'] })
    const { id } = made.body.data
    await linnet.api('PATCH', `/api-tokens/${id}`, { name: 'Robot' })
    await linnet.api('DELETE', `/api-tokens/${id}`)
    const tag = (await linnet.api('POST', '/tags', { name: 'new' })).body.data
    await linnet.api('PATCH', `/tags/${tag.id}`, { name: 'old' })
    await linnet.api('DELETE', `/tags/${tag.id}`)
    await linnet.settled()
    expect(types()).toEqual([
      'session.created',
      'account.updated',
      ...['token.created', 'token.updated', 'token.deleted'],
      ...['tag.created', 'tag.updated', 'tag.deleted'],
    ])
    expect(heard[1]).toMatchObject({ changed: ['fullName'], after: { fullName: 'Countess' } })
    expect(heard[3]).toMatchObject({ changed: ['name'], before: { name: 'CI' } })
    expect(JSON.stringify(heard)).not.toContain(made.body.data.token)
    expect(heard[6]).toMatchObject({ before: { name: 'new' }, after: { name: 'old' } })
    expect(heard[6]?.changed).toContain('name')
  })

  it('learns who an account is, while there is one', async () => {
    await start([listener(['account'])])
    const { id: rowId } = await linnet.db
      .selectFrom('accounts')
      .select('id')
      .executeTakeFirstOrThrow()
    await linnet.api('PATCH', '/profile', { fullName: 'Ada' })
    await linnet.settled()
    const actors = heard.flatMap(({ actor }) => (actor.kind === 'account' ? [actor.accountId] : []))
    const ids = [...actors, rowId + 1]
    expect(ids).toEqual([rowId, rowId + 1])
    const { id, email } = (await linnet.api('GET', '/profile')).body.data
    const { accounts } = context.unstable
    expect(await accounts.find(ids)).toEqual([
      {
        ...{ accountId: rowId, id, email, fullName: 'Ada', plan: 'unlimited' },
        ...{ isAdmin: true, isSuspended: false },
      },
    ])
    expect(await accounts.find([])).toEqual([])
    await expect(accounts.find(Array.from({ length: 1_001 }, (_, it) => it))).rejects.toThrow(
      '1000',
    )
  })

  it('hears of settings and of plugins that are switched', async () => {
    await start([listener(), 'organization.tags', 'developer.apiKeys'])
    await linnet.api('PATCH', '/admin/features', { linkCreationEnabled: false })
    await linnet.api('PATCH', '/admin/plugins/organization.tags', { enabled: false })
    await vi.waitFor(() => expect(types()).toContain('plugins.updated'))
    const settings = heard.filter(({ type }) => type === 'settings.updated')
    expect(settings.map(({ changed }) => changed)).toEqual([['features'], ['plugins']])
    expect(settings[0]?.actor).toMatchObject({ kind: 'account', by: 'session' })
    const plugins = heard.find(({ type }) => type === 'plugins.updated')
    expect(plugins?.changed).toEqual(['organization.tags'])
  })
})

it('an event that a plugin waited for something about is gone before the next one comes', async () => {
  await start([listener(['link'])])
  failsWith = 'Away'
  for (const title of ['a', 'b', 'c']) await linnet.create({ title })
  await linnet.settled()
  const left: number[] = []
  const patient = definePlugin({
    feature: 'z.listener',
    about: 'Takes its time.',
    events: { kinds: ['link'], handle: async () => void left.push(await waiting()) },
  })
  linnet = await linnet.restart([patient])
  await linnet.settled()
  expect(left).toEqual([3, 2, 1])
  expect(await waiting()).toBe(0)
})

describe('what was changed', () => {
  it('is not told if the change is undone', async () => {
    await start([
      listener(['link']),
      definePlugin({
        feature: 'a.refusing',
        about: 'Refuses late.',
        fields: {},
        validate: () => undefined,
      }),
      'link.customShortCode',
    ])
    await linnet.create({ shortCode: 'a' })
    const refused = await linnet.api('POST', '/links', {
      ...{ originalUrl: 'https://example.com/', shortCode: 'a' },
    })
    expect(refused.status).toBe(409)
    await linnet.settled()
    expect(types()).toEqual(['link.created'])
  })

  it('is written for nobody while no plugin hears of it', async () => {
    await start([listener(['account'])])
    expect(isHeard(linnet.db, 'link')).toBe(false)
    await linnet.create()
    expect(await waiting()).toBe(0)
    linnet = await linnet.restart([])
    // With several servers, another one may have the plugin.
    linnet.at('2026-11-28T12:00:00Z')
    await linnet.run('events.dropOldest')
    expect(isHeard(linnet.db, 'account')).toBe(false)
    expect(await readListeners(linnet.db)).toEqual([])
    await linnet.create()
    linnet = await linnet.restart([listener(['link'])])
    await linnet.settled()
    expect(heard).toEqual([])
    await linnet.create()
    await linnet.settled()
    expect(types()).toEqual(['link.created'])
  })
})

describe('a kind of thing that a plugin hears of', () => {
  const teller = definePlugin({
    feature: 'a.notes',
    about: 'Tells of notes.',
    setup(its) {
      context = its as Context
    },
    unstable: { tells: ['note'] },
  })

  it('is refused when it is spelled wrong, with what was probably meant', async () => {
    const wrong = { links: 'link', acount: 'account', Token: undefined, 'link.created': undefined }
    for (const [kind, meant] of Object.entries(wrong)) {
      const why = meant ? `Did you mean ${meant}?` : 'has a wrong events.kinds'
      await expect(boot(listener([kind]))).rejects.toThrow(why)
    }
    await expect(boot([listener(['notes']), teller])).rejects.toThrow('Did you mean note?')
    await start([listener(['notes', 'weather'])])
    expect(linnet.log).toContain(
      'z.listener hears of notes, weather, of which no plugin that is on tells',
    )
  })

  it('is told of by the plugin that declares it, and by no other', async () => {
    await start([
      listener(['note', 'tag']),
      { ...teller, after: ['z.listener'] },
      'organization.tags',
    ])
    const told = () => ({ what: 'created', accountId: null, before: null, after: {} }) as const
    await context.unstable.tell('note', told)
    for (const kind of ['weather', 'link', 'tag']) {
      await expect(context.unstable.tell(kind, told)).rejects.toThrow('does not declare')
    }
    await linnet.api('POST', '/tags', { name: 'warm' })
    await linnet.settled()
    expect(types()).toEqual(['note.created', 'tag.created'])
    const ours = definePlugin({ ...teller, unstable: { tells: ['link'] } })
    await expect(boot(ours)).rejects.toThrow('of which only Linnet does')
  })
})

describe('a plugin that fails of an event', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  })
  afterEach(() => void vi.useRealTimers())

  const pluginsNow = async () =>
    JSON.parse((await linnet.visit('health/ready')).text).checks.plugins

  it('gets it again after growing pauses, before those behind it, and health says so', async () => {
    await start([listener(['link'])])
    failsWith = 'The other program is away'
    const first = await linnet.create()
    await linnet.create()
    await linnet.settled()
    expect(await pluginsNow()).toMatchObject({
      status: 'degraded',
      note: expect.stringContaining(
        'Events wait for z.listener, which failed of the next one: The other program is away. Failures in a row: 1.',
      ),
    })
    await vi.advanceTimersByTimeAsync(5_000)
    await linnet.settled()
    const [state] = await readListeners(linnet.db)
    expect(state?.failures).toBe(2)
    failsWith = undefined
    await vi.advanceTimersByTimeAsync(5_000)
    await linnet.settled()
    expect(heard).toEqual([])
    await vi.advanceTimersByTimeAsync(10_000)
    await linnet.settled()
    expect(types()).toEqual(['link.created', 'link.created'])
    expect(heard[0]?.after?.id).toBe(first.id)
    expect((await readListeners(linnet.db))[0]?.failures).toBe(0)
    expect(await pluginsNow()).toMatchObject({ note: null })
  })

  it('gets after a restart what waited for it', async () => {
    await start([listener(['link'])])
    failsWith = 'Away'
    await linnet.create()
    await linnet.settled()
    failsWith = undefined
    linnet = await linnet.restart([listener(['link'])])
    await linnet.settled()
    expect(types()).toEqual(['link.created'])
  })

  it('loses the oldest if too many wait, and is told how many', async () => {
    await start([listener(['link'])])
    failsWith = 'Away'
    for (let number = 0; number < 7; number += 1) await linnet.create({ title: `${number}` })
    await linnet.settled()
    const at = new Date('2026-11-26T13:00:00Z')
    const rows = await linnet.db.selectFrom('outbox').select('event').execute()
    // A little more than five of them, which are almost equally long.
    const most = Math.floor(5.5 * Math.max(...rows.map(({ event }) => event.length)))
    expect(await dropOldest(linnet.db, at, most)).toEqual(new Map([['z.listener', 2]]))
    expect(await dropOldest(linnet.db, at, most)).toEqual(new Map())
    await linnet.create({ title: '7' })
    expect(await dropOldest(linnet.db, at, most)).toEqual(new Map([['z.listener', 1]]))
    const { status, note } = await pluginsNow()
    expect(status).toBe('degraded')
    expect(note).toContain(
      'Events for z.listener were dropped, because more than 256 MiB waited: 3.',
    )
    failsWith = undefined
    linnet = await linnet.restart([listener(['link'])])
    await linnet.settled()
    expect(await pluginsNow()).toEqual({ status: 'ok', note: null })
    expect(types()[0]).toBe('events.lost')
    expect(heard[0]?.after).toEqual({ count: 3 })
    expect(heard.slice(1).map(({ after }) => after?.title)).toEqual(['3', '4', '5', '6', '7'])
  })
  it.each(['a few large ones', 'one that is too large'])(
    'loses the oldest if they have too many bytes: %s',
    async which => {
      await start([listener(['link'])])
      failsWith = 'Away'
      const notes = 'x'.repeat(2_000)
      for (let number = 0; number < 4; number += 1) {
        await linnet.create({ title: `${number}`, notes })
      }
      await linnet.settled()
      const at = new Date('2026-11-26T13:00:00Z')
      // Each of them has some 2,500 bytes.
      const most = which === 'a few large ones' ? 6_000 : 1_000
      const lost = which === 'a few large ones' ? 2 : 4
      expect(await dropOldest(linnet.db, at, most)).toEqual(new Map([['z.listener', lost]]))
      expect(await dropOldest(linnet.db, at, most)).toEqual(new Map())
      failsWith = undefined
      linnet = await linnet.restart([listener(['link'])])
      await linnet.settled()
      expect(types()[0]).toBe('events.lost')
      expect(heard[0]?.after).toEqual({ count: lost })
      expect(heard.slice(1).map(({ after }) => after?.title)).toEqual(['2', '3'].slice(lost - 2))
    },
  )
})

describe('a plugin that chooses what it hears of', () => {
  const choosing = () => ({ ...listener(['events']), unstable: { hears: 'chosen' as const } })

  it('hears of nothing at first, then of what it chose, and of what another says that there is', async () => {
    await start([choosing(), 'organization.tags'])
    await linnet.create()
    expect(context.unstable.kinds()).toEqual(expect.arrayContaining(['link', 'account', 'tag']))
    await context.unstable.hear(['tag', 'link'])
    await linnet.create()
    await linnet.api('POST', '/tags', { name: 'warm' })
    await context.unstable.hear(['tag'])
    expect(isHeard(linnet.db, 'link')).toBe(false)
    await linnet.create()
    await linnet.settled()
    expect(types()).toEqual(['link.created', 'tag.created'])
    await context.unstable.hear(['*'])
    await linnet.create()
    await linnet.settled()
    expect(types().at(-1)).toBe('link.created')
    expect(types()).toHaveLength(3)
  })

  it('keeps its choice over a restart, and loses it while it is off', async () => {
    await start([choosing()])
    await context.unstable.hear(['link'])
    linnet = await linnet.restart([choosing()])
    await linnet.create()
    await linnet.settled()
    expect(types()).toEqual(['link.created'])
    linnet = await linnet.restart([])
    linnet = await linnet.restart([choosing()])
    // Of several servers on one database, another may have had it all the time.
    const isShared = process.env.LINNET_TEST_DATABASE_URL !== undefined
    const kinds = (await readListeners(linnet.db)).map(({ kinds }) => kinds)
    expect(kinds).toEqual([isShared ? ['link'] : []])
  })

  it('chooses in the transaction that it is in, or not at all', async () => {
    await start([choosing()])
    const undone = linnet.db.transaction().execute(async tx => {
      await chooseKinds(tx, { feature: 'z.listener', kinds: ['link'] }, new Date())
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(isHeard(linnet.db, 'link')).toBe(false)
  })

  it('must say that it does', async () => {
    await start([listener(['link'])])
    await expect(context.unstable.hear(['tag'])).rejects.toThrow(
      'z.listener cannot choose what it hears of without events and unstable.hears.',
    )
    const odd = { ...listener(), unstable: { hears: 'all' } } as unknown as Plugin
    await expect(boot(odd)).rejects.toThrow("Write hears: 'chosen', or leave it out")
  })
})

describe('the address of the client', () => {
  const ip = '203.0.113.77'
  let seen: Event[]
  let unwilling: boolean

  /** Hears of links and sessions, and lets admins choose how much of addresses it has. */
  const asking = definePlugin({
    feature: 'z.asking',
    about: 'Asks for addresses.',
    settings: {
      keeps: choice(['none', 'network', 'whole'], { label: 'Addresses', default: 'none' }),
    },
    events: {
      kinds: ['link', 'session'],
      handle(event) {
        if (unwilling) throw new Error('not now')
        seen.push(event)
      },
    },
    unstable: { clientAddresses: 'keeps' },
  })
  const plugins = [asking, listener(['link', 'session']), 'developer.apiKeys']
  const keep = (keeps: string) =>
    linnet.api('PATCH', '/admin/plugins/z.asking', { settings: { keeps } })
  const addresses = (events: readonly Event[]) => events.map(({ actor }) => actor.address)
  const outbox = async () =>
    JSON.stringify(await linnet.db.selectFrom('outbox').selectAll().execute())

  /** Makes links at once, which are saved together, by a token that comes from these addresses. */
  async function createFrom(...ips: readonly string[]) {
    const made = await linnet.api('POST', '/api-tokens', { name: 'x', scopes: ['links:write'] })
    const headers = {
      authorization: `Bearer ${made.body.data.token}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ originalUrl: 'https://example.com/' })
    const answers = await Promise.all(
      ips.map(from => linnet.visit('api/v1/links', { method: 'POST', headers, body, ip: from })),
    )
    expect(answers.map(({ status }) => status)).toEqual(ips.map(() => 201))
    await linnet.settled()
  }

  beforeEach(async () => {
    seen = []
    unwilling = false
    await start(plugins)
  })

  it('is in no event and not stored while nobody wants it', async () => {
    unwilling = true
    failsWith = 'not now'
    await createFrom(ip)
    expect(await outbox()).toContain('link.created')
    expect(await outbox()).not.toContain('address')
    expect(await outbox()).not.toContain('203.0.113')
  })

  it.each([
    ['whole', [ip, '2001:db8:1:2::3']],
    ['network', ['203.0.113.0/24', '2001:db8:1::/48']],
  ])('is had by a plugin whose setting says so, as %s, and by no other', async (keeps, kept) => {
    await keep(keeps)
    unwilling = true
    failsWith = 'not now'
    await createFrom(ip, '2001:db8:1:2::3')
    const rows = await linnet.db.selectFrom('outbox').selectAll().execute()
    const written = rows.map(it => ({ ...it, event: JSON.parse(it.event) as Event }))
    const links = written.filter(it => it.event.type === 'link.created')
    const of = (feature: string) =>
      addresses(links.filter(it => it.feature === feature).map(it => it.event))
    expect(of('z.asking')).toEqual(kept)
    expect(of('z.listener')).toEqual([undefined, undefined])
    unwilling = false
    failsWith = undefined
    linnet = await linnet.restart(plugins)
    await linnet.settled()
    expect(addresses(seen.filter(it => it.type === 'link.created'))).toEqual(kept)
    expect(JSON.stringify(heard)).not.toContain('address')
  })

  it('is that of somebody who signs in, and not of what plugins do in the name of an account', async () => {
    await keep('whole')
    const bob = { email: 'bob@example.org', password: 'analytical engine' }
    await linnet.api('POST', '/admin/accounts', bob)
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const how = { method: 'POST', headers, body: JSON.stringify(bob), ip } as const
    expect((await linnet.visit('api/v1/session', how)).status).toBe(201)
    await context.unstable.callApi(linnet.account.rowId, 'POST', '/links', {
      original_url: 'https://example.com/',
    })
    await linnet.settled()
    const of = (type: string) => addresses(seen.filter(it => it.type === type))
    // The first one was made without a request.
    expect(of('session.created')).toEqual([undefined, ip])
    expect(of('link.created')).toEqual([undefined])
  })

  it('does not come once the setting says no, also where it was written before', async () => {
    await keep('whole')
    unwilling = true
    await createFrom(ip)
    expect(await outbox()).toContain(ip)
    await keep('none')
    unwilling = false
    linnet = await linnet.restart(plugins)
    await linnet.settled()
    expect(seen.map(it => it.type)).toContain('link.created')
    expect(JSON.stringify(seen)).not.toContain('address')
    await createFrom(ip)
    expect(JSON.stringify(seen)).not.toContain('address')
  })
})
