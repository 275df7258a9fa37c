import { describe, expect, test } from 'vitest'
import { publicId } from '../../../../../core/lib/public-id.ts'
import { as, serve } from '../../serve.ts'
import { things } from '../../things.ts'

const thing = '/api/v1/things/thg_1'
const cookie = 'theme=dark; session=open'
const realm = 'Bearer realm="Linnet"'

describe('a credential', () => {
  test('must be there', async () => {
    const { call } = await serve(things)
    const answer = await call(thing)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe(realm)
    expect(await answer.json()).toMatchObject({ code: 'unauthenticated' })
  })

  test.each(['Bearer nope', 'Bearer', 'Bearer ', 'bearer all all', 'Bearer  '])(
    '"%s" is invalid, as RFC 6750 says it',
    async authorization => {
      const { call } = await serve(things)
      const answer = await call(thing, { headers: { authorization, cookie } })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe(`${realm}, error="invalid_token"`)
      expect(await answer.json()).toMatchObject({ code: 'invalid_token' })
    },
  )

  test.each(['Bearer all', 'bearer all', 'BEARER  all'])('"%s" is one', async authorization => {
    const { call } = await serve(things)
    expect((await call(thing, { headers: { authorization } })).status).toBe(200)
  })

  test('of another scheme is none of ours, and the session counts', async () => {
    const { call } = await serve(things)
    const authorization = 'Basic YTpi'
    expect((await call(thing, { headers: { authorization } })).status).toBe(401)
    expect((await call(thing, { headers: { authorization, cookie } })).status).toBe(200)
  })

  test('of a session is none where the page is that of another account', async () => {
    const { call } = await serve(things)
    const of = (account: string) => ({ headers: { cookie, 'linnet-account': account } })
    const answer = await call(thing, of('acc_another'))
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'unauthenticated' }])
    expect((await call(thing, of(publicId('acc', 1)))).status).toBe(200)
  })

  test('without the scope is told which one it needs', async () => {
    const { call } = await serve(things)
    const answer = await call(thing, as('reader', { method: 'DELETE' }))
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toBe(
      `${realm}, error="insufficient_scope", scope="things:write"`,
    )
    expect(await answer.json()).toMatchObject({
      code: 'insufficient_scope',
      requiredScope: 'things:write',
    })
  })

  test('that may do everything is still no admin', async () => {
    const { call } = await serve(things)
    expect((await call('/api/v1/admin/things', as('all'))).status).toBe(403)
    expect((await call('/api/v1/admin/things', as('admin'))).status).toBe(204)
  })

  test('is checked before the body is looked at', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things', as('reader', { method: 'POST', body: 'not JSON' }))
    expect(answer.status).toBe(403)
  })
})

describe('a session', () => {
  test.each(['GET', 'HEAD'])('reads by %s wherever the request comes from', async method => {
    const { call } = await serve(things)
    expect((await call(thing, { method, headers: { cookie } })).status).toBe(200)
    const elsewhere = { cookie, 'sec-fetch-site': 'cross-site' }
    expect((await call(thing, { method, headers: elsewhere })).status).toBe(200)
  })

  test.each(['session=open', 'a=b; session=open', 'xsession=no; session=open'])(
    'opens with the cookie in "%s"',
    async it => {
      const { call } = await serve(things)
      expect((await call(thing, { headers: { cookie: it } })).status).toBe(200)
    },
  )

  test.each(['session=closed', 'session=', 'Session=open', 'sessionx=open'])(
    'does not open with "%s"',
    async it => {
      const { call } = await serve(things)
      expect((await call(thing, { headers: { cookie: it } })).status).toBe(401)
    },
  )

  test.each([
    ['from nowhere we know', {}, 403],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['from a sister site', { 'sec-fetch-site': 'same-site' }, 403],
    ['typed in', { 'sec-fetch-site': 'none' }, 403],
    ['from our own pages', { 'sec-fetch-site': 'same-origin' }, 204],
    ['from another origin', { origin: 'https://evil.example' }, 403],
    ['from an origin that hides', { origin: 'null' }, 403],
    ['from an origin that begins like ours', { origin: 'https://go.example.evil.example' }, 403],
    ['from our own origin', { origin: 'https://go.example' }, 204],
    [
      'from another site that claims our origin',
      { origin: 'https://go.example', 'sec-fetch-site': 'cross-site' },
      403,
    ],
  ])('changes nothing when the request comes %s', async (_, headers, status) => {
    const { raw } = await serve(things)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const answer = await raw(
      `DELETE ${thing} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n${lines.join('')}Connection: close\r\n\r\n`,
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    if (status === 403) expect(answer).toContain('cross_site_request')
  })

  test('is nothing to a token, which no other site can send', async () => {
    const { raw } = await serve(things)
    const answer = await raw(
      `DELETE ${thing} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nSec-Fetch-Site: cross-site\r\nAuthorization: Bearer all\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 204 /)
  })

  test('cannot be swapped by another site either, though anyone may sign in', async () => {
    const { call } = await serve(things)
    const init = { method: 'POST', body: '{"email":"a"}' }
    const type = { 'content-type': 'application/json' }
    const answer = await call('/api/v1/session', { ...init, headers: { ...type, cookie } })
    expect(answer.status).toBe(403)
    const first = await call('/api/v1/session', { ...init, headers: type })
    expect(first.status).toBe(204)
    expect(first.headers.get('x-session')).toBe('none')
  })
})
