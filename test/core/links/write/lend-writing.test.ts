import { afterEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Context,
  definePlugin,
  endpoint,
  isRefusal,
  type LinkOwner,
  type LinkPast,
  refuse,
  text,
} from '../../../../core/plugin.ts'
import { boot, type Harness, type HarnessOptions } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

let context: Context
let caller: Caller
const heard: string[] = []

/** Hands out its context, and the caller of its endpoint. */
const writer = definePlugin({
  feature: 'a.writer',
  about: 'Writes links.',
  fields: { mood: text({ label: 'Mood', max: 10 }) },
  setup(its) {
    context = its as Context
    heard.length = 0
  },
  validate: ({ fields: { mood } }) =>
    mood === 'sad' ? refuse('too_sad', 'Cheer up.', 422, 'mood') : undefined,
  on: {
    created: ({ shortCode }) => void heard.push(`created ${shortCode}`),
    updated: ({ changed }) => void heard.push(`updated ${changed}`),
    deleted: ({ shortCode }) => void heard.push(`deleted ${shortCode}`),
  },
  endpoints: {
    'GET /caller': endpoint({
      summary: 'Be a caller',
      scope: 'links:read',
      handle(call) {
        caller = call.caller
        return undefined
      },
    }),
  },
})

async function start(options: HarnessOptions = {}) {
  linnet = await boot(
    [writer, 'developer.apiKeys', 'link.customShortCode', 'link.editOriginalUrl'],
    {
      at: '2026-11-26T12:00:00Z',
      ...options,
    },
  )
  return linnet.account.rowId
}
const to = (originalUrl: string, more = {}) => ({ originalUrl, ...more })
const shown = async (id: string) => (await linnet.api('GET', `/links/${id}`)).body.data
async function made(
  owner: LinkOwner,
  link: Parameters<Context['links']['create']>[1],
  past?: LinkPast,
) {
  const result = await context.links.create(owner, link, past)
  if (isRefusal(result)) throw new Error(`${result.code}: ${result.detail}`)
  return result
}

describe('links that a plugin writes', () => {
  it('are like those that the API writes, and listeners hear of them', async () => {
    const account = await start()
    const link = await made(account, to('https://example.com/a', { shortCode: 'a', mood: 'calm' }))
    expect(link).toMatchObject({ accountId: account, shortCode: 'a', title: null })
    expect(await shown(link.id)).toMatchObject({ shortCode: 'a', mood: 'calm' })
    const change = { original_url: 'https://example.com/b', title: 'B' }
    expect(await context.links.update(account, link.id, change)).toMatchObject({ title: 'B' })
    expect((await linnet.visit('a')).location).toBe('https://example.com/b')
    expect(await context.links.remove(account, link.id)).toMatchObject({ id: link.id, title: 'B' })
    expect((await linnet.visit('a')).status).toBe(404)
    await linnet.settled()
    expect(heard).toEqual(['created a', 'updated originalUrl,title', 'deleted a'])
  })

  it('count against the plan of their account', async () => {
    const account = await start({ plan: 'free' })
    const usage = async () =>
      (await linnet.api('GET', '/profile')).body.data.plan.usage.linksCreatedThisMonth
    await made(account, to('https://example.com/'))
    expect(await usage()).toBe(1)
    await linnet.stop()
    await start({
      plan: 'free',
      settings: { plans: { free: { limits: { maxLinksCreatedPerMonth: 0 } } } },
    })
    const refused = await context.links.create(account, to('https://example.com/'))
    expect(refused).toMatchObject({
      code: 'plan_limit_reached',
      status: 403,
      details: { limit: 0 },
    })
  })

  it('cannot be made while creating links is switched off', async () => {
    const account = await start({ settings: { features: { linkCreationEnabled: false } } })
    const refused = await context.links.create(account, to('https://example.com/'))
    expect(refused).toMatchObject({ code: 'feature_disabled', status: 403 })
  })
})

describe('what is refused', () => {
  it('has the code of the API and the name of the field', async () => {
    const account = await start()
    await made(account, to('https://example.com/', { shortCode: 'a' }))
    const { create, update, remove } = context.links
    const code = async (work: Promise<object>) => {
      const { code, field, status, errors } = (await work) as {
        [key in 'code' | 'field' | 'status' | 'errors']: unknown
      }
      return {
        code,
        status,
        ...(field !== undefined && { field }),
        ...(errors !== undefined && { errors }),
      }
    }
    const again = to('https://example.com/', { shortCode: 'a' })
    expect(await code(create(account, again))).toEqual({
      ...{ code: 'short_code_taken', status: 409, field: 'shortCode' },
    })
    expect(await code(create(account, { original_url: 'ftp://x', moot: 1 }))).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'original_url' }, { field: 'moot', code: 'unknown_field' }],
    })
    expect(await code(create(account, to('https://example.com/', { mood: 'sad' })))).toEqual({
      ...{ code: 'too_sad', status: 422, field: 'mood' },
    })
    const none = { code: 'not_found', status: 404 }
    expect(await code(create(account + 1, again))).toEqual(none)
    expect(await code(update(account, 'lnk_none', { title: 'x' }))).toEqual(none)
    expect(await code(remove(account, 'lnk_none'))).toEqual(none)
  })

  it('is what the plan does not include', async () => {
    const account = await start({
      plan: 'free',
      settings: { plans: { free: { link: { customShortCode: false } } } },
    })
    const refused = await context.links.create(account, to('https://e.org/', { shortCode: 'a' }))
    expect(refused).toMatchObject({ code: 'feature_not_in_plan', status: 403 })
  })

  it("is what the scopes of a caller's token do not cover", async () => {
    await start()
    await linnet.api('GET', '/caller')
    const link = await made(caller, to('https://example.com/'))
    const token = await context.unstable.tokens.create(caller, {
      ...{ name: 'Reader', scopes: ['links:read'], expiresAt: null },
    })
    if (isRefusal(token)) throw new Error(token.detail)
    await linnet.api('GET', '/caller', undefined, { authorization: `Bearer ${token.token}` })
    expect(await context.links.update(caller, link.id, { title: 'x' })).toMatchObject({
      ...{ code: 'insufficient_scope', status: 403, details: { requiredScope: 'links:write' } },
    })
    await expect(context.links.remove({ ...caller }, link.id)).rejects.toThrow('not a copy')
  })

  it('is a link of another account', async () => {
    const account = await start()
    const link = await linnet.create()
    await linnet.api('POST', '/admin/accounts', {
      ...{ email: 'b@example.com', password: 'a long password of hers', plan: 'free' },
    })
    const refused = await context.links.remove(account + 1, link.id)
    expect(refused).toMatchObject({ code: 'not_found' })
    expect((await linnet.visit(link)).status).toBe(302)
  })
})

describe('what a link brings from elsewhere', () => {
  it('is its dates, and codes that lead to it too', async () => {
    const account = await start()
    const createdAt = new Date('2019-03-01T08:00:00Z')
    const updatedAt = new Date('2020-01-01T00:00:00Z')
    const past = { createdAt, updatedAt, formerCodes: ['old', 'older'] }
    const link = await made(account, to('https://example.com/', { shortCode: 'new' }), past)
    expect(await shown(link.id)).toMatchObject({
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    })
    for (const code of ['new', 'old', 'older']) {
      expect((await linnet.visit(code)).location).toBe('https://example.com/')
    }
    const former = await context.unstable.links.formerCodes([link])
    expect(former.get(link.rowId)?.toSorted()).toEqual(['old', 'older'])
  })

  it('is refused as a whole if a part of it cannot be', async () => {
    const account = await start()
    await made(account, to('https://example.com/', { shortCode: 'taken' }))
    const field = async (past: LinkPast) => {
      const link = to('https://example.com/b', { shortCode: 'b' })
      const refused = await context.links.create(account, link, past)
      return isRefusal(refused) && (refused.field ?? refused.errors?.map(it => it.field).join())
    }
    expect(await field({ formerCodes: ['free', 'taken'] })).toBe('formerCodes[1]')
    expect(await field({ formerCodes: ['api'] })).toBe('formerCodes[0]')
    expect(await field({ formerCodes: ['a b'] })).toBe('formerCodes[0]')
    // Whose plan does not let them choose a short code cannot choose former ones instead.
    const codeless = await context.links.create(account, to('https://example.com/b'), {
      formerCodes: ['free'],
    })
    expect(codeless).toMatchObject({ status: 422, field: 'formerCodes' })
    expect(await field({ createdAt: new Date('2026-11-26T12:00:01Z') })).toBe('createdAt')
    expect(await field({ createdAt: new Date('x') })).toBe('createdAt')
    const backwards = { createdAt: new Date('2020-01-02'), updatedAt: new Date('2020-01-01') }
    expect(await field(backwards)).toBe('updatedAt')
    expect((await linnet.visit('free')).status).toBe(404)
    expect((await linnet.api('GET', '/links')).body.meta.total).toBe(1)
  })
})

it('a link cannot be written where a transaction is open, and in the first set-up', async () => {
  const failed: unknown[] = []
  const early = definePlugin({
    feature: 'b.early',
    about: 'Writes links where that is too early.',
    fields: { tone: text({ label: 'Tone', stored: false }) },
    setup: async ({ links }) => {
      await links.create(1, to('https://example.com/')).catch(error => failed.push(error.message))
    },
    save: async (_, __, { links }) => {
      await links.create(1, to('https://example.com/')).catch(error => failed.push(error.message))
      return undefined
    },
  })
  linnet = await boot([early])
  await linnet.create({ tone: 'low' })
  expect(failed).toEqual(['No plugins run yet.', expect.stringContaining('is a transaction')])
})
