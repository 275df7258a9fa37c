import { describe, expect, onTestFinished, test } from 'vitest'
import { contract } from '../../../../../config/contract.ts'
import type { Account } from '../../../../../core/accounts/account.ts'
import { hashPassword } from '../../../../../core/lib/passwords.ts'
import { bootAll } from '../../../../api/whole-instance.ts'
import {
  addAccount,
  type allOn,
  countLinks,
  everyPlanFull,
  minute,
  planWith,
} from '../../../accounts/fixtures.ts'
import { anInstance } from '../instance.ts'

/** Sections 2.1 to 2.3 of the interface specification, key by key. */
const required = `
  avatarUrl                                 string or null
  createdAt                                 string or null
  email                                     string
  emailVerifiedAt                           string or null
  fullName                                  string or null
  id                                        string
  isAdmin                                   boolean
  updatedAt                                 string or null
  initials                                  string
  hasPassword                               boolean
  plan.slug                                 string
  plan.limits.maxLinksCreatedPerMonth       number
  plan.limits.maxTrackedVisitsPerMonth      number
  plan.organization.maxTags                 number
  plan.organization.maxCampaigns            number
  plan.analytics.visitsTracking             boolean
  plan.analytics.visitsFromQrCodesTracking  boolean
  plan.analytics.utmTracking                boolean
  plan.analytics.visitsByBrowser            boolean
  plan.analytics.visitsByOperatingSystem    boolean
  plan.analytics.visitsByDeviceType         boolean
  plan.analytics.visitsByLanguage           boolean
  plan.analytics.visitsByCountry            boolean
  plan.analytics.visitsByCity               boolean
  plan.analytics.visitsByReferer            boolean
  plan.analytics.visitsOverTime             boolean
  plan.link.customShortCode                 boolean
  plan.link.editShortCode                   boolean
  plan.link.editOriginalUrl                 boolean
  plan.link.linkExpiration                  boolean
  plan.link.passwordProtection              boolean
  plan.link.dynamicRouting                  boolean
  plan.developer.apiKeys                    boolean
  plan.usage.linksCreatedThisMonth          number
  plan.usage.visitsTrackedThisMonth         number
  plan.usage.tagsCount                      number
  plan.usage.campaignsCount                 number
  features.billingEnabled                   boolean
  features.linkCreationEnabled              boolean
  features.campaignCreationEnabled          boolean
  features.tagCreationEnabled               boolean
  features.redirectCacheEnabled             boolean
  features.visitTrackingEnabled             boolean
  features.urlScanningEnabled               boolean
  features.apiAccessEnabled                 boolean`

/** What section 2.2 lets a plan have besides. */
const optional = `
  plan.recommended                          boolean
  plan.recommendedPricing.monthly.amount    number
  plan.recommendedPricing.monthly.currency  string
  plan.recommendedPricing.yearly.amount     number
  plan.recommendedPricing.yearly.currency   string`

const nothingOn = Object.fromEntries(contract.flags.map(flag => [flag, false])) as typeof allOn

describe('the profile is what the contract says', () => {
  const price = { amount: 9.5, currency: 'EUR' }
  const priced = {
    ...planWith(true),
    recommended: true,
    recommendedPricing: { monthly: price, yearly: price },
  }
  const cases: readonly [string, Parameters<typeof anInstance>[0], Partial<Account>, string][] = [
    ['on the plan without limits', {}, {}, required],
    ['on the least plan', {}, { plan: 'free', fullName: 'Ada', isAdmin: true }, required],
    ['with nothing installed', { installed: new Map() }, {}, required],
    ['with everything off', { features: nothingOn }, { plan: 'free' }, required],
    [
      'on a plan with a price',
      { plans: { ...everyPlanFull, pro: priced } },
      { plan: 'pro' },
      required + optional,
    ],
  ]
  test.each(cases)('%s', async (_, given, account, keys) => {
    const { send, db, sessionOf } = await anInstance(given)
    const session = await sessionOf(await addAccount(db, account))
    const { status, body } = await send('GET', '/profile', { session })

    expect(status).toBe(200)
    expectContract(body, keys)
  })

  test('with every plugin of Linnet', async () => {
    const linnet = await bootAll()
    onTestFinished(() => linnet.stop())
    expectContract((await linnet.api('GET', '/profile')).body, required)
  })

  test('but for `extensions` of the plan, which has its name and the features beyond the contract', async () => {
    const installed = new Map([['acme.fortune', {}]])
    const { send, db, sessionOf } = await anInstance({ installed })
    const session = await sessionOf(await addAccount(db))
    const { body } = await send('GET', '/profile', { session })
    expect(body.data.plan.extensions).toEqual({
      name: 'Full',
      features: { 'acme.fortune': true },
    })
  })
})

/** A body with a profile that has these keys of the contract, each with its type, and `plan.extensions`, and no others. */
function expectContract({ data, ...rest }: { readonly data: Shown }, keys: string): void {
  expect(rest).toEqual({})
  const { extensions, ...plan } = data.plan
  expect(extensions).toEqual({ name: expect.any(String), features: expect.any(Object) })
  const expected = rowsOf(keys)
  const answered = Object.fromEntries(leaves({ ...data, plan }))
  expect(Object.keys(answered).sort()).toEqual(expected.map(([key]) => key).sort())
  for (const [key = '', type = ''] of expected) {
    expect([key, type.split(' or ')]).toEqual([key, expect.arrayContaining([answered[key]])])
  }
}

interface Shown {
  readonly plan: Readonly<Record<string, unknown>>
  readonly [part: string]: unknown
}

test('the profile shows the account, its usage and moments in UTC with milliseconds', async () => {
  const { send, db, clock, tokenOf } = await anInstance()
  const account = await addAccount(db, { email: 'ada@example.org', fullName: 'Ada Lovelace' })
  await countLinks(db, account.id, 10, 4, clock.now)
  const token = await tokenOf(account, ['profile:read'])
  const { body } = await send('GET', '/profile', { token })
  expect(body.data).toMatchObject({
    id: expect.stringMatching(/^acc_\w{8,}$/),
    email: 'ada@example.org',
    fullName: 'Ada Lovelace',
    initials: 'AL',
    isAdmin: false,
    hasPassword: false,
    emailVerifiedAt: null,
    createdAt: '2026-11-20T12:00:00.000Z',
    updatedAt: '2026-11-20T12:00:00.000Z',
    plan: {
      slug: 'unlimited',
      limits: { maxLinksCreatedPerMonth: 9007199254740991 },
      usage: {
        linksCreatedThisMonth: 4,
        visitsTrackedThisMonth: 0,
        tagsCount: 3,
        campaignsCount: 2,
      },
    },
  })
})

describe('who may read and change the profile', () => {
  const table = `
    credential    request  status  code
    nobody        GET      401     unauthenticated
    nobody        PATCH    401     unauthenticated
    nobody        DELETE   401     unauthenticated
    nonsense      GET      401     invalid_token
    profile:read  GET      200     -
    profile:read  PATCH    403     insufficient_scope
    profile:read  DELETE   403     insufficient_scope
    links:write   GET      403     insufficient_scope
    *             GET      200     -
    *             PATCH    200     -
    *             DELETE   204     -`
  test.each(rowsOf(table).slice(1))('%s: %s', async (credential = '', rest = '') => {
    const [method = '', status, code] = rest.split(/\s+/)
    const { send, db, tokenOf } = await anInstance()
    const account = await addAccount(db)
    const tokens: Record<string, string> = { nobody: '', nonsense: 'lnt_nonsense' }
    const token = tokens[credential] ?? (await tokenOf(account, [credential]))
    const body = method === 'PATCH' ? { body: { fullName: 'Ada' } } : {}
    const answer = await send(method, '/profile', { token, ...body })
    expect([answer.status, answer.body?.code ?? '-']).toEqual([Number(status), code])
    expect(answer.headers.has('www-authenticate')).toBe(status === '401' || status === '403')
  })

  test('a token of a plan without API keys: 403', async () => {
    const { send, db, tokenOf } = await anInstance()
    const token = await tokenOf(await addAccount(db, { plan: 'free' }))
    const { status, body } = await send('GET', '/profile', { token })
    expect([status, body.code]).toEqual([403, 'feature_not_in_plan'])
  })
})

describe('a change of the name', () => {
  test('answers with the four fields of the contract', async () => {
    const { send, db, sessionOf } = await anInstance()
    const account = await addAccount(db, { email: 'ada@example.org' })
    const session = await sessionOf(account)
    const body = { fullName: '  Ada Lovelace ' }
    const changed = await send('PATCH', '/profile', { session, body })
    expect(changed).toMatchObject({ status: 200 })
    expect(changed.body).toEqual({
      data: {
        email: 'ada@example.org',
        fullName: 'Ada Lovelace',
        id: expect.stringMatching(/^acc_/),
        initials: 'AL',
      },
    })
  })

  test.each([
    [{}, 'fullName'],
    [{ fullName: null }, 'fullName'],
    [{ fullName: 7 }, 'fullName'],
    [{ fullName: '   ' }, 'fullName'],
    [{ fullName: 'x'.repeat(101) }, 'fullName'],
    [{ fullName: 'Ada', email: 'eve@example.org' }, 'email'],
    [{ fullName: 'Ada', is_admin: true }, 'is_admin'],
  ])('%j is 422 and changes nothing', async (body, field) => {
    const { send, db, sessionOf } = await anInstance()
    const session = await sessionOf(await addAccount(db, { fullName: 'Before' }))
    const refused = await send('PATCH', '/profile', { session, body })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ field }] },
    })
    const { body: after } = await send('GET', '/profile', { session })
    expect(after.data).toMatchObject({ fullName: 'Before', isAdmin: false })
  })

  test('meant for an older version is 412', async () => {
    const { send, db, clock, sessionOf } = await anInstance()
    const session = await sessionOf(await addAccount(db))
    const old = (await send('GET', '/profile', { session })).headers.get('etag') ?? ''
    clock.advance(minute)
    const body = { fullName: 'Ada' }
    const headers = { 'if-match': old }
    expect(await send('PATCH', '/profile', { session, body, headers })).toMatchObject({
      status: 200,
    })
    expect(await send('PATCH', '/profile', { session, body, headers })).toMatchObject({
      status: 412,
    })
    expect(await send('DELETE', '/profile', { session, headers })).toMatchObject({ status: 412 })
  })
})

describe('deleting the account', () => {
  test('ends it, its sessions and its tokens, and forgets its links', async () => {
    const { send, db, forgotten, sessionOf, tokenOf } = await anInstance()
    const account = await addAccount(db)
    const [session, token] = [await sessionOf(account), await tokenOf(account)]
    expect(await send('DELETE', '/profile', { session })).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(forgotten).toEqual([account.id])
    expect(await send('GET', '/profile', { session })).toMatchObject({ status: 401 })
    expect(await send('GET', '/profile', { token })).toMatchObject({ status: 401 })
  })

  test('by a session takes the current password, by a token it does not', async () => {
    const { send, db, sessionOf, tokenOf, logged } = await anInstance()
    const passwordHash = await hashPassword('analytical engine')
    const account = await addAccount(db, { passwordHash })
    const [session, token] = [await sessionOf(account), await tokenOf(account)]
    for (const body of [undefined, {}, { current_password: 'a guess' }]) {
      expect(await send('DELETE', '/profile', { session, body })).toMatchObject({
        status: 422,
        body: { code: 'wrong_password' },
      })
    }
    expect(logged).toHaveLength(1)
    const right = { session, body: { currentPassword: 'analytical engine' } }
    expect((await send('GET', '/profile', { session })).status).toBe(200)
    expect((await send('DELETE', '/profile', right)).status).toBe(204)
    expect((await send('GET', '/profile', { token })).status).toBe(401)

    const another = await addAccount(db, { passwordHash })
    expect((await send('DELETE', '/profile', { token: await tokenOf(another) })).status).toBe(204)
  })

  test('is refused to the last admin', async () => {
    const { send, db, forgotten, sessionOf } = await anInstance()
    const session = await sessionOf(await addAccount(db, { isAdmin: true }))
    expect(await send('DELETE', '/profile', { session })).toMatchObject({
      status: 409,
      body: { code: 'last_admin' },
    })
    expect(forgotten).toEqual([])
  })
})

/** A key and the rest of its line. */
function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map(row => /^(\S+)\s+(.*)$/.exec(row.trim())?.slice(1) ?? [])
}

/** Every path of an object that does not lead to another object, with the type of what is there. */
function leaves(value: object, at = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]): [string, string][] =>
    typeof inner === 'object' && inner !== null
      ? leaves(inner, `${at}${key}.`)
      : [[at + key, inner === null ? 'null' : typeof inner]],
  )
}
