import { describe, expect, test } from 'vitest'
import { suspendAccount } from '../../../../core/accounts/access/suspend-account.ts'
import { findAccount } from '../../../../core/accounts/accounts.ts'
import { publicId } from '../../../../core/lib/public-id.ts'
import {
  definePlugin,
  type Identified,
  type Plugin,
  type Returned,
} from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'
import { addAccount } from '../../accounts/add-account.ts'
import { browser, codes, email, sessionIn, traveller, withBob } from './signing-in.ts'

const issuer = 'https://login.example.org'
const verified = { issuer, subject: '7', email: 'BOB@example.org', isEmailVerified: true }

/** A company's sign-in server, which names whomever the test says. */
function company(who: Identified | (() => unknown) = verified) {
  const came: Returned[] = []
  const plugin = definePlugin({
    feature: 'acme.company',
    about: 'Sign in with the company.',
    translations: { de: { 'Company account': 'Firmenkonto' } },
    unstable: {
      providers: {
        work: {
          label: 'Company account',
          begin: ({ state, isProof }) => ({
            redirect: `${issuer}/authorize?state=${state}&prompt=${isProof ? 'login' : 'none'}`,
            keep: { verifier: 'v' },
          }),
          finish(returned) {
            came.push(returned)
            return (typeof who === 'function' ? who() : who) as Identified
          },
        },
      },
    },
  })
  return { plugin, came }
}

async function withCompany(who?: Identified | (() => unknown), more: readonly Plugin[] = []) {
  const { plugin, came } = company(who)
  return { ...(await withBob([plugin, ...more])), came }
}

/** There and back; gives where that led and the session that it opened. */
async function signIn(linnet: Harness, session = '', query = '') {
  const away = traveller(linnet, session)
  const { state } = await away.go(query)
  const back = await away.back(state)
  return { ...back, session: sessionIn(back) }
}

const profileOf = async (linnet: Harness, session: string) =>
  (await browser(linnet, session).send('GET', '/profile')).body.data

describe('a provider', () => {
  test('is shown with its name in the language of the browser', async () => {
    const { linnet } = await withCompany()
    const shown = await browser(linnet).send('GET', '/session', undefined, {
      'accept-language': 'de',
    })
    expect(shown.body.data.providers).toEqual([
      {
        ...{ feature: 'acme.company', name: 'work', label: 'Firmenkonto' },
        url: '/api/v1/session/with/acme.company/work',
      },
    ])
    expect(
      (await browser(await linnet.restart([])).send('GET', '/session')).body.data.providers,
    ).toEqual([])
  })

  test('gets the browser with a state, and back what it kept and was told', async () => {
    const { linnet, came } = await withCompany({ ...verified, match: 'verifiedEmail' })
    const away = traveller(linnet)
    const { status, location, cookie, state, headers } = await away.go()
    expect([status, location]).toEqual([303, `${issuer}/authorize?state=${state}&prompt=none`])
    expect(state).toMatch(/^[\w-]{43}$/)
    expect(headers['set-cookie']).toMatch(
      /^__Host-linnet-away=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect(cookie).not.toContain(state)
    await away.back(state, undefined, '&code=2&iss=https%3A%2F%2Flogin.example.org&session_state=s')
    expect(came).toEqual([
      {
        query: { code: '1', state, iss: issuer, session_state: 's' },
        keep: { verifier: 'v' },
        returnUrl: 'https://go.example.org/api/v1/session/from/acme.company/work',
      },
    ])
  })

  test('opens a session that says so, and ends the one before', async () => {
    const { linnet, account } = await withCompany({
      ...verified,
      match: 'verifiedEmail',
      methods: ['otp'],
    })
    const first = await signIn(linnet)
    expect([first.status, first.location]).toEqual([303, '/'])
    expect(await profileOf(linnet, first.session)).toMatchObject({
      email: account.email,
      emailVerifiedAt: '2026-11-20T12:00:00.000Z',
    })
    const second = await signIn(linnet, first.session)
    const { body } = await browser(linnet, second.session).send('GET', '/sessions')
    expect(body.data).toMatchObject([{ methods: ['fed', 'otp'], isCurrent: true }])
  })

  test.each([
    ['/links?tag=a#b', '/links?tag=a#b'],
    ['/dashboard/../links', '/links'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/.//evil.example/', '/'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/\t/evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
  ])('goes on to %j as %j', async (next, led) => {
    const { linnet } = await withCompany({ ...verified, match: 'verifiedEmail' })
    const { location } = await signIn(linnet, '', `?next=${encodeURIComponent(next)}`)
    expect(location).toBe(led)
  })

  test('gets what it kept back beside a long path, in a cookie that browsers take', async () => {
    const { linnet } = await withCompany({ ...verified, match: 'verifiedEmail' })
    const next = `/${'ä'.repeat(166)}`
    const away = traveller(linnet)
    const { headers, state } = await away.go(`?next=${encodeURIComponent(next)}`)
    expect(String(headers['set-cookie']).length).toBeLessThan(4_096 - 1_500)
    expect((await away.back(state)).location).toBe(encodeURI(next))
    expect((await signIn(linnet, '', `?next=/${'a'.repeat(1_000)}`)).location).toBe('/')
  })

  test('is not found where there is none of this name', async () => {
    const { linnet } = await withCompany()
    for (const path of ['with/acme.company/home', 'from/acme.other/work']) {
      expect((await browser(linnet).send('GET', `/session/${path}`)).status).toBe(404)
    }
  })

  test('is asked at most three hundred times a minute by one client', async () => {
    const { linnet } = await withCompany()
    for (let n = 0; n < 300; n += 1) expect((await traveller(linnet).go()).status).toBe(303)
    expect((await traveller(linnet).go()).status).toBe(429)
  })
})

describe('nobody is signed in', () => {
  const expired = '/?problem=sign_in_expired'

  test('by what another browser began', async () => {
    const { linnet, came } = await withCompany({ ...verified, match: 'verifiedEmail' })
    const evil = await traveller(linnet).go()
    const victim = traveller(linnet)
    expect(await victim.back(evil.state, '')).toMatchObject({ status: 303, location: expired })
    const own = await victim.go()
    for (const [state, cookie] of [
      [evil.state, own.cookie],
      [own.state, evil.cookie],
      ['', own.cookie],
      [own.state, own.cookie.slice(0, -2)],
    ] as const) {
      const back = await victim.back(state, cookie)
      expect([back.location, sessionIn(back)]).toEqual([expired, ''])
    }
    expect(came).toEqual([])
    expect((await victim.back(own.state)).location).toBe('/')
  })

  test('by coming back a second time', async () => {
    const { linnet, came } = await withCompany({ ...verified, match: 'verifiedEmail' })
    const away = traveller(linnet)
    const { state } = await away.go()
    expect((await away.back(state)).location).toBe('/')
    expect((await away.back(state)).location).toBe(expired)
    expect(came).toHaveLength(1)
  })

  test('by coming back after ten minutes', async () => {
    const { linnet } = await withCompany({ ...verified, match: 'verifiedEmail' })
    const away = traveller(linnet)
    const { state } = await away.go()
    linnet.at('2026-11-20T12:10:01Z')
    expect((await away.back(state)).location).toBe(expired)
  })

  test('by what was begun at another provider', async () => {
    const other = { ...company().plugin, feature: 'acme.other' as const }
    const { linnet } = await withCompany({ ...verified, match: 'verifiedEmail' }, [other])
    const { state, cookie } = await traveller(linnet).go()
    const from = 'api/v1/session/from/acme.other/work'
    const back = await linnet.visit(from, { query: `?state=${state}`, headers: { cookie } })
    expect(back.location).toBe(expired)
  })

  test.each<[string, () => unknown, string]>([
    [
      'a refusal',
      () => ({ kind: 'refuse', code: 'not_in_team', detail: 'x', status: 403 }),
      'not_in_team',
    ],
    [
      'a code that is none',
      () => ({ kind: 'refuse', code: '<b>', detail: 'x', status: 403 }),
      'sign_in_failed',
    ],
    ['a throw', () => Promise.reject(new Error('secret of the provider')), 'sign_in_failed'],
    ['nothing', () => undefined, 'sign_in_failed'],
    ['an account without a subject', () => ({ issuer }), 'sign_in_failed'],
    ['a subject with a NUL', () => ({ issuer, subject: 'a\0b' }), 'sign_in_failed'],
    [
      'a plan that there is not',
      () => ({ ...verified, create: { plan: 'gold' } }),
      'sign_in_failed',
    ],
  ])('by %s, and only a code is shown', async (_, who, problem) => {
    const { linnet } = await withCompany(who)
    const { location, text, session } = await signIn(linnet)
    expect([location, text, session]).toEqual([`/?problem=${problem}`, '', ''])
  })
})

describe('the account of somebody whom a provider names', () => {
  const match = { match: 'verifiedEmail' } as const
  const create = { create: {} }

  test.each<[string, Partial<Identified>]>([
    ['with neither match nor create', {}],
    ['with an address that nobody verified', { ...match, ...create, isEmailVerified: false }],
    ['without saying that it is verified', { ...match, ...create, isEmailVerified: undefined }],
    ['by create alone where somebody has the address', create],
    ['without an address', { ...match, ...create, email: undefined }],
    ['with what is no address', { ...match, ...create, email: 'bob' }],
  ] as [string, Partial<Identified>][])('is never taken over %s', async (_, more) => {
    const who = JSON.parse(JSON.stringify({ ...verified, ...more })) as Identified
    const { linnet } = await withCompany(who)
    const { location, session } = await signIn(linnet)
    expect([location, session]).toEqual(['/?problem=no_account', ''])
    expect(await linnet.db.selectFrom('identities').selectAll().execute()).toEqual([])
  })

  test('is found by its identity from then on, whatever address it has there', async () => {
    let who: Identified = { ...verified, ...match }
    const { linnet, account } = await withCompany(() => who)
    await signIn(linnet)
    who = { issuer, subject: '7', email: 'eve@example.org' }
    expect(await profileOf(linnet, (await signIn(linnet)).session)).toMatchObject({ email })
    const rows = await linnet.db.selectFrom('identities').selectAll().execute()
    expect(rows).toMatchObject([{ issuer, subject: '7', account_id: account.id }])
  })

  test('is not given to the next person at the provider who gets its address', async () => {
    let who: Identified = { ...verified, ...match }
    const { linnet } = await withCompany(() => who)
    await signIn(linnet)
    who = { ...verified, ...match, ...create, subject: '8' }
    expect((await signIn(linnet)).location).toBe('/?problem=no_account')
  })

  test('is made with a verified address, once, without a password', async () => {
    const new_ = { issuer, subject: '9', email: 'New@example.org', isEmailVerified: true }
    const { linnet } = await withCompany({
      ...new_,
      fullName: 'New Person',
      create: { plan: 'free' },
    })
    const [first, second] = [await signIn(linnet), await signIn(linnet)]
    const profile = await profileOf(linnet, first.session)
    expect(profile).toMatchObject({
      ...{ email: 'new@example.org', fullName: 'New Person', hasPassword: false, isAdmin: false },
      plan: { slug: 'free' },
      emailVerifiedAt: expect.any(String),
    })
    expect(await profileOf(linnet, second.session)).toMatchObject({ id: profile.id })
  })

  test('gets the plan and the rights that the provider sets, but keeps an admin here', async () => {
    let set: Identified['set'] = { plan: 'pro', isAdmin: true }
    const { linnet, account } = await withCompany(() => ({ ...verified, ...match, set }))
    const shown = await profileOf(linnet, (await signIn(linnet)).session)
    expect(shown).toMatchObject({ isAdmin: true, plan: { slug: 'pro' } })
    set = { plan: 'free', isAdmin: false }
    await linnet.db
      .updateTable('accounts')
      .set({ is_admin: 0 })
      .where('id', '!=', account.id)
      .execute()
    const only = await profileOf(linnet, (await signIn(linnet)).session)
    expect(only).toMatchObject({ isAdmin: true, plan: { slug: 'free' } })
    await addAccount(linnet.db, { isAdmin: true })
    const after = await profileOf(linnet, (await signIn(linnet)).session)
    expect(after).toMatchObject({ isAdmin: false, plan: { slug: 'free' } })
  })

  test('is neither opened nor changed while it is suspended', async () => {
    const set = { plan: 'free', isAdmin: true }
    const { linnet, account } = await withCompany({ ...verified, ...match, set })
    await suspendAccount(linnet.db, account.id, false, () => new Date())
    const { location, session } = await signIn(linnet)
    expect([location, session]).toEqual(['/?problem=account_suspended', ''])
    expect(await findAccount(linnet.db, account.id)).toMatchObject({ isAdmin: account.isAdmin })
    expect(await linnet.db.selectFrom('identities').selectAll().execute()).toEqual([])
  })

  test('is told of to plugins, as a session with how it was opened', async () => {
    const heard: object[] = []
    const listener = definePlugin({
      feature: 'acme.listener',
      about: 'Listens.',
      events: {
        kinds: ['identity', 'session'],
        handle({ type, accountId, after }) {
          heard.push({ type, accountId, ...after })
        },
      },
    })
    const { linnet, account } = await withCompany({ ...verified, ...match }, [listener])
    await signIn(linnet)
    await linnet.settled()
    expect(heard).toMatchObject([
      { type: 'identity.created', accountId: account.id, issuer, subject: '7' },
      { type: 'session.created', accountId: account.id, methods: ['fed'] },
    ])
  })

  test('is asked its second step, with a ticket that reaches no server', async () => {
    const { linnet } = await withCompany({ ...verified, ...match }, [codes])
    const { session } = await signIn(linnet)
    await browser(linnet, session).send('POST', '/marks')
    const back = await signIn(linnet, '', '?next=/links')
    expect([back.status, back.session]).toEqual([303, ''])
    const [, ticket = ''] = back.location?.split('/?next=%2Flinks#ticket=') ?? []
    const opened = await browser(linnet).answer(ticket, 'six')
    expect(opened.status).toBe(201)
    const { data } = (await browser(linnet, sessionIn(opened)).send('GET', '/sessions')).body
    const current = data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
    expect(current.methods).toEqual(['fed', 'otp'])
  })
})

describe('an invitation that is accepted by a provider', () => {
  const grace = { ...verified, subject: '8', email: 'g.hopper@company.example' }

  /** Grace is invited; each time the provider names whom the test says. */
  async function invited() {
    const at: { who: Identified } = { who: grace }
    const { linnet } = await withCompany(() => at.who)
    const body = { email: 'grace@example.org', invite: true }
    const { data } = (await linnet.api('POST', '/admin/accounts', body)).body
    const secret: string = data.oneTimeLinkSecret
    const accept = (more = {}) =>
      browser(linnet).send('POST', '/one-time-link/accept', {
        ...{ secret, feature: 'acme.company', name: 'work' },
        ...more,
      })
    async function finish({ headers, body }: Awaited<ReturnType<typeof accept>>) {
      const [cookie = ''] = String(headers['set-cookie']).split(';')
      const state = new URL(body.data.url).searchParams.get('state') ?? ''
      const back = await traveller(linnet).back(state, cookie)
      return { ...back, session: sessionIn(back) }
    }
    return { linnet, at, id: data.id, secret, accept, finish }
  }

  test('signs its account in from then on, whatever the address there, and is used up', async () => {
    const { linnet, id, secret, accept, finish } = await invited()
    const { session } = await finish(await accept())
    expect(await profileOf(linnet, session)).toMatchObject({ id, hasPassword: false })
    const again = await signIn(linnet)
    expect(await profileOf(linnet, again.session)).toMatchObject({ id })
    expect((await accept()).body.code).toBe('invalid_one_time_link')
    const chosen = { secret, password: 'analytical engine' }
    expect((await browser(linnet).send('POST', '/one-time-link/use', chosen)).status).toBe(403)
  })

  test('is used once, by whoever comes back first', async () => {
    const { accept, at, finish } = await invited()
    const [first, second] = [await accept(), await accept()]
    expect((await finish(first)).session).not.toBe('')
    at.who = { ...grace, subject: '9' }
    const late = await finish(second)
    expect(late).toMatchObject({ session: '', location: '/?problem=invalid_one_time_link' })
  })

  test('is nothing for somebody who has an account, and works on', async () => {
    const { linnet, id, at, accept, finish } = await invited()
    at.who = { ...verified, match: 'verifiedEmail' }
    expect((await signIn(linnet)).session).not.toBe('')
    expect(await finish(await accept())).toMatchObject({
      ...{ session: '', location: '/?problem=other_account' },
    })
    at.who = grace
    const { session } = await finish(await accept())
    expect(await profileOf(linnet, session)).toMatchObject({ id })
  })

  test('does not give an account to a second person at the provider', async () => {
    const { linnet, id, at, accept, finish } = await invited()
    await finish(await accept())
    const { data } = (await linnet.api('POST', `/admin/accounts/${id}/one-time-link`)).body
    at.who = { ...grace, subject: '9' }
    const { location } = await finish(await accept({ secret: data.secret }))
    expect(location).toBe('/?problem=other_account')
  })

  test('is begun by an invitation alone, and at a provider that there is', async () => {
    const { linnet, accept } = await invited()
    expect((await accept({ secret: 'wrong' })).body.code).toBe('invalid_one_time_link')
    expect((await accept({ name: 'other' })).status).toBe(404)
    const [bob] = (await linnet.api('GET', `/admin/accounts?search=${email}`)).body.data
    const renewed = await linnet.api('POST', `/admin/accounts/${bob.id}/one-time-link`)
    const { secret } = renewed.body.data
    expect((await accept({ secret })).body.code).toBe('invalid_one_time_link')
  })

  test('opens nothing of an account that is suspended or got a password meanwhile', async () => {
    const { linnet, id, secret, accept, finish } = await invited()
    const [first, second] = [await accept(), await accept()]
    await linnet.api('POST', `/admin/accounts/${id}/suspend`, {})
    expect((await finish(first)).session).toBe('')
    await linnet.api('POST', `/admin/accounts/${id}/release`, {})
    const chosen = { secret, password: 'analytical engine' }
    await browser(linnet).send('POST', '/one-time-link/use', chosen)
    expect((await finish(second)).session).toBe('')
  })
})

describe('proving again at a provider', () => {
  test('makes the same session fresh, and says so to the provider', async () => {
    const { linnet } = await withCompany({ ...verified, match: 'verifiedEmail' }, [codes])
    const { session } = await signIn(linnet)
    linnet.at('2026-11-20T13:00:00Z')
    const bob = browser(linnet, session)
    expect((await bob.send('DELETE', '/marks')).body.code).toBe('fresh_sign_in_required')
    const away = traveller(linnet, session)
    const { state, location } = await away.go('?proof=1&next=/settings')
    expect(location).toContain('prompt=login')
    const back = await away.back(state)
    expect([back.location, sessionIn(back)]).toEqual(['/settings', ''])
    expect((await bob.send('DELETE', '/marks')).status).toBe(200)
  })

  test('is for who is signed in, and for nobody else', async () => {
    let who: Identified = { ...verified, match: 'verifiedEmail' }
    const { linnet } = await withCompany(() => who)
    expect((await traveller(linnet).go('?proof=1')).location).toBe('/?problem=unauthenticated')
    const { session } = await signIn(linnet)
    const away = traveller(linnet, session)
    const { state, cookie } = await away.go('?proof=1')
    const ended = await traveller(linnet).back(state, cookie)
    expect([ended.location, sessionIn(ended)]).toEqual(['/?problem=other_account', ''])
    who = { issuer, subject: '8', email: 'eve@example.org', isEmailVerified: true, create: {} }
    const other = await away.back((await away.go('?proof=1')).state)
    expect([other.location, sessionIn(other)]).toEqual(['/?problem=no_account', ''])
  })
})

test('a site with a page to sign in gets what went wrong', async () => {
  const dashboard = definePlugin({
    feature: 'acme.site',
    about: 'A site.',
    site: { path: 'start', folder: new URL('./', import.meta.url), home: true, signIn: 'in' },
  })
  const linnet = await boot([company(() => undefined).plugin, dashboard])
  expect((await signIn(linnet, '', '?next=/a')).location).toBe(
    '/start/in?problem=sign_in_failed&next=%2Fa',
  )
  await linnet.stop()
})

describe('an identity that signs somebody in', () => {
  const identitiesOf = async (linnet: Harness, session: string) =>
    (await browser(linnet, session).send('GET', '/identities')).body.data

  test('is shown to them and to admins, and is removed by them', async () => {
    let who: Identified = { ...verified, match: 'verifiedEmail' }
    const heard: unknown[] = []
    const listener = definePlugin({
      feature: 'acme.listener',
      about: 'Listens.',
      events: {
        kinds: ['identity'],
        handle: ({ type, before }) => void heard.push([type, before]),
      },
    })
    const { linnet, account } = await withCompany(() => who, [listener])
    const { session } = await signIn(linnet)
    const [shown] = await identitiesOf(linnet, session)
    const at = '2026-11-20T12:00:00.000Z'
    expect(shown).toEqual({
      ...{ id: expect.stringMatching(/^idn_/), issuer, createdAt: at, lastUsedAt: at },
    })
    const path = `/admin/accounts/${publicId('acc', account.id)}/identities`
    expect((await linnet.api('GET', path)).body.data).toEqual([shown])
    const bob = browser(linnet, session)
    expect((await bob.send('DELETE', '/identities/idn_other')).status).toBe(404)
    expect((await bob.send('DELETE', `/identities/${shown.id}`)).status).toBe(204)
    expect(await identitiesOf(linnet, session)).toEqual([])
    who = { issuer, subject: '7' }
    expect((await signIn(linnet)).location).toBe('/?problem=no_account')
    await linnet.settled()
    expect(heard).toMatchObject([
      ['identity.created', null],
      ['identity.deleted', { issuer, subject: '7' }],
    ])
  })

  test('is never removed where it is the last way in', async () => {
    const eve = { issuer, email: 'eve@example.org', isEmailVerified: true }
    let who: Identified = { ...eve, subject: '8', create: {} }
    const { linnet } = await withCompany(() => who)
    const { session } = await signIn(linnet)
    const bob = browser(linnet, session)
    const [only] = await identitiesOf(linnet, session)
    const refused = await bob.send('DELETE', `/identities/${only.id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'last_way_in'])
    // With another beside it, one of the two goes, and no more, also if both are removed at the same moment.
    who = { ...eve, issuer: 'https://other.example.org', subject: '9', match: 'verifiedEmail' }
    await signIn(linnet)
    const both: readonly { readonly id: string }[] = await identitiesOf(linnet, session)
    expect(both).toHaveLength(2)
    const gone = await Promise.all(both.map(({ id }) => bob.send('DELETE', `/identities/${id}`)))
    expect(gone.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  test('is removed by admins, unless it is the last way in', async () => {
    let who: Identified = { ...verified, match: 'verifiedEmail' }
    const { linnet, account } = await withCompany(() => who)
    const { session } = await signIn(linnet)
    const pathOf = (id: number) => `/admin/accounts/${publicId('acc', id)}/identities`
    const [shown] = (await linnet.api('GET', pathOf(account.id))).body.data
    expect((await linnet.api('DELETE', `${pathOf(account.id)}/idn_other`)).status).toBe(404)
    // It is that of one account, and of no other.
    const other = `${pathOf(linnet.account.rowId)}/${shown.id}`
    expect((await linnet.api('DELETE', other)).status).toBe(404)
    expect((await linnet.api('DELETE', `${pathOf(account.id)}/${shown.id}`)).status).toBe(204)
    expect(await identitiesOf(linnet, session)).toEqual([])
    who = { issuer, subject: '8', email: 'eve@example.org', isEmailVerified: true, create: {} }
    await signIn(linnet)
    const { body } = await linnet.api('GET', '/admin/accounts?search=eve')
    const path = `/admin/accounts/${body.data[0].id}/identities`
    const [only] = (await linnet.api('GET', path)).body.data
    const refused = await linnet.api('DELETE', `${path}/${only.id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'last_way_in'])
  })

  test('is removed only by a session that was proven lately, and only of the own account', async () => {
    const { linnet } = await withCompany({ ...verified, match: 'verifiedEmail' })
    const { session } = await signIn(linnet)
    const [shown] = await identitiesOf(linnet, session)
    expect((await linnet.api('DELETE', `/identities/${shown.id}`)).status).toBe(404)
    linnet.at('2026-11-20T13:00:00Z')
    const refused = await browser(linnet, session).send('DELETE', `/identities/${shown.id}`)
    expect([refused.status, refused.body.code]).toEqual([403, 'fresh_sign_in_required'])
    expect(await identitiesOf(linnet, session)).toEqual([shown])
  })
})
