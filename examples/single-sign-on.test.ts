import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { conformance } from 'linnet/conformance'
import { boot, type Harness } from 'linnet/harness'
import type { Fetch } from 'linnet/plugin'
import plugin from './single-sign-on.js'

const issuer = 'https://login.example.org'
const start = '2026-11-20T12:00:00Z'
const at = Date.parse(start) / 1_000
const api = 'api/v1/session'
const settings = { issuer, clientId: 'linnet', createsAccounts: true }

/** A provider at which Bob is signed in. It tells of him what the test says. */
function provider(claims: object = {}, metadata: object = {}) {
  const asked: string[] = []
  let challenge = ''
  let nonce = ''
  const answer = (body: object, status = 200) => ({
    ...{ status, url: issuer, headers: new Headers(), isWhole: true },
    body: Buffer.from(JSON.stringify(body)),
  })
  const fetch: Fetch = async (url, { headers = {}, body = '' } = {}) => {
    asked.push(url)
    if (url === `${issuer}/.well-known/openid-configuration`) {
      const authorization_endpoint = `${issuer}/authorize?ui=1`
      return answer({
        issuer,
        authorization_endpoint,
        token_endpoint: `${issuer}/token`,
        ...metadata,
      })
    }
    assert.equal(url, `${issuer}/token`)
    const form = new URLSearchParams(String(body))
    const verifier = form.get('code_verifier') ?? ''
    const basic = Buffer.from('linnet:the%20secret').toString('base64')
    assert.equal(headers.authorization, `Basic ${basic}`)
    assert.equal(
      form.get('redirect_uri'),
      `https://go.example.org/${api}/from/custom.singleSignOn/company`,
    )
    const isRight = createHash('sha256').update(verifier).digest('base64url') === challenge
    if (!isRight || form.get('code') !== 'right') return answer({ error: 'invalid_grant' }, 400)
    const bob = { iss: issuer, sub: 'bob', aud: 'linnet', exp: at + 60, nonce, auth_time: at }
    const whole = { ...bob, email: 'bob@example.org', email_verified: true, name: 'Bob', ...claims }
    const token = ['{}', JSON.stringify(whole), ''].map(it => Buffer.from(it).toString('base64url'))
    return answer({ id_token: token.join('.') })
  }
  /** The page where Bob says yes; gives what the browser comes back with. */
  function authorize(location: string): string {
    const { searchParams, origin } = new URL(location)
    assert.equal(origin, issuer)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    challenge = searchParams.get('code_challenge') ?? ''
    nonce = searchParams.get('nonce') ?? ''
    return `?code=right&state=${searchParams.get('state')}`
  }
  return { fetch, asked, authorize }
}

async function boots(t: TestContext, fetch: Fetch, given: object = settings) {
  const linnet = await boot(plugin, {
    ...{ at: start, fetch, env: { SINGLE_SIGN_ON_SECRET: 'the secret' } },
    settings: { plugins: { settings: { 'custom.singleSignOn': given as typeof settings } } },
  })
  t.after(() => linnet.stop())
  return linnet
}

/** Goes there and comes back, and gives where that led and the session that it opened. */
async function signIn(
  linnet: Harness,
  authorize: (location: string) => string,
  { query = '', session = '', more = '' } = {},
) {
  const headers = { cookie: session }
  const sent = await linnet.visit(`${api}/with/custom.singleSignOn/company`, { query, headers })
  const [away] = String(sent.headers['set-cookie']).split(';')
  const back = await linnet.visit(`${api}/from/custom.singleSignOn/company`, {
    query: authorize(sent.location ?? '') + more,
    headers: { cookie: `${session}; ${away}` },
  })
  const [cookie = ''] = String(back.headers['set-cookie'] ?? '').split(';')
  const profile = await linnet.api('GET', '/profile', undefined, { cookie })
  return { location: back.location, cookie, profile: profile.body.data }
}

it('makes an account for somebody who signs in there, once', async t => {
  const { fetch, authorize } = provider()
  const linnet = await boots(t, fetch)
  const first = await signIn(linnet, authorize, { query: '?next=/links' })
  assert.equal(first.location, '/links')
  assert.equal(first.profile.email, 'bob@example.org')
  assert.equal(first.profile.fullName, 'Bob')
  const second = await signIn(linnet, authorize)
  assert.equal(second.profile.id, first.profile.id)
})

it('signs nobody in to an account that is there, unless the operator wants that', async t => {
  for (const matchesAddresses of [false, true]) {
    const { fetch, authorize } = provider()
    const linnet = await boots(t, fetch, { ...settings, matchesAddresses })
    const bob = { email: 'bob@example.org', password: 'analytical engine' }
    await linnet.api('POST', '/admin/accounts', bob)
    const { location } = await signIn(linnet, authorize)
    assert.equal(location, matchesAddresses ? '/' : '/?problem=no_account')
  }
})

for (const [what, claims, problem] of [
  ['a token of another issuer', { iss: 'https://evil.example' }, 'provider_refused'],
  ['a token for another client', { aud: 'other' }, 'provider_refused'],
  [
    'a token for several, issued to another',
    { aud: ['linnet', 'other'], azp: 'other' },
    'provider_refused',
  ],
  ['a token that is over', { exp: at }, 'provider_refused'],
  ['a token of another attempt', { nonce: 'other' }, 'provider_refused'],
  ['a token without a subject', { sub: '' }, 'sign_in_failed'],
  ['an address that is not verified', { email_verified: false }, 'no_account'],
] as const) {
  it(`signs nobody in by ${what}`, async t => {
    const { fetch, authorize } = provider(claims)
    const linnet = await boots(t, fetch)
    assert.equal((await signIn(linnet, authorize)).location, `/?problem=${problem}`)
  })
}

it('signs nobody in by an answer without a code, with a wrong one, or of another provider', async t => {
  const { fetch, authorize } = provider()
  const linnet = await boots(t, fetch)
  const led = async (change: (query: string) => string) =>
    (await signIn(linnet, location => change(authorize(location)))).location
  const denied = await led(query => query.replace('code=right', 'error=access_denied'))
  assert.equal(denied, '/?problem=provider_refused')
  assert.equal(await led(query => query.replace('right', 'wrong')), '/?problem=sign_in_failed')
  assert.equal(
    await led(query => `${query}&iss=https://evil.example`),
    '/?problem=provider_refused',
  )
  assert.equal(await led(query => `${query}&iss=${issuer}`), '/')
})

it('asks the provider for its configuration when it is needed, and again after an hour', async t => {
  const { fetch, asked, authorize } = provider()
  const linnet = await boots(t, fetch)
  const reads = () => asked.filter(url => url.endsWith('openid-configuration')).length
  assert.equal(reads(), 0)
  await signIn(linnet, authorize)
  await signIn(linnet, authorize)
  assert.equal(reads(), 1)
  linnet.at('2026-11-20T13:00:01Z')
  await linnet.visit(`${api}/with/custom.singleSignOn/company`)
  assert.equal(reads(), 2)
})

it('goes to no provider that calls itself otherwise, or has no TLS, and says so in the log', async t => {
  for (const metadata of [
    { issuer: 'https://evil.example' },
    { token_endpoint: 'http://login.example.org/token' },
  ]) {
    const linnet = await boots(t, provider({}, metadata).fetch)
    const { location } = await linnet.visit(`${api}/with/custom.singleSignOn/company`)
    assert.equal(location, '/?problem=sign_in_failed')
    assert.match(linnet.log.join('\n'), /custom\.singleSignOn providers company begin failed/)
  }
})

it('has who is signed in enter the password there to prove it again', async t => {
  for (const [auth_time, expected] of [
    [at, '/'],
    [at - 3_600, '/?problem=not_proven'],
  ] as const) {
    const { fetch, authorize } = provider({ auth_time })
    const linnet = await boots(t, fetch)
    const { cookie: session } = await signIn(linnet, authorize)
    let prompt: string | null = null
    const again = (location: string) => {
      prompt = new URL(location).searchParams.get('prompt')
      return authorize(location)
    }
    const { location } = await signIn(linnet, again, { query: '?proof=1', session })
    assert.deepEqual([location, prompt], [expected, 'login'])
  }
})

it('shows no button until it knows the provider', async t => {
  const { fetch } = provider()
  const shown = async (given: object) => {
    const linnet = await boots(t, fetch, given)
    return (await linnet.api('GET', '/session')).body.data.providers.length
  }
  assert.deepEqual([await shown({}), await shown({ issuer }), await shown(settings)], [0, 0, 1])
})

describe('what every plugin must keep to', () => {
  for (const { name, run } of conformance(plugin)) it(name, run)
})
