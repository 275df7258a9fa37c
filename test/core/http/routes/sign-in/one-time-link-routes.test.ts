import { describe, expect, test } from 'vitest'
import { forgetExpiredLinks } from '../../../../../core/accounts/access/one-time-links.ts'
import { findAccountByEmail } from '../../../../../core/accounts/accounts.ts'
import { addAccount, minute } from '../../../accounts/fixtures.ts'
import { anInstance } from '../instance.ts'

const day = 24 * 60 * minute
const password = 'four random words'
const bob = { email: 'bob@example.org', fullName: 'Bob' }

async function withAdmin() {
  const instance = await anInstance()
  const admin = await addAccount(instance.db, { email: 'ada@example.org', isAdmin: true })
  const session = await instance.sessionOf(admin)
  const asAdmin = (method: string, path: string, options = {}) =>
    instance.send(method, `/admin/accounts${path}`, { session, ...options })
  const account = async (id: string) => (await asAdmin('GET', `/${id}`)).body.data
  const link = async (id: string) => (await asAdmin('POST', `/${id}/one-time-link`)).body.data
  return {
    ...instance,
    admin,
    asAdmin,
    account,
    link,
    async invite(): Promise<{ readonly id: string; readonly secret: string }> {
      const { id } = (await asAdmin('POST', '', { body: bob })).body.data
      return { id, secret: (await link(id)).secret }
    },
    open: (secret: string) => instance.send('POST', '/one-time-link/open', { body: { secret } }),
    use: (secret: string, chosen: unknown = password, session?: string) =>
      instance.send('POST', '/one-time-link/use', {
        body: { secret, password: chosen },
        ...(session !== undefined && { session }),
      }),
    signIn: (body: object) => instance.send('POST', '/session', { body }),
  }
}

const invalid = { status: 403, body: { code: 'invalid_one_time_link' } }

describe('an invitation', () => {
  test('comes with the account in one step, if that is asked for', async () => {
    const { asAdmin, use } = await withAdmin()
    const body = { ...bob, invite: true }
    const twice = await asAdmin('POST', '', { body: { ...body, password } })
    expect(twice).toMatchObject({ status: 422, body: { errors: [{ field: 'invite' }] } })
    const made = await asAdmin('POST', '', { body })
    expect(made).toMatchObject({
      status: 201,
      body: { data: { oneTimeLink: { expiresAt: '2026-11-27T12:00:00.000Z' } } },
    })
    expect((await use(made.body.data.oneTimeLinkSecret)).status).toBe(201)
    const eve = { email: 'eve@example.org', password }
    const plain = await asAdmin('POST', '', { body: eve })
    expect(plain.body.data).toMatchObject({ oneTimeLink: null, oneTimeLinkSecret: null })
  })

  test('lets somebody choose a password, once, and signs them in', async () => {
    const { asAdmin, link, open, use, send, signIn } = await withAdmin()
    const made = await asAdmin('POST', '', { body: bob })
    expect(made).toMatchObject({
      status: 201,
      body: { data: { hasPassword: false, oneTimeLink: null } },
    })
    const { id } = made.body.data
    const { secret, expiresAt } = await link(id)
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(expiresAt).toBe('2026-11-27T12:00:00.000Z')
    expect(await open(secret)).toMatchObject({
      status: 200,
      body: { data: { email: bob.email, fullName: 'Bob', hasPassword: false } },
    })

    const used = await use(secret)
    expect(used).toMatchObject({
      status: 201,
      body: { data: { email: bob.email, hasPassword: true } },
    })
    expect(await send('GET', '/profile', { session: sessionIn(used) })).toMatchObject({
      status: 200,
    })
    expect(await signIn({ email: bob.email, password })).toMatchObject({ status: 201 })
    expect(await use(secret)).toMatchObject(invalid)
    expect(await open(secret)).toMatchObject(invalid)
  })

  test('nobody gets in before it is used', async () => {
    const { invite, signIn } = await withAdmin()
    await invite()
    for (const guess of ['', 'null', password]) {
      expect(await signIn({ email: bob.email, password: guess })).toMatchObject({ status: 401 })
    }
  })

  test('waits in the list of accounts until it is used', async () => {
    const { asAdmin, invite, use, account } = await withAdmin()
    const { id, secret } = await invite()
    const listed = async () => (await asAdmin('GET', '')).body.data.at(-1).oneTimeLink
    const waiting = {
      createdAt: '2026-11-20T12:00:00.000Z',
      expiresAt: '2026-11-27T12:00:00.000Z',
    }
    expect([await listed(), (await account(id)).oneTimeLink]).toEqual([waiting, waiting])
    await use(secret)
    expect([await listed(), (await account(id)).oneTimeLink]).toEqual([null, null])
  })

  test('is used up by one of those who use it at the same moment', async () => {
    const { invite, use } = await withAdmin()
    const { secret } = await invite()
    const answers = await Promise.all(
      ['first of them', 'second of them'].map(it => use(secret, it)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403])
  })

  test('is not used up by a password that will not do', async () => {
    const { invite, use, open } = await withAdmin()
    const { secret } = await invite()
    for (const wrong of ['short', 'password1234', bob.email, null]) {
      expect(await use(secret, wrong)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'password' }] },
      })
    }
    expect(await open(secret)).toMatchObject({ status: 200 })
  })

  test.each([
    [
      'is revoked',
      async ({ asAdmin }: Instance, id: string) => asAdmin('DELETE', `/${id}/one-time-link`),
    ],
    ['is made anew', async ({ link }: Instance, id: string) => link(id)],
    ['expires', async ({ clock }: Instance) => clock.advance(7 * day)],
    [
      'has its account deleted',
      async ({ asAdmin }: Instance, id: string) => asAdmin('DELETE', `/${id}`),
    ],
    [
      'has the password set for it',
      async ({ asAdmin }: Instance, id: string) =>
        asAdmin('PATCH', `/${id}`, { body: { password } }),
    ],
  ])('ends when it %s', async (_, end) => {
    const instance = await withAdmin()
    const { id, secret } = await instance.invite()
    await end(instance, id)
    expect(await instance.open(secret)).toMatchObject(invalid)
    expect(await instance.use(secret)).toMatchObject(invalid)
  })

  test('is kept as a digest', async () => {
    const { db, invite } = await withAdmin()
    const { secret } = await invite()
    const rows = await db.selectFrom('one_time_links').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

test('a new password in place of an old one ends the API tokens too; a first password ends none', async () => {
  const { db, asAdmin, link, use, tokenOf, send } = await withAdmin()
  const { id } = (await asAdmin('POST', '', { body: bob })).body.data
  const account = await findAccountByEmail(db, bob.email)
  if (!account) throw new Error('Bob is gone.')
  const token = await tokenOf(account)
  const statusOf = async () => (await send('GET', '/profile', { token })).status
  expect((await use((await link(id)).secret)).status).toBe(201)
  expect(await statusOf()).toBe(200)
  expect((await use((await link(id)).secret, 'five random words')).status).toBe(201)
  expect(await statusOf()).toBe(401)
})

test('one-time links that have expired are deleted, and those that wait are not', async () => {
  const { db, admin, asAdmin, sessionOf, invite, open, clock } = await withAdmin()
  await invite()
  clock.advance(6 * day)
  const body = { ...bob, email: 'carol@example.org' }
  const { id } = (await asAdmin('POST', '', { body })).body.data
  const session = await sessionOf(admin)
  const { secret } = (await asAdmin('POST', `/${id}/one-time-link`, { session })).body.data
  clock.advance(day)
  await forgetExpiredLinks(db, clock.now)
  expect(await db.selectFrom('one_time_links').selectAll().execute()).toHaveLength(1)
  expect(await open(secret)).toMatchObject({ status: 200 })
})

describe('a link to a new password', () => {
  test('works for a day, and ends the sessions of before', async () => {
    const { asAdmin, link, open, use, send, signIn, clock } = await withAdmin()
    const { id } = (await asAdmin('POST', '', { body: { ...bob, password: 'the old password' } }))
      .body.data
    const before = sessionIn(await signIn({ email: bob.email, password: 'the old password' }))
    const { secret, expiresAt } = await link(id)
    expect(expiresAt).toBe('2026-11-21T12:00:00.000Z')
    expect(await open(secret)).toMatchObject({ body: { data: { hasPassword: true } } })
    clock.advance(day - 1)
    expect(await use(secret)).toMatchObject({ status: 201 })
    expect(await send('GET', '/profile', { session: before })).toMatchObject({ status: 401 })
  })

  test('takes the place of who was signed in in this browser', async () => {
    const { admin, invite, use, send, sessionOf } = await withAdmin()
    const others = await sessionOf(admin)
    const { secret } = await invite()
    expect(await use(secret, password, others)).toMatchObject({ status: 201 })
    expect(await send('GET', '/profile', { session: others })).toMatchObject({ status: 401 })
  })
})

describe('a secret', () => {
  test('cannot be guessed: after ten wrong ones in a minute no more are looked at', async () => {
    const { invite, open, use, client, logged } = await withAdmin()
    const { secret } = await invite()
    for (let at = 0; at < 5; at++) {
      expect(await open(`wrong ${at}`)).toMatchObject(invalid)
      expect(await use(`wrong ${at}`)).toMatchObject(invalid)
    }
    const late = await open(secret)
    expect(late).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await use(secret)).toMatchObject({ status: 429 })
    expect(logged.at(-1)).toMatchObject({ event: 'too_many_guesses', secret: 'one-time link' })
    expect(JSON.stringify(logged)).not.toContain(secret)

    client.ip = '198.51.100.7'
    expect(await open(secret)).toMatchObject({ status: 200 })
  })
})

describe('only an admin who may do everything', () => {
  test('makes a link', async () => {
    const { db, send, tokenOf, admin, invite } = await withAdmin()
    const { id } = await invite()
    const path = `/admin/accounts/${id}/one-time-link`
    const token = await tokenOf(admin, ['admin'])
    expect(await send('POST', path, { token })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', requiredScope: '*' },
    })
    const carol = await addAccount(db, { email: 'carol@example.org' })
    const others = await tokenOf(carol)
    expect(await send('POST', path, { token: others })).toMatchObject({ status: 403 })
    expect(await send('DELETE', path, { token: others })).toMatchObject({ status: 403 })
    expect(await send('DELETE', path, { token })).toMatchObject({ status: 204 })
  })

  test('and only of an account that is there', async () => {
    const { asAdmin, invite } = await withAdmin()
    expect(await asAdmin('POST', '/acc_nobody/one-time-link')).toMatchObject({ status: 404 })
    const { id } = await invite()
    expect(await asAdmin('DELETE', `/${id}/one-time-link`)).toMatchObject({ status: 204 })
    expect(await asAdmin('DELETE', `/${id}/one-time-link`)).toMatchObject({ status: 404 })
  })
})

type Instance = Awaited<ReturnType<typeof withAdmin>>

function sessionIn({ headers }: { readonly headers: Headers }): string {
  return /=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
}
