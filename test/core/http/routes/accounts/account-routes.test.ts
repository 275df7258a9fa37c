import { describe, expect, test } from 'vitest'
import { findAccountByEmail } from '../../../../../core/accounts/accounts.ts'
import { addAccount, countLinks, minute } from '../../../accounts/fixtures.ts'
import { anInstance } from '../instance.ts'

const bob = { email: 'bob@example.org', password: 'a good password' }

async function withAdmin() {
  const instance = await anInstance()
  const admin = await addAccount(instance.db, { email: 'ada@example.org', isAdmin: true })
  const session = await instance.sessionOf(admin)
  const send = (method: string, path: string, options = {}) =>
    instance.send(method, `/admin/accounts${path}`, { session, ...options })
  const make = async (body: object = bob) => (await send('POST', '', { body })).body.data
  return { ...instance, admin, send, make, sendAnywhere: instance.send }
}

describe('an admin', () => {
  test('makes an account, on the plan without limits unless said otherwise', async () => {
    const { send } = await withAdmin()
    const { status, headers, body } = await send('POST', '', { body: bob })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v1/admin/accounts/${body.data.id}`)
    expect(body.data).toEqual({
      id: expect.stringMatching(/^acc_/),
      email: 'bob@example.org',
      fullName: null,
      initials: 'B',
      avatarUrl: null,
      isAdmin: false,
      hasPassword: true,
      emailVerifiedAt: null,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
      plan: 'unlimited',
      suspendedAt: null,
      linksClosed: false,
      signedInAt: null,
      oneTimeLink: null,
      oneTimeLinkSecret: null,
    })
  })

  test('makes no two accounts with one address', async () => {
    const { send } = await withAdmin()
    const body = { ...bob, email: 'ADA@example.org' }
    expect(await send('POST', '', { body })).toMatchObject({
      status: 409,
      body: { code: 'email_taken', errors: [{ field: 'email' }] },
    })
  })

  test('shows, changes and deletes an account', async () => {
    const { send, make, forgotten } = await withAdmin()
    const { id } = await make()
    const body = { plan: 'pro', full_name: 'Bob', isAdmin: true }
    const changed = await send('PATCH', `/${id}`, { body })
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { plan: 'pro', fullName: 'Bob', isAdmin: true } },
    })
    expect((await send('GET', `/${id}`)).body).toEqual(changed.body)
    expect(forgotten).toHaveLength(1)
    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 204 })
    expect(forgotten).toHaveLength(2)
    expect(await send('GET', `/${id}`)).toMatchObject({ status: 404 })
  })

  test('gives a new password, which signs everybody else out', async () => {
    const { send, make, sendAnywhere } = await withAdmin()
    const { id } = await make()
    const signIn = (password: string) =>
      sendAnywhere('POST', '/session', { body: { ...bob, password } })
    const before = (await signIn(bob.password)).headers.get('set-cookie') ?? ''
    const session = /^linnet=([^;]+)/.exec(before)?.[1] ?? ''
    expect(await sendAnywhere('GET', '/profile', { session })).toMatchObject({ status: 200 })

    await send('PATCH', `/${id}`, { body: { password: 'a better password' } })
    expect(await sendAnywhere('GET', '/profile', { session })).toMatchObject({ status: 401 })
    expect(await signIn(bob.password)).toMatchObject({ status: 401 })
    expect(await signIn('a better password')).toMatchObject({ status: 201 })
  })

  test('cannot be the last to leave', async () => {
    const { send } = await withAdmin()
    const { id } = (await send('GET', '')).body.data[0]
    expect(await send('PATCH', `/${id}`, { body: { is_admin: false } })).toMatchObject({
      status: 409,
    })
    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 409 })
  })

  test('changes only the version that was meant', async () => {
    const { send, make, clock } = await withAdmin()
    const { id } = await make()
    const headers = { 'if-match': (await send('GET', `/${id}`)).headers.get('etag') ?? '' }
    clock.advance(minute)
    await send('PATCH', `/${id}`, { body: { full_name: 'Bob' } })
    const body = { full_name: 'Robert' }
    expect(await send('PATCH', `/${id}`, { body, headers })).toMatchObject({ status: 412 })
    expect(await send('DELETE', `/${id}`, { headers })).toMatchObject({ status: 412 })
  })

  test.each([
    ['POST', { ...bob, password: 'short' }, 'password'],
    ['POST', { ...bob, password: 'password1234' }, 'password'],
    ['POST', { ...bob, password: bob.email.toUpperCase() }, 'password'],
    ['PATCH', { password: 'c@example.org' }, 'password'],
    ['POST', { ...bob, plan: 'golden' }, 'plan'],
    ['POST', { ...bob, email_verified_at: null }, 'email_verified_at'],
    ['PATCH', { email: 'eve@example.org' }, 'email'],
    ['PATCH', { plan: null }, 'plan'],
    ['PATCH', { isAdmin: 1 }, 'isAdmin'],
  ])('%s %j is 422', async (method, body, field) => {
    const { send, make } = await withAdmin()
    const path = method === 'POST' ? '' : `/${(await make({ ...bob, email: 'c@example.org' })).id}`
    expect(await send(method, path, { body })).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    })
  })
})

describe('the scope admin alone', () => {
  test('neither opens an account nor makes anybody an admin', async () => {
    const { send, make, admin, tokenOf, sendAnywhere } = await withAdmin()
    const { id } = await make()
    const token = await tokenOf(admin, ['admin'])
    const call = (method: string, path: string, body: object) =>
      sendAnywhere(method, `/admin/accounts${path}`, { token, body })
    const needsMore = { status: 403, body: { code: 'insufficient_scope', requiredScope: '*' } }
    const password = 'a better password'
    expect(await call('PATCH', `/${id}`, { password })).toMatchObject(needsMore)
    expect(await call('PATCH', `/${id}`, { is_admin: true })).toMatchObject(needsMore)
    const eve = { email: 'eve@example.org', password }
    expect(await call('POST', '', { ...eve, is_admin: true })).toMatchObject(needsMore)
    expect(await call('PATCH', `/${id}`, { full_name: 'Bob' })).toMatchObject({ status: 200 })
    expect(await call('POST', '', eve)).toMatchObject({ status: 201 })
    expect((await send('GET', `/${id}`)).body.data.isAdmin).toBe(false)
  })
})

describe('the list', () => {
  test('comes in pages, with links to the others', async () => {
    const { send, db } = await withAdmin()
    for (let n = 0; n < 4; n += 1) await addAccount(db)
    const { body, headers } = await send('GET', '?page=2&per_page=2')
    expect(body.data).toHaveLength(2)
    expect(body.meta).toEqual({
      currentPage: 2,
      perPage: 2,
      total: 5,
      lastPage: 3,
      nextCursor: expect.any(String),
    })
    expect(body.links).toEqual({
      first: '/api/v1/admin/accounts?page=1&per_page=2',
      prev: '/api/v1/admin/accounts?page=1&per_page=2',
      next: `/api/v1/admin/accounts?cursor=${body.meta.nextCursor}&per_page=2`,
      last: '/api/v1/admin/accounts?page=3&per_page=2',
    })
    expect(headers.get('link')).toContain(`<${body.links.next}>; rel="next"`)
  })

  test('tells what each account uses, and when it was last seen', async () => {
    const { send, make, db, clock, sessionOf, tokenOf, sendAnywhere } = await withAdmin()
    await make()
    const [ada, bob] = (await send('GET', '')).body.data
    expect(ada).toMatchObject({ lastSeenAt: '2026-11-20T12:00:00.000Z' })
    const nothing = { linksCreatedThisMonth: 0, visitsTrackedThisMonth: 0 }
    expect(bob).toMatchObject({ email: 'bob@example.org', usage: nothing, lastSeenAt: null })

    const found = await findAccountByEmail(db, 'bob@example.org')
    if (!found) throw new Error('Bob is gone.')
    await countLinks(db, found.id, 10, 3, clock.now)
    await sessionOf(found)
    clock.advance(5 * minute)
    await sendAnywhere('GET', '/profile', { token: await tokenOf(found, ['*']) })
    const [, later] = (await send('GET', '')).body.data
    expect(later).toMatchObject({
      usage: { linksCreatedThisMonth: 3, visitsTrackedThisMonth: 0 },
      lastSeenAt: '2026-11-20T12:05:00.000Z',
    })
  })

  test('is searched by words of address and name, in any order and case', async () => {
    const { send, make } = await withAdmin()
    await make({ ...bob, full_name: 'Łukasz Żak' })
    const search = async (words: string) => {
      const { body } = await send('GET', `?search=${encodeURIComponent(words)}`)
      return [body.data.map(({ email }: { email: string }) => email), body.meta.total]
    }
    const isBob = [['bob@example.org'], 1]
    expect(await search('zak BOB')).toEqual(isBob)
    expect(await search('ŁUKASZ')).toEqual(isBob)
    expect(await search('example.org')).toEqual([['ada@example.org', 'bob@example.org'], 2])
    expect(await search('%')).toEqual([[], 0])
    expect(await send('GET', '?search=')).toMatchObject({ status: 422 })
    const { body } = await send('GET', '?search=example&per_page=1')
    expect(body.links.next).toContain('search=example')
    const next = await send('GET', body.links.next.replace('/api/v1/admin/accounts', ''))
    expect(next.body.data).toMatchObject([{ email: 'bob@example.org' }])
  })

  test.each(['page=0', 'page=x', 'per_page=101', 'per_page=', 'sort=email', 'page=1&page=2'])(
    '?%s is 422',
    async query => {
      const { send } = await withAdmin()
      expect(await send('GET', `?${query}`)).toMatchObject({ status: 422 })
    },
  )
})

describe('who is no admin', () => {
  test('sees nothing of it, whatever the token says', async () => {
    const { db, sendAnywhere, sessionOf, tokenOf } = await withAdmin()
    const account = await addAccount(db)
    const credentials = [
      { session: await sessionOf(account) },
      { token: await tokenOf(account, ['*']) },
      { token: await tokenOf(account, ['admin']) },
    ]
    for (const credential of credentials) {
      for (const path of ['/admin/accounts', '/admin/plans', '/admin/features']) {
        expect(await sendAnywhere('GET', path, credential)).toMatchObject({
          status: 403,
          body: { code: 'insufficient_scope', requiredScope: 'admin' },
        })
      }
    }
  })

  test('an admin whose token lacks the scope is turned away too', async () => {
    const { admin, sendAnywhere, tokenOf } = await withAdmin()
    const read = async (scope: string) =>
      sendAnywhere('GET', '/admin/accounts', { token: await tokenOf(admin, [scope]) })
    expect(await read('links:write')).toMatchObject({ status: 403 })
    expect(await read('admin')).toMatchObject({ status: 200 })
    expect(await read('*')).toMatchObject({ status: 200 })
  })
})

test.each(['acc_', 'acc_xxxxxxxx', '1', 'lnk_Gv8J65Sx'])('there is no account %s', async id => {
  const { send } = await withAdmin()
  expect(await send('GET', `/${id}`)).toMatchObject({ status: 404 })
  expect(await send('PATCH', `/${id}`, { body: {} })).toMatchObject({ status: 404 })
  expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 404 })
})
