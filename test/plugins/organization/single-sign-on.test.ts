import { describe, expect, it } from 'vitest'
import { itAtNight } from '../../at-night.ts'
import { issuer, type Lies, lyingProvider } from './single-sign-on/lying-provider.ts'
import { browser, signingKey, startProvider } from './single-sign-on/real-provider.ts'
import { returnUrl, signIn, start } from './single-sign-on/sign-in-at.ts'

describe('signing in at a real provider', () => {
  it('makes an account for a verified address, once, and finds it by the subject from then on', async () => {
    const real = await startProvider({ returnUrl })
    const linnet = await start({ issuer: real.issuer, createsAccounts: true })
    const first = await signIn(linnet, browser(), { query: '?next=/links' })
    expect(first.location).toBe('/links')
    expect(first.profile).toMatchObject({ email: 'bob@example.org', fullName: 'Bob' })
    real.people.bob = { email: 'robert@example.org', email_verified: true }
    const second = await signIn(linnet, browser())
    expect(second.profile.id).toBe(first.profile.id)
  })

  it.each([
    ['finds no account by an address, unless the operator wants that', {}, true, 'no_account'],
    ['finds one by a verified address', { matchesAddresses: true }, true, undefined],
    ['not by one that is not verified', { matchesAddresses: true }, false, 'no_account'],
    ['nor if the provider does not say', { matchesAddresses: true }, undefined, 'no_account'],
    [
      'except where the operator trusts the provider with that',
      { matchesAddresses: true, trustsAddresses: true },
      undefined,
      undefined,
    ],
    [
      'but never if it says that it is not',
      { matchesAddresses: true, trustsAddresses: true },
      false,
      'no_account',
    ],
  ])('%s', async (_, settings, email_verified, problem) => {
    const real = await startProvider({ returnUrl })
    real.people.bob = { email: 'Ada@example.org', email_verified }
    const linnet = await start({ issuer: real.issuer, ...settings })
    const { location, profile } = await signIn(linnet, browser())
    expect(location).toBe(problem === undefined ? '/' : `/?problem=${problem}`)
    if (problem === undefined) expect(profile.id).toBe(linnet.account.id)
  })

  it('gives plan and rights by groups, and takes them when a group is gone, but not from the only admin', async () => {
    const real = await startProvider({ returnUrl })
    const groups = (some: readonly string[]) => {
      real.people.bob = { email: 'bob@example.org', email_verified: true, groups: some }
    }
    const rules = {
      adminGroups: ['ops'],
      planGroups: ['CN=Staff,OU=All = pro', '* = free'],
    }
    const linnet = await start({ issuer: real.issuer, createsAccounts: true, ...rules })
    const came = async () => {
      const { profile } = await signIn(linnet, browser())
      return [profile.isAdmin, profile.plan.slug]
    }
    groups(['ops', 'CN=Staff,OU=All'])
    expect(await came()).toEqual([true, 'pro'])
    // Groups that only look alike are others.
    groups(['Ops', 'cn=staff,ou=all'])
    expect(await came()).toEqual([false, 'free'])
    groups(['ops'])
    expect(await came()).toEqual([true, 'free'])
    await linnet.api('DELETE', '/profile', {})
    groups([])
    expect(await came()).toEqual([true, 'free'])
  })

  it('finds groups at the path that the operator names', async () => {
    const real = await startProvider({ returnUrl })
    real.people.bob = { ...real.people.bob, realm_access: { roles: ['links-admin'] } }
    const rules = { groupsClaim: 'realm_access.roles', adminGroups: ['links-admin'] }
    const linnet = await start({ issuer: real.issuer, createsAccounts: true, ...rules })
    expect((await signIn(linnet, browser())).profile.isAdmin).toBe(true)
  })

  it.each([
    ['a domain', { allowedDomains: ['Example.org'] }, '/'],
    ['another domain', { allowedDomains: ['ample.org'] }, '/?problem=domain_not_allowed'],
    ['a group', { allowedGroups: ['staff', 'ops'] }, '/'],
    ['another group', { allowedGroups: ['ops'] }, '/?problem=group_not_allowed'],
  ])('lets in only people of %s that the operator allows', async (_, rules, location) => {
    const real = await startProvider({ returnUrl })
    real.people.bob = { ...real.people.bob, groups: ['staff'] }
    const linnet = await start({ issuer: real.issuer, createsAccounts: true, ...rules })
    expect((await signIn(linnet, browser())).location).toBe(location)
  })

  it('has who is signed in enter the password there to prove it again', async () => {
    const real = await startProvider({ returnUrl })
    const linnet = await start({ issuer: real.issuer, createsAccounts: true })
    const there = browser()
    const { cookie: session } = await signIn(linnet, there)
    const asks = () => real.asked.filter(path => path.startsWith('/interaction/')).length
    expect(asks()).toBe(1)
    await signIn(linnet, there)
    expect(asks()).toBe(1)
    const { location } = await signIn(linnet, there, { query: '?proof=1', session })
    expect([location, asks()]).toEqual(['/', 2])
  })

  it.each([
    ['by a form', { token_endpoint_auth_method: 'client_secret_post' }, ['client_secret_post']],
    ['without a secret', { token_endpoint_auth_method: 'none' }, ['none']],
  ])('proves to be the client %s where the provider wants that', async (_, client, ways) => {
    const configuration = { clientAuthMethods: ways }
    const real = await startProvider({ returnUrl, client, configuration })
    const env = ways.includes('none') ? {} : { LINNET_OIDC_SECRET: 'the secret' }
    const linnet = await start({ issuer: real.issuer, createsAccounts: true }, { env })
    expect((await signIn(linnet, browser())).location).toBe('/')
  })

  it('says in the log why the provider refuses, and nobody is signed in', async () => {
    const real = await startProvider({ returnUrl })
    const linnet = await start(
      { issuer: real.issuer, createsAccounts: true },
      { env: { LINNET_OIDC_SECRET: 'another' } },
    )
    expect(await signIn(linnet, browser())).toMatchObject({
      ...{ location: '/?problem=sign_in_failed', cookie: '' },
    })
    expect(linnet.log.join('\n')).toContain(
      'The provider refuses the client: are its ID and LINNET_OIDC_SECRET right?',
    )
  })

  it('signs nobody in who says no there', async () => {
    const real = await startProvider({ returnUrl })
    real.who = undefined
    const linnet = await start({ issuer: real.issuer, createsAccounts: true })
    expect((await signIn(linnet, browser())).location).toBe('/?problem=provider_refused')
  })

  it('waits for no provider that is down, and finds it once it is back, with other keys', async () => {
    const before = await startProvider({ returnUrl })
    const { issuer, port } = before
    await before.close()
    const linnet = await start({ issuer, createsAccounts: true })
    expect((await signIn(linnet, browser())).location).toBe('/?problem=sign_in_failed')
    const back = await startProvider({ returnUrl, port })
    linnet.at(new Date(Date.now() + 10_000).toISOString())
    expect((await signIn(linnet, browser())).location).toBe('/')
    await back.close()
    // What it said of itself is known; only who comes back from it finds out.
    await startProvider({ returnUrl, port, configuration: { jwks: { keys: [signingKey()] } } })
    expect((await signIn(linnet, browser())).location).toBe('/')
  })

  it.each([
    ['/realms/links', ''],
    ['/realms/links', '/'],
    ['/o/links/', '-'],
  ])('takes an issuer with the path %s with or without a slash at its end', async (path, end) => {
    const real = await startProvider({ returnUrl, path })
    const issuer = end === '-' ? real.issuer.slice(0, -1) : `${real.issuer}${end}`
    const linnet = await start({ issuer, createsAccounts: true })
    expect((await signIn(linnet, browser())).location).toBe('/')
  })
})

const seconds = () => Math.floor(Date.now() / 1_000)

/** Where somebody is led who signs in at a provider that lies, and what the log says of it. */
async function signInAt(lies: Lies, settings = {}) {
  const { fetch, through, asked } = lyingProvider(lies)
  const linnet = await start({ issuer, createsAccounts: true, ...settings }, { fetch })
  const { location, cookie, profile } = await signIn(linnet, through)
  return { location, cookie, profile, asked, linnet, log: linnet.log.join('\n') }
}

describe('a provider that lies', () => {
  it.each<[string, Lies, string]>([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, 'iss'],
    ['for another client', { claims: { aud: 'other' } }, 'aud'],
    ['for several, issued to another', { claims: { aud: ['linnet', 'a'], azp: 'a' } }, 'azp'],
    ['of another attempt', { claims: { nonce: 'other' } }, 'nonce'],
    ['without a nonce', { claims: { nonce: undefined } }, 'nonce'],
    ['without a subject', { claims: { sub: undefined } }, 'sub'],
    ['that is over for more than five minutes', { claims: { exp: seconds() - 310 } }, 'exp'],
    ['that begins in more than five minutes', { claims: { nbf: seconds() + 600 } }, 'nbf'],
    ['from the future', { claims: { iat: seconds() + 600 } }, 'from the future'],
    ['with another signature', { signed: 'by another key' }, 'signature verification failed'],
    ['signed by the secret', { signed: 'by the secret' }, 'alg'],
    ['that is not signed', { signed: 'not at all' }, 'alg'],
    [
      'that is not signed, which it says it may do',
      { signed: 'not at all', metadata: { id_token_signing_alg_values_supported: ['none'] } },
      'alg',
    ],
    [
      'signed by the secret, which it says it may do',
      { signed: 'by the secret', metadata: { id_token_signing_alg_values_supported: ['HS256'] } },
      'alg',
    ],
    ['with a key that it does not have', { header: { kid: 'other' } }, 'key'],
  ])('signs nobody in by a token %s', async (_, lies, why) => {
    const { location, cookie, log } = await signInAt(lies)
    expect([location, cookie]).toEqual(['/?problem=sign_in_failed', ''])
    expect(log).toMatch(
      /organization\.singleSignOn providers oidc finish failed: The provider's answer/,
    )
    expect(log.toLowerCase()).toContain(why)
  })

  it.each<[string, Lies]>([
    ['that was over four minutes ago', { claims: { exp: seconds() - 240 } }],
    ['that is made in four minutes', { claims: { iat: seconds() + 240, nbf: seconds() + 240 } }],
  ])('signs in by a token %s: clocks differ', async (_, lies) => {
    expect((await signInAt(lies)).location).toBe('/')
  })

  it.each<[string, Lies, string]>([
    ['of another provider', { query: { iss: 'https://evil.example' } }, 'sign_in_failed'],
    [
      'that does not name the provider, which said that it would',
      { metadata: { authorization_response_iss_parameter_supported: true } },
      'sign_in_failed',
    ],
    ['with an error', { query: { error: 'temporarily_unavailable' } }, 'provider_refused'],
  ])('signs nobody in by an answer %s', async (_, lies, problem) => {
    expect((await signInAt(lies)).location).toBe(`/?problem=${problem}`)
  })

  it.each<[string, Lies, string]>([
    ['calls itself otherwise', { metadata: { issuer: 'https://evil.example' } }, 'calls itself'],
    ['is for every tenant', { metadata: { issuer: `${issuer}/{tenantid}/v2.0` } }, 'calls itself'],
    [
      'has a page without TLS',
      { metadata: { authorization_endpoint: 'http://login.example.org/' } },
      'HTTPS',
    ],
    ['has no keys', { metadata: { jwks_uri: undefined } }, 'jwks_uri is missing'],
    ['knows nothing of it', { status: 404 }, 'answers 404: is the issuer right?'],
  ])('is not gone to if it %s, and the log says so', async (_, lies, why) => {
    const { location, log } = await signInAt(lies)
    expect(location).toBe('/?problem=sign_in_failed')
    expect(log).toContain('organization.singleSignOn providers oidc begin failed')
    expect(log.toLowerCase()).toContain(why.toLowerCase())
  })

  it('speaks for nobody else where it is asked for more', async () => {
    const lies = {
      claims: { email: undefined },
      metadata: { userinfo_endpoint: `${issuer}/userinfo` },
    }
    const { location } = await signInAt({ ...lies, userInfo: { sub: 'eve' } })
    expect(location).toBe('/?problem=sign_in_failed')
    const bob = { email: 'bob@example.org', email_verified: true, iss: 'x', groups: ['a'] }
    const { profile } = await signInAt({ ...lies, userInfo: bob })
    expect(profile.email).toBe('bob@example.org')
  })
})

describe('what providers say', () => {
  it('how somebody proved who they are, in words that sessions show', async () => {
    const { linnet, cookie } = await signInAt({ claims: { amr: ['pwd', 'otp', 'Odd One', 7] } })
    const sessions = await linnet.api('GET', '/sessions', undefined, { cookie })
    expect(sessions.body.data[0].methods).toEqual(['fed', 'pwd', 'otp'])
  })

  it.each<[string, object, string]>([
    ['Microsoft of an address in a domain of the tenant', { xms_edov: true }, '/'],
    ['the same in a word', { xms_edov: '1' }, '/'],
    ['Microsoft of any other', { xms_edov: false }, '/?problem=no_account'],
    ['nobody', {}, '/?problem=no_account'],
    ['others in a word', { email_verified: 'true' }, '/'],
  ])('by what %s says an address is verified or not', async (_, said, location) => {
    const lies = { claims: { email_verified: undefined, ...said } }
    expect((await signInAt(lies)).location).toBe(location)
  })

  it.each([
    ['bob@gmail.com', undefined, '/'],
    ['bob@example.org', 'example.org', '/'],
    ['bob@example.org', undefined, '/?problem=no_account'],
  ])('Google of %s in the domain %s', async (email, hd, location) => {
    const google = 'https://accounts.google.com'
    const lies = { claims: { iss: google, email, hd }, metadata: { issuer: google } }
    expect((await signInAt(lies, { issuer: google })).location).toBe(location)
  })

  it('too many groups to list them, which changes nothing, and is no way in where one is needed', async () => {
    const claims = { groups: undefined, _claim_names: { groups: 'src1' } }
    const rules = { adminGroups: ['ops'], planGroups: ['* = free'] }
    const { profile, log } = await signInAt({ claims }, rules)
    expect([profile.isAdmin, profile.plan.slug]).toEqual([false, 'unlimited'])
    expect(log).toContain('leaves out groups of somebody who has too many')
    const { location } = await signInAt({ claims }, { allowedGroups: ['staff'] })
    expect(location).toBe('/?problem=group_not_allowed')
  })

  it('a plan that there is not, which the log says', async () => {
    const { location, log } = await signInAt({}, { planGroups: ['staff = golden'] })
    expect(location).toBe('/?problem=sign_in_failed')
    expect(log).toContain('A provider named a plan that does not exist')
  })

  it('of itself is asked for once an hour, and stands for a day while it cannot be asked', async () => {
    let isDown = false
    const { fetch, through, asked } = lyingProvider()
    const linnet = await start(
      { issuer, createsAccounts: true },
      {
        async fetch(url, options) {
          if (isDown) throw new Error('it does not answer')
          return fetch(url, options)
        },
      },
    )
    const reads = () => asked.filter(it => it.endsWith('openid-configuration')).length
    await signIn(linnet, through)
    await signIn(linnet, through)
    expect(reads()).toBe(1)
    const begins = async (hours: number) => {
      linnet.at(new Date(Date.now() + hours * 3_600_000).toISOString())
      const path = 'api/v1/session/with/organization.singleSignOn/oidc'
      return (await linnet.visit(path)).location
    }
    expect(await begins(2)).toContain(`${issuer}/authorize`)
    expect(reads()).toBe(2)
    isDown = true
    expect(await begins(4)).toContain(`${issuer}/authorize`)
    expect(linnet.log.join('\n')).toContain('does not say anew where to sign in')
    expect(await begins(30)).toBe('/?problem=sign_in_failed')
  })

  it('is asked for once by all who come while it does not answer, and again after ten seconds', async () => {
    const asked: string[] = []
    const failing = async (url: string) => {
      asked.push(url)
      throw new Error('it does not answer')
    }
    const linnet = await start({ issuer, createsAccounts: true }, { fetch: failing })
    const come = () =>
      Promise.all([
        linnet.visit('api/v1/session/with/organization.singleSignOn/oidc'),
        linnet.visit('api/v1/front-channel-logout', { query: '?sid=s1' }),
      ])
    for (let times = 0; times < 10; times += 1) {
      const [begun, framed] = await come()
      expect([begun.location, framed.status]).toEqual(['/?problem=sign_in_failed', 503])
    }
    expect(asked).toHaveLength(1)
    linnet.at(new Date(Date.now() + 10_000).toISOString())
    await come()
    expect(asked).toHaveLength(2)
  })
})

itAtNight(
  'gives up a provider that does not answer, and who signs in by password does not wait',
  async () => {
    const bob = { email: 'carol@example.org', password: 'correct horse battery' }
    const all = ['openid-configuration', '/token', '/keys'].map(async path => {
      const { fetch, through } = lyingProvider()
      const linnet = await start(
        { issuer, createsAccounts: true },
        {
          fetch: (url, options) => (url.endsWith(path) ? new Promise(never) : fetch(url, options)),
        },
      )
      await linnet.api('POST', '/admin/accounts', bob)
      const slow = signIn(linnet, through)
      const byPassword = linnet.api('POST', '/session', bob, { cookie: '' })
      expect(await Promise.race([slow, byPassword])).toMatchObject({ status: 201 })
      const { location, cookie } = await slow
      expect([location, cookie]).toEqual(['/?problem=sign_in_failed', ''])
      expect(linnet.log.join('\n')).toContain('organization.singleSignOn providers oidc')
    })
    await Promise.all(all)
  },
)

const never = () => undefined

it('shows no button until it knows the provider', async () => {
  const shown = async (settings: object) => {
    const linnet = await start(settings as Parameters<typeof start>[0])
    return (await linnet.api('GET', '/session')).body.data.providers.length
  }
  expect([await shown({ clientId: undefined }), await shown({}), await shown({ issuer })]).toEqual([
    0, 0, 1,
  ])
})

it.each([
  ['issuer', 'http://login.example.org', 'https://login.example.org'],
  ['issuer', 'login.example.org', 'http://localhost:8080/realms/a'],
  ['scopes', 'email profile', 'openid groups'],
  ['allowedDomains', ['ada@example.org'], ['example.org']],
  ['planGroups', ['staff'], ['staff = pro', '* = free']],
])('takes as %s not %s but %s', async (name, wrong, right) => {
  const linnet = await start({ issuer })
  const save = (value: unknown) =>
    linnet.api('PATCH', '/admin/plugins/organization.singleSignOn', { settings: { [name]: value } })
  expect((await save(wrong)).status).toBe(422)
  expect((await save(right)).status).toBe(200)
})

it('turns passwords off once it is set up, for all or for all but admins', async () => {
  for (const [settings, expected] of [
    [{ passwords: 'nobody' }, 'everybody'],
    [{ issuer }, 'everybody'],
    [{ issuer, passwords: 'admins' }, 'admins'],
    [{ issuer, passwords: 'nobody' }, 'nobody'],
  ] as const) {
    const linnet = await start(settings)
    expect((await linnet.api('GET', '/session')).body.data.passwords).toBe(expected)
  }
})

describe('signing out', () => {
  const leaveUrl = '/api/v1/session/leave/organization.singleSignOn/oidc'
  const signInPage = 'https://go.example.org/'

  it('leads to the provider, and back to where one signs in, if the operator wants that', async () => {
    const client = { post_logout_redirect_uris: [signInPage] }
    const real = await startProvider({ returnUrl, client })
    for (const signsOutThere of [true, false]) {
      const linnet = await start({ issuer: real.issuer, createsAccounts: true, signsOutThere })
      const { cookie } = await signIn(linnet, browser())
      const shown = await linnet.api('GET', '/session', undefined, { cookie })
      expect(shown.body.data.leaveUrl).toBe(leaveUrl)
      const { location = '' } = await linnet.visit(leaveUrl.slice(1))
      if (!signsOutThere) expect(location).toBe('/')
      else {
        const { origin, pathname, searchParams } = new URL(location)
        expect([origin, pathname]).toEqual([real.issuer, '/session/end'])
        expect(Object.fromEntries(searchParams)).toEqual({
          ...{ client_id: 'linnet', post_logout_redirect_uri: signInPage },
        })
        expect((await fetch(location)).status).toBe(200)
      }
    }
  })

  it('stays here where the provider offers nothing, or is down, and for who came by password', async () => {
    const { fetch, through } = lyingProvider()
    let isDown = false
    const linnet = await start(
      { issuer, createsAccounts: true, signsOutThere: true },
      {
        async fetch(url, options) {
          if (isDown) throw new Error('it does not answer')
          return fetch(url, options)
        },
      },
    )
    await signIn(linnet, through)
    expect((await linnet.visit(leaveUrl.slice(1))).location).toBe('/')
    isDown = true
    linnet.at(new Date(Date.now() + 48 * 3_600_000).toISOString())
    expect((await linnet.visit(leaveUrl.slice(1))).location).toBe('/')
    expect((await linnet.api('GET', '/session')).body.data.leaveUrl).toBe(null)
  })
})
