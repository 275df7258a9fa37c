import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../../../../core/lib/passwords.ts'
import { publicId } from '../../../../../core/lib/public-id.ts'
import { itAtNight } from '../../../../at-night.ts'
import { addAccount, day, minute } from '../../../accounts/fixtures.ts'
import { anInstance } from '../instance.ts'

const passwordHash = await hashPassword('analytical engine')
const right = { email: 'ada@example.org', password: 'analytical engine' }
const wrong = { ...right, password: 'difference engine' }

async function withAda() {
  const instance = await anInstance()
  const account = await addAccount(instance.db, { email: right.email, passwordHash })
  const signIn = (body: object, options = {}) =>
    instance.send('POST', '/session', { body, ...options })
  return { ...instance, account, signIn }
}

function sessionIn(headers: Headers): string {
  return /^linnet=([^;]+);/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
}

describe('signing in', () => {
  test('answers with the profile and a cookie that no script reads', async () => {
    const { signIn, send } = await withAda()
    const { status, headers, body } = await signIn(right)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ email: right.email, plan: { slug: 'unlimited' } })
    expect(headers.get('set-cookie')).toMatch(
      /^linnet=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(await send('GET', '/profile', { session: sessionIn(headers) })).toMatchObject({
      status: 200,
    })
  })

  test('gives the same answer for a wrong password and an unknown address', async () => {
    const { signIn } = await withAda()
    const first = await signIn(wrong)
    const second = await signIn({ ...wrong, email: 'eve@example.org' })
    expect(first).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect(first.headers.has('set-cookie')).toBe(false)
    const { requestId: _, ...problem } = first.body
    expect(second.body).toMatchObject(problem)
  })

  test('ends the session that the browser had before', async () => {
    const { signIn, send, db } = await withAda()
    const planted = sessionIn((await signIn(right)).headers)
    const { headers } = await signIn(right, { session: planted })
    expect(sessionIn(headers)).not.toBe(planted)
    expect(await send('GET', '/profile', { session: planted })).toMatchObject({ status: 401 })
    expect(await db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
  })

  test.each([
    [{}, ['email', 'password']],
    [{ ...right, remember: true }, ['remember']],
    [{ ...right, email: ['ada@example.org'] }, ['email']],
  ])('with %j is 422 in %j', async (body, fields) => {
    const { signIn } = await withAda()
    const { status, body: problem } = await signIn(body)
    expect([status, problem.errors.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      fields,
    ])
  })
})

describe('guessing', () => {
  test('is told with every answer how many wrong tries are left, also who was right', async () => {
    const { signIn } = await withAda()
    const leftAfter = async (body: object) => {
      const { headers } = await signIn(body)
      expect(headers.get('ratelimit-policy')).toBe('"default";q=10;w=60')
      return Number(headers.get('ratelimit')?.match(/^"default";r=(\d+);t=\d+$/)?.[1])
    }
    expect(await leftAfter(right)).toBe(10)
    expect(await leftAfter(wrong)).toBe(9)
    expect(await leftAfter({ ...right, remember: true })).toBe(10)
    expect(await leftAfter({ ...wrong, email: 'ADA@example.org' })).toBe(8)
    expect(await leftAfter(right)).toBe(8)
  })

  test('ends after ten tries a minute, for the right password too', async () => {
    const { signIn, client } = await withAda()
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await signIn(wrong)).toMatchObject({ status: 401 })
    }
    const { status, headers, body } = await signIn({ ...right, email: 'ADA@example.org' })
    expect([status, body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(headers.get('ratelimit-policy')).toMatch(/^"default";q=\d+;w=60$/)
    expect(headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/)

    client.ip = '192.0.2.2'
    expect(await signIn(right)).toMatchObject({ status: 201 })
  })

  test('costs nothing when it is right, however often', async () => {
    const { signIn } = await withAda()
    for (let times = 0; times < 70; times += 1) {
      expect((await signIn(right)).status).toBe(201)
    }
  })

  test('at one account ends after a hundred in an hour, but not for who was right before', async () => {
    const { signIn, client } = await withAda()
    expect((await signIn(right)).status).toBe(201)
    const guessFrom = async (ip: string) => {
      client.ip = ip
      return (await signIn(wrong)).status
    }
    const statuses = []
    for (let n = 0; n < 104; n += 1) statuses.push(await guessFrom(`198.51.100.${n}`))
    expect(statuses.filter(status => status === 401)).toHaveLength(100)
    expect(statuses.slice(100)).toEqual([429, 429, 429, 429])
    client.ip = '203.0.113.1'
    const shut = await signIn(right)
    expect(shut).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(3_000)
    client.ip = '192.0.2.1'
    expect((await signIn(right)).status).toBe(201)
  })

  itAtNight(
    'is counted for the /48 around a client too, which may have 65,536 addresses of its own',
    async () => {
      const { signIn, client } = await withAda()
      const statuses = []
      for (let n = 0; n < 602; n += 1) {
        client.ip = `2001:db8:1:${n.toString(16)}::1`
        statuses.push((await signIn({ ...wrong, email: `person${n}@example.org` })).status)
      }
      expect(statuses.filter(status => status === 401)).toHaveLength(600)
      expect(statuses.slice(600)).toEqual([429, 429])
      client.ip = '2001:db8:2::1'
      expect((await signIn(right)).status).toBe(201)
    },
  )

  test('is in the log by account, and never by what was typed', async () => {
    const { signIn, logged, account } = await withAda()
    await signIn(wrong)
    await signIn({ email: 'difference engine', password: 'ada@example.org' })
    const of = publicId('acc', account.id)
    const ofAll = { event: 'wrong_guess', client: '192.0.2.1', secret: 'sign-in' }
    expect(logged).toEqual([
      { ...ofAll, of },
      { ...ofAll, of: undefined },
    ])
  })
})

describe('signing out', () => {
  test('ends the session and takes the cookie away', async () => {
    const { send, sessionOf, account } = await withAda()
    const session = await sessionOf(account)
    const { status, headers } = await send('DELETE', '/session', { session })
    expect(status).toBe(204)
    expect(headers.get('set-cookie')).toBe('linnet=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
    expect(await send('GET', '/profile', { session })).toMatchObject({ status: 401 })
  })

  test('works without a session as well', async () => {
    const { send } = await withAda()
    expect(await send('DELETE', '/session', { session: 'over' })).toMatchObject({ status: 204 })
    expect(await send('DELETE', '/session')).toMatchObject({ status: 204 })
  })

  test('is not done for a page of another site', async () => {
    const { send, sessionOf, account } = await withAda()
    const session = await sessionOf(account)
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect(await send('DELETE', '/session', { session, headers })).toMatchObject({ status: 403 })
    expect(await send('GET', '/profile', { session })).toMatchObject({ status: 200 })
  })
})

test('the state tells a dashboard which form to show', async () => {
  const instance = await anInstance()
  const state = async (session?: string) =>
    (await instance.send('GET', '/session', session ? { session } : {})).body
  expect(await state()).toEqual({
    data: {
      isSetUp: false,
      isSignedIn: false,
      passwords: 'everybody',
      providers: [],
      firstSteps: [],
      asksPassword: false,
      mailsLinks: false,
      newAccountUrl: null,
      leaveUrl: null,
    },
  })
  const session = await instance.sessionOf(await addAccount(instance.db))
  expect(await state()).toEqual({
    data: {
      isSetUp: true,
      isSignedIn: false,
      passwords: 'everybody',
      providers: [],
      firstSteps: [],
      asksPassword: false,
      mailsLinks: false,
      newAccountUrl: null,
      leaveUrl: null,
    },
  })
  expect(await state(session)).toEqual({
    data: {
      isSetUp: true,
      isSignedIn: true,
      passwords: 'everybody',
      providers: [],
      firstSteps: [],
      // It was opened without a password.
      asksPassword: false,
      mailsLinks: false,
      newAccountUrl: null,
      leaveUrl: null,
    },
  })
  instance.clock.advance(8 * day)
  expect(await state(session)).toEqual({
    data: {
      isSetUp: true,
      isSignedIn: false,
      passwords: 'everybody',
      providers: [],
      firstSteps: [],
      asksPassword: false,
      mailsLinks: false,
      newAccountUrl: null,
      leaveUrl: null,
    },
  })
})

async function withSessions() {
  const instance = await anInstance()
  const account = await addAccount(instance.db)
  const list = async (options: object) =>
    (await instance.send('GET', '/sessions', options)).body.data
  return { ...instance, account, list }
}

describe('your sessions', () => {
  test('are listed by their times, and the present one is marked', async () => {
    const { account, clock, sessionOf, list } = await withSessions()
    await sessionOf(account)
    clock.advance(5 * minute)
    const session = await sessionOf(account)
    expect(await list({ session })).toEqual([
      {
        id: expect.stringMatching(/^ses_[0-9a-f]{24}$/),
        methods: ['pwd'],
        createdAt: '2026-11-20T12:05:00.000Z',
        authenticatedAt: '2026-11-20T12:05:00.000Z',
        lastSeenAt: '2026-11-20T12:05:00.000Z',
        isCurrent: true,
      },
      {
        id: expect.stringMatching(/^ses_/),
        methods: ['pwd'],
        createdAt: '2026-11-20T12:00:00.000Z',
        authenticatedAt: '2026-11-20T12:00:00.000Z',
        lastSeenAt: '2026-11-20T12:00:00.000Z',
        isCurrent: false,
      },
    ])
  })

  test('that are over are not listed, nor those of others', async () => {
    const { db, account, clock, sessionOf, list } = await withSessions()
    await sessionOf(account)
    clock.advance(8 * day)
    await sessionOf(await addAccount(db))
    const session = await sessionOf(account)
    expect(await list({ session })).toMatchObject([{ isCurrent: true }])
  })

  test('end when you say so, each on its own', async () => {
    const { account, clock, sessionOf, send, list } = await withSessions()
    const other = await sessionOf(account)
    clock.advance(minute)
    const session = await sessionOf(account)
    const [, { id }] = await list({ session })
    expect((await send('DELETE', `/sessions/${id}`, { session })).status).toBe(204)
    expect((await send('GET', '/profile', { session: other })).status).toBe(401)
    expect((await send('DELETE', `/sessions/${id}`, { session })).status).toBe(404)
    expect(await list({ session })).toHaveLength(1)
  })

  test('are ended by nobody else', async () => {
    const { db, account, sessionOf, send, list } = await withSessions()
    const session = await sessionOf(account)
    const [{ id }] = await list({ session })
    const stranger = await sessionOf(await addAccount(db))
    expect((await send('DELETE', `/sessions/${id}`, { session: stranger })).status).toBe(404)
    expect(await list({ session })).toHaveLength(1)
  })

  test('can be seen by a token that allows everything, which is none of them', async () => {
    const { account, sessionOf, tokenOf, list } = await withSessions()
    await sessionOf(account)
    expect(await list({ token: await tokenOf(account) })).toMatchObject([{ isCurrent: false }])
  })
})
