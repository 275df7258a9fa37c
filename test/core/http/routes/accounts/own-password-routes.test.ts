import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../../../../core/lib/passwords.ts'
import { addAccount } from '../../../accounts/fixtures.ts'
import { anInstance } from '../instance.ts'

const old = 'analytical engine'
const fresh = 'difference engine'
const passwordHash = await hashPassword(old)

async function withAda(given: { passwordHash?: string } = { passwordHash }) {
  const instance = await anInstance()
  const account = await addAccount(instance.db, { email: 'ada@example.org', ...given })
  const { send, sessionOf } = instance
  const signIn = async (password: string) =>
    (await send('POST', '/session', { body: { email: account.email, password } })).status
  const session = await sessionOf(account)
  const change = (body: object, options: object = { session }) =>
    send('PATCH', '/profile/password', { body, ...options })
  return { ...instance, account, session, signIn, change }
}

describe('changing your own password', () => {
  test('ends all sessions but the one that it opens in the place of yours', async () => {
    const { account, session, sessionOf, send, signIn, change } = await withAda()
    const other = await sessionOf(account)
    const { status, headers } = await change({ current_password: old, new_password: fresh })
    expect(status).toBe(204)
    const mine = /^linnet=([^;]+);/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
    const statusOf = async (id: string) => (await send('GET', '/profile', { session: id })).status
    expect(await Promise.all([mine, session, other].map(statusOf))).toEqual([200, 401, 401])
    expect([await signIn(old), await signIn(fresh)]).toEqual([401, 201])
  })

  test.each([
    [{ current_password: 'a guess', new_password: fresh }, 'current_password', 'wrong_password'],
    [{ new_password: fresh }, 'current_password', 'wrong_password'],
    [{ current_password: old, new_password: 'short' }, 'new_password', 'too_small'],
    [{ current_password: old }, 'new_password', 'required'],
  ])('with %j is refused and changes nothing', async (body, field, code) => {
    const { change, signIn } = await withAda()
    const { status, body: problem } = await change(body)
    expect([status, problem.errors]).toMatchObject([422, [{ field, code }]])
    expect(await signIn(old)).toBe(201)
  })

  test('is not a way to guess it: after ten tries a minute the right one is refused too', async () => {
    const { change } = await withAda()
    for (let left = 9; left >= 0; left -= 1) {
      const wrong = { current_password: 'a guess', new_password: fresh }
      const { status, headers } = await change(wrong)
      expect(status).toBe(422)
      expect(headers.get('ratelimit')).toMatch(`;r=${left};`)
    }
    const { status, headers } = await change({ current_password: old, new_password: fresh })
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('can be done by a token that allows everything and who knows the present one', async () => {
    const { account, session, tokenOf, send, change } = await withAda()
    const change1 = { current_password: old, new_password: fresh }
    const reader = { token: await tokenOf(account, ['profile:read']) }
    expect((await change(change1, reader)).status).toBe(403)
    const { status, headers } = await change(change1, { token: await tokenOf(account) })
    expect([status, headers.has('set-cookie')]).toEqual([204, false])
    expect((await send('GET', '/profile', { session })).status).toBe(401)
  })

  test('gives an account its first one, but not by a token', async () => {
    const { account, tokenOf, change, signIn } = await withAda({})
    const byToken = await change({ new_password: fresh }, { token: await tokenOf(account) })
    expect(byToken).toMatchObject({ status: 403, body: { code: 'session_required' } })
    const guess = await change({ current_password: 'a guess', new_password: fresh })
    expect(guess).toMatchObject({ status: 422, body: { code: 'wrong_password' } })
    expect((await change({ current_password: null, new_password: fresh })).status).toBe(204)
    expect(await signIn(fresh)).toBe(201)
  })

  test('is not done for a page of another site', async () => {
    const { session, change } = await withAda()
    const headers = { 'sec-fetch-site': 'cross-site' }
    const body = { current_password: old, new_password: fresh }
    expect((await change(body, { session, headers })).status).toBe(403)
  })
})
