import { afterEach, describe, expect, it } from 'vitest'
import {
  type Context,
  definePlugin,
  endpoint,
  isRefusal,
  readPublicId,
  refuse,
  z,
} from '../../../../core/plugin.ts'
import { boot, type Harness, type HarnessOptions, type ShownLink } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

let context: Context
const heard: string[] = []
let blocked = ''
let hosts: readonly string[] = []

/** Has rows of its own about links, with bytes in them, and hears of all that happens. */
const shelf = definePlugin({
  feature: 'a.shelf',
  about: 'Keeps things beside links.',
  migrations: {
    '1': async ({ schema }) => {
      await schema
        .createTable('a_shelf')
        .addColumn('link_id', 'bigint', c => c.notNull().references('links.id').onDelete('cascade'))
        .addColumn('picture', 'blob')
        .addColumn('note', 'text')
        .execute()
    },
  },
  setup(its) {
    context = its as Context
    heard.length = 0
    blocked = ''
    hosts = []
  },
  prepare: ({ kind }) => (kind === 'create' && hosts[0] ? { domain: hosts[0] } : undefined),
  validate: ({ addresses }) =>
    addresses.some(({ url }) => url === blocked)
      ? refuse('blocked', 'It is harmful.', 403)
      : undefined,
  unstable: {
    hosts: () => hosts.map(name => ({ name, accountId: 1, rootUrl: null, notFoundUrl: null })),
  },
  endpoints: {
    'POST /shelf': endpoint({
      summary: 'Look for hosts again',
      scope: 'links:write',
      answer: z.strictObject({ data: z.null() }),
      handle: () => ({ data: null }),
    }),
  },
  on: {
    created: ({ shortCode }) => void heard.push(`on.created ${shortCode}`),
    deleted: ({ shortCode }) => void heard.push(`on.deleted ${shortCode}`),
  },
  events: {
    kinds: ['link'],
    async handle({ type, before, after }) {
      heard.push(`${type} ${before ? 'before' : ''}${after ? 'after' : ''}`)
    },
  },
})

async function start(options: HarnessOptions = {}) {
  linnet = await boot(
    [
      shelf,
      ...['analytics.visitsTracking', 'analytics.visitsOverTime', 'analytics.uniqueVisitors'],
      ...['link.customShortCode', 'link.editShortCode', 'link.passwordProtection'],
      ...['link.linkExpiration', 'organization.tags', 'organization.campaigns'],
    ],
    { at: '2026-11-26T12:00:00Z', ...options },
  )
}

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Firefox/120.0' }
const api = async (method: string, path: string, body?: unknown) => linnet.api(method, path, body)
const data = async (path: string) => (await api('GET', path)).body.data
const visit = (code: string) => linnet.visit(code, { headers: browser, ip: '192.0.2.1' })
const remove = async ({ id }: Pick<ShownLink, 'id'>) =>
  expect((await api('DELETE', `/links/${id}`)).status).toBe(204)
const restore = ({ id }: Pick<ShownLink, 'id'>) => api('POST', `/links/${id}/restore`)

/** A link with something of everything. */
async function rich(): Promise<ShownLink> {
  const tag = (await api('POST', '/tags', { name: 'a' })).body.data.id
  const campaign = (await api('POST', '/campaigns', { name: 'b' })).body.data.id
  const made = await linnet.create({
    ...{
      shortCode: 'spring',
      title: 'Spring',
      notes: 'Mind the gap.',
      originalUrl: 'https://a.org/',
    },
    ...{ tagIds: [tag], campaignId: campaign, maxVisits: 5, password: 'secret' },
  })
  await api('PATCH', `/links/${made.id}`, { shortCode: 'summer', password: null })
  await linnet.db
    .insertInto('a_shelf' as never)
    .values({
      link_id: rowOf(made),
      picture: Buffer.of(0, 255, 7),
      note: '{"bytes":"no"}',
    } as never)
    .execute()
  expect((await visit('spring')).status).toBe(302)
  expect((await visit('summer')).status).toBe(302)
  return made
}
const rowOf = ({ id }: Pick<ShownLink, 'id'>) => readPublicId('lnk', id)

async function everythingOf({ id }: Pick<ShownLink, 'id'>) {
  const { updatedAt: _, ...link } = await data(`/links/${id}`)
  return {
    link,
    ofLink: await data(`/links/${id}/analytics?interval=7d`),
    ofAccount: await data('/analytics?interval=7d'),
    campaigns: await data('/campaigns'),
    tags: (await data('/tags')).map((it: { linksCount: number }) => it.linksCount),
    found: (await data('/links?search=gap')).length,
    shelf: await linnet.db
      .selectFrom('a_shelf' as never)
      .selectAll()
      .execute(),
  }
}

describe('a link that is restored', () => {
  it('has all that it had, and what it was counted for', async () => {
    await start()
    await linnet.create({ shortCode: 'other' })
    await visit('other')
    const link = await rich()
    const before = await everythingOf(link)
    expect(before).toMatchObject({ link: { visits: { total: 2 } }, found: 1, tags: [1] })
    await remove(link)
    expect(await data('/analytics?interval=7d')).toMatchObject({ totals: { visits: 1 } })
    expect(await data('/campaigns')).toMatchObject([{ linksCount: 0, visits: 0 }])
    const restored = await restore(link)
    expect(restored.status).toBe(200)
    expect(restored.body.data).toMatchObject({ id: link.id, shortCode: 'summer' })
    expect(await everythingOf(link)).toEqual(before)
    for (const code of ['spring', 'summer']) {
      expect((await visit(code)).location).toBe('https://a.org/')
    }
    // Four of five visits are used up now.
    expect((await visit('summer')).status).toBe(302)
    expect((await visit('summer')).status).toBe(410)
    expect((await data(`/links/${link.id}`)).visits.total).toBe(5)
    expect(await linnet.db.selectFrom('deleted_links').selectAll().execute()).toEqual([])
  })

  it('is in no list, number or search while it is deleted, and its code is free', async () => {
    await start()
    const link = await rich()
    await remove(link)
    expect((await api('GET', '/links')).body).toMatchObject({ data: [], meta: { total: 0 } })
    expect(await data('/links?search=gap')).toEqual([])
    expect((await api('GET', `/links/${link.id}`)).status).toBe(404)
    expect((await api('GET', `/links/${link.id}/analytics`)).status).toBe(404)
    expect((await visit('spring')).status).toBe(404)
    expect(await data('/links/short-codes?short_codes=spring')).toMatchObject([{ isFree: true }])
    expect(await data('/analytics/links?interval=all')).toMatchObject({ visits: 0, links: [] })
    const list = (await api('GET', '/links/deleted')).body
    expect(list).toMatchObject({
      data: [
        {
          ...{ id: link.id, shortCode: 'summer', originalUrl: 'https://a.org/', title: 'Spring' },
          ...{ visits: 2, deletedAt: '2026-11-26T12:00:00.000Z' },
          keptUntil: '2026-12-26T12:00:00.000Z',
        },
      ],
      meta: { total: 1 },
    })
  })

  it('is told of, and is one that listeners hear of as made', async () => {
    await start()
    const link = await linnet.create({ shortCode: 'a' })
    await remove(link)
    await restore(link)
    await linnet.settled()
    expect(heard.filter(it => it.startsWith('link.'))).toEqual([
      ...['link.created after', 'link.deleted before', 'link.restored after'],
    ])
    expect(heard.filter(it => it.startsWith('on.'))).toEqual([
      ...['on.created a', 'on.deleted a', 'on.created a'],
    ])
  })

  it('keeps former codes that are free, and is refused if its own is not', async () => {
    await start()
    const link = await rich()
    await remove(link)
    const next = await linnet.create({ shortCode: 'summer' })
    expect(await restore(link)).toMatchObject({ status: 409, body: { code: 'short_code_taken' } })
    expect((await api('GET', '/links/deleted')).body.meta.total).toBe(1)
    expect((await api('GET', `/links/${link.id}`)).status).toBe(404)
    await remove(next)
    await linnet.create({ shortCode: 'spring', originalUrl: 'https://b.org/' })
    expect((await restore(link)).status).toBe(200)
    expect((await visit('spring')).location).toBe('https://b.org/')
    expect((await visit('summer')).location).toBe('https://a.org/')
  })

  it('comes without what is gone by then', async () => {
    await start()
    const link = await rich()
    await remove(link)
    const [{ id: tag }] = await data('/tags')
    await api('DELETE', `/tags/${tag}`)
    expect((await restore(link)).body.data).toMatchObject({ tags: [], campaign: { name: 'b' } })
  })

  it('can be deleted and restored again and again, with new visits in between', async () => {
    await start()
    const link = await linnet.create({ shortCode: 'a' })
    for (let visits = 1; visits <= 4; visits += 1) {
      await visit('a')
      await remove(link)
      expect((await data('/analytics')).totals).toMatchObject({ visits: 0 })
      const restored = (await restore(link)).body.data
      expect(restored.visits.total).toBe(visits)
      expect((await data('/analytics')).totals).toMatchObject({ visits })
    }
  })

  it('is there once, however many ask for it, and asking again changes nothing', async () => {
    await start()
    const link = await linnet.create({ shortCode: 'a' })
    await visit('a')
    await remove(link)
    const all = await Promise.all(Array.from({ length: 5 }, () => restore(link)))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await data('/analytics')).totals.visits).toBe(1)
    const { version } = await linnet.db
      .selectFrom('links')
      .select('version')
      .executeTakeFirstOrThrow()
    expect((await restore(link)).status).toBe(200)
    expect(await linnet.db.selectFrom('links').select('version').execute()).toEqual([{ version }])
  })

  it('may be refused by plugins, and where no links may be made', async () => {
    await start()
    const link = await linnet.create({
      originalUrl: 'https://bad.example/',
      expiredUrl: 'https://worse.example/',
    })
    await remove(link)
    for (blocked of ['https://bad.example/', 'https://worse.example/']) {
      expect(await restore(link)).toMatchObject({ status: 403, body: { code: 'blocked' } })
    }
    blocked = ''
    await api('PATCH', '/admin/features', { linkCreationEnabled: false })
    expect(await restore(link)).toMatchObject({ status: 403, body: { code: 'feature_disabled' } })
    await api('PATCH', '/admin/features', { linkCreationEnabled: true })
    expect((await restore(link)).status).toBe(200)
  })

  it('stays deleted while its host is none of the account', async () => {
    await start()
    hosts = ['links.example.org']
    await api('POST', '/shelf')
    const link = await linnet.create({ shortCode: 'on-host' })
    await remove(link)
    hosts = []
    await api('POST', '/shelf')
    expect(await restore(link)).toMatchObject({
      ...{ status: 422, body: { errors: [{ field: 'domain' }] } },
    })
    hosts = ['links.example.org']
    await api('POST', '/shelf')
    expect((await restore(link)).body.data).toMatchObject({ domain: 'links.example.org' })
  })

  it('can be restored by a plugin, for its account alone', async () => {
    await start()
    const link = await linnet.create({ shortCode: 'a' })
    await context.links.remove(linnet.account.rowId, link.id)
    const elsewhere = await context.links.restore(linnet.account.rowId + 1, link.id)
    expect(isRefusal(elsewhere) && elsewhere.code).toBe('not_found')
    expect(await context.links.restore(linnet.account.rowId, link.id)).toMatchObject({
      ...{ id: link.id, shortCode: 'a' },
    })
    const none = await context.links.restore(linnet.account.rowId, 'lnk_none')
    expect(isRefusal(none) && none.status).toBe(404)
  })
})

describe('a deleted link is gone for good', () => {
  const leftOvers = async () => {
    await data('/analytics')
    const { db } = linnet
    return [
      ...(await db.selectFrom('deleted_links').select('id').execute()),
      ...(await db.selectFrom('link_counts').select('owner_id').execute()),
      ...(await db.selectFrom('link_sketches').select('link_id').execute()),
      ...(await db.selectFrom('counts_to_remove').select('id').execute()),
      ...(await db.selectFrom('account_counts').select('owner_id').execute()),
    ]
  }

  it('in the night after its time, and not before', async () => {
    await start()
    const link = await rich()
    await remove(link)
    linnet.at('2026-12-26T11:00:00Z')
    await linnet.run('links.forgetDeleted')
    expect((await api('GET', '/links/deleted')).body.meta.total).toBe(1)
    linnet.at('2026-12-26T13:00:00Z')
    await linnet.run('links.forgetDeleted')
    expect((await restore(link)).status).toBe(404)
    expect(await leftOvers()).toEqual([])
    const { code } = await linnet.db
      .selectFrom('short_codes')
      .select('code')
      .where('code', '=', 'spring')
      .executeTakeFirstOrThrow()
    expect(code).toBe('spring')
  })

  it('when its owner says so', async () => {
    await start()
    const link = await rich()
    await remove(link)
    expect((await api('DELETE', `/links/deleted/${link.id}`)).status).toBe(204)
    expect((await api('DELETE', `/links/deleted/${link.id}`)).status).toBe(404)
    expect((await restore(link)).status).toBe(404)
    expect(await leftOvers()).toEqual([])
  })

  it('with its account', async () => {
    await start()
    const { id: admin } = linnet.account
    const made = await api('POST', '/admin/accounts', {
      ...{ email: 'b@example.com', password: 'a long password of hers', plan: 'unlimited' },
    })
    const account = (
      await linnet.db
        .selectFrom('accounts')
        .select('id')
        .where('email', '=', 'b@example.com')
        .executeTakeFirstOrThrow()
    ).id
    const link = await context.links.create(
      account,
      { originalUrl: 'https://a.org/' },
      {
        visits: { undated: 5, counts: [{ at: '2024-05-03', visits: 2 }] },
      },
    )
    if (isRefusal(link)) throw new Error(link.detail)
    await data('/analytics')
    await context.links.remove(account, link.id)
    expect(admin).not.toBe(made.body.data.id)
    expect((await api('DELETE', `/admin/accounts/${made.body.data.id}`)).status).toBe(204)
    expect(await leftOvers()).toEqual([])
  })

  it('at once where none are kept', async () => {
    await start({ deletedDays: 0 })
    const link = await rich()
    await remove(link)
    expect((await restore(link)).status).toBe(404)
    expect(await leftOvers()).toEqual([])
  })
})

it('the counts of a deleted link age with all others', async () => {
  await start()
  const link = await linnet.create({ shortCode: 'a' })
  await visit('a')
  linnet.at('2026-11-26T17:00:00Z')
  await visit('a')
  await remove(link)
  linnet.at('2027-02-26T12:00:00Z')
  await linnet.run('visits.tidyCounts')
  await linnet.run('visits.tidyCounts')
  await restore(link)
  const { visitsOverTime } = await data(
    `/links/${link.id}/analytics?from=2026-11-26&to=2026-11-27&granularity=day`,
  )
  expect(visitsOverTime).toMatchObject([{ visits: 2 }])
  expect((await data('/analytics?from=2026-11-26&to=2026-11-27')).totals.visits).toBe(2)
})
