import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import plugin from '../../../../plugins/organization/single-sign-on.ts'
import type { Harness } from '../../../harness.ts'
import { issuer, lyingProvider } from './lying-provider.ts'
import { browser, startProvider } from './real-provider.ts'
import { ask, returnUrl, signIn, start } from './sign-in-at.ts'

const path = 'api/v1/back-channel-logout'

/** Sends a token as a provider does. */
const tell = (linnet: Harness, logout_token: string) =>
  linnet.visit(path, { answers: { logout_token } })

const isSignedIn = async (linnet: Harness, cookie: string) =>
  (await linnet.api('GET', '/profile', undefined, { cookie })).status === 200

describe('signing out at a real provider', () => {
  it.each([
    ['that names its session ends what that opened', true, [false, true]],
    ['that names the person alone ends all of theirs', false, [false, false]],
  ])('%s', async (_, backchannel_logout_session_required, left) => {
    let linnet: Harness | undefined
    const statuses: number[] = []
    const real = await startProvider({
      returnUrl,
      client: {
        ...{ backchannel_logout_session_required },
        backchannel_logout_uri: `https://go.example.org/${path}`,
      },
      configuration: {
        features: {
          ...{ devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
          rpInitiatedLogout: {
            enabled: true,
            logoutSource(context: { body: string }, form: string) {
              context.body = form
            },
          },
        },
        async fetch(_: URL, { body }: { body: URLSearchParams }) {
          if (!linnet) throw new Error('Linnet does not run')
          const { status } = await tell(linnet, body.get('logout_token') ?? '')
          statuses.push(status)
          return new Response('', { status })
        },
      },
    })
    linnet = await start({ issuer: real.issuer, createsAccounts: true })
    const cookies = new Map<string, string>()
    const here = await signIn(linnet, browser(cookies))
    const elsewhere = await signIn(linnet, browser())
    expect(here.profile.id).toBe(elsewhere.profile.id)
    await signOutThere(real.issuer, cookies)
    expect(statuses).toEqual([200])
    const isLeft = [here, elsewhere].map(({ cookie }) => isSignedIn(linnet as Harness, cookie))
    expect(await Promise.all(isLeft)).toEqual(left)
  })
})

/** Says yes on the provider's page for signing out. */
async function signOutThere(at: string, cookies: ReadonlyMap<string, string>): Promise<void> {
  const cookie = [...cookies].map(it => it.join('=')).join('; ')
  const page = await fetch(`${at}/session/end`, { headers: { cookie } })
  const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(await page.text()) ?? []
  await fetch(`${at}/session/end/confirm`, {
    ...{ method: 'POST', redirect: 'manual', headers: { cookie } },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
}

const event = 'http://schemas.openid.net/event/backchannel-logout'
const keys = await generateKeyPair('ES256')
const others = await generateKeyPair('ES256')
const key = await exportJWK(keys.publicKey)
const seconds = () => Math.floor(Date.now() / 1_000)

interface Forged {
  readonly claims?: object
  readonly header?: object
  readonly privateKey?: CryptoKey | Uint8Array
}

/** A logout token for Bob, with what a test wants in place of what is right. */
function logoutToken({ claims, header, privateKey = keys.privateKey }: Forged = {}) {
  const at = { iat: seconds(), exp: seconds() + 120, jti: crypto.randomUUID() }
  const bob = { iss: issuer, aud: 'linnet', sub: 'bob', events: { [event]: {} } }
  return new SignJWT({ ...at, ...bob, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'logout+jwt', ...header })
    .sign(privateKey)
}

/** Bob is signed in, by a session of the provider that it calls `s1`. */
async function bobSignedIn(claims: object = { sid: 's1' }) {
  const { fetch, through, asked } = lyingProvider({ claims, keys: [key] })
  const linnet = await start({ issuer, createsAccounts: true }, { fetch })
  const { cookie } = await signIn(linnet, through)
  return { linnet, cookie, through, asked }
}

const unsigned = (token: string) => {
  const [, claims] = token.split('.')
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`
}

describe('a logout token', () => {
  it.each<[string, object, boolean]>([
    ['for the subject', {}, false],
    ['for the session', { sub: undefined, sid: 's1' }, false],
    ['for both', { sid: 's1' }, false],
    ['that is four minutes over', { exp: seconds() - 240 }, false],
    ['for several clients', { aud: ['other', 'linnet'] }, false],
    ['for another subject', { sub: 'eve' }, true],
    ['for another session', { sid: 's2' }, true],
    ['for another session alone', { sub: undefined, sid: 's2' }, true],
    ['for the session of somebody else', { sub: 'eve', sid: 's1' }, true],
  ])('%s is heard', async (_, claims, isLeft) => {
    const { linnet, cookie } = await bobSignedIn()
    const { status, headers } = await tell(linnet, await logoutToken({ claims }))
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(await isSignedIn(linnet, cookie)).toBe(isLeft)
  })

  it('ends what the provider opened without saying by which session, if it names the person', async () => {
    const { linnet, cookie } = await bobSignedIn({})
    expect(
      (await tell(linnet, await logoutToken({ claims: { sub: undefined, sid: 's1' } }))).status,
    ).toBe(200)
    expect(await isSignedIn(linnet, cookie)).toBe(true)
    await tell(linnet, await logoutToken({ claims: { sid: 's1' } }))
    expect(await isSignedIn(linnet, cookie)).toBe(false)
  })

  it.each<[string, Forged, string]>([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, 'iss'],
    ['without an issuer', { claims: { iss: undefined } }, 'iss'],
    ['for another client', { claims: { aud: 'other' } }, 'aud'],
    ['for nobody', { claims: { aud: undefined } }, 'aud'],
    ['that is over for more than five minutes', { claims: { exp: seconds() - 310 } }, 'exp'],
    ['that is never over', { claims: { exp: undefined } }, 'exp'],
    ['from the future', { claims: { iat: seconds() + 600 } }, 'iat'],
    ['from an hour ago', { claims: { iat: seconds() - 3_600 } }, 'iat'],
    ['without a time', { claims: { iat: undefined } }, 'iat'],
    ['without an id', { claims: { jti: undefined } }, 'no logout token'],
    ['without events', { claims: { events: undefined } }, 'no logout token'],
    ['of another event', { claims: { events: { other: {} } } }, 'no logout token'],
    ['whose event is no object', { claims: { events: { [event]: true } } }, 'no logout token'],
    ['with a nonce', { claims: { nonce: 'x' } }, 'no logout token'],
    ['of nobody', { claims: { sub: undefined } }, 'no logout token'],
    ['of another type', { header: { typ: 'at+jwt' } }, 'another type'],
    ['signed by another key', { privateKey: others.privateKey }, 'signature verification failed'],
    ['with a key that the provider does not have', { header: { kid: 'other' } }, 'key'],
    [
      'signed by the secret',
      { header: { alg: 'HS256' }, privateKey: Buffer.from('the secret of this client, and more') },
      'alg',
    ],
  ])('%s ends nothing', async (_, forged, why) => {
    const { linnet, cookie } = await bobSignedIn()
    const { status, headers, text } = await tell(linnet, await logoutToken(forged))
    expect([status, headers['cache-control']]).toEqual([400, 'no-store'])
    expect(JSON.parse(text)).toMatchObject({ error: 'invalid_request' })
    expect(await isSignedIn(linnet, cookie)).toBe(true)
    expect(linnet.log.join('\n')).toMatch(new RegExp(`Nobody was signed out.*${why}`))
  })

  it('that is not signed, changed, or none at all ends nothing', async () => {
    const { linnet, cookie } = await bobSignedIn()
    const right = await logoutToken()
    const changed = right.replace(/\.[^.]+\./, `.${(await logoutToken()).split('.')[1]}.`)
    for (const token of [unsigned(right), changed, '', 'x.y.z']) {
      expect((await tell(linnet, token)).status).toBe(400)
    }
    expect((await linnet.visit(path, { query: `?logout_token=${right}` })).status).toBe(405)
    expect(await isSignedIn(linnet, cookie)).toBe(true)
  })

  it('works once, also after a restart', async () => {
    const { linnet, cookie, through } = await bobSignedIn()
    const token = await logoutToken()
    expect((await tell(linnet, token)).status).toBe(200)
    expect(await isSignedIn(linnet, cookie)).toBe(false)
    const later = await linnet.restart([plugin, 'analytics.visitsTracking'])
    const { cookie: second } = await signIn(later, through)
    expect((await tell(later, token)).status).toBe(400)
    expect(later.log.join('\n')).toContain('it was used before')
    expect(await isSignedIn(later, second)).toBe(true)
  })

  it('leaves what a password opened, and other people', async () => {
    const { linnet } = await bobSignedIn()
    const ada = { email: 'carol@example.org', password: 'correct horse battery' }
    await linnet.api('POST', '/admin/accounts', { ...ada, fullName: 'Carol' })
    const signedIn = await linnet.api('POST', '/session', ada, { cookie: '' })
    const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
    await tell(linnet, await logoutToken())
    expect(await isSignedIn(linnet, cookie)).toBe(true)
  })

  it('has the keys read once, however many are sent', async () => {
    const { linnet, asked } = await bobSignedIn()
    const before = asked.filter(it => it === '/keys').length
    for (let i = 0; i < 5; i++) {
      await tell(linnet, await logoutToken({ header: { kid: `other ${i}` } }))
    }
    expect(asked.filter(it => it === '/keys').length - before).toBe(1)
  })

  it('of a provider that is not set up is not heard', async () => {
    const linnet = await start({}, { fetch: ask })
    expect((await tell(linnet, await logoutToken())).status).toBe(404)
  })
})
