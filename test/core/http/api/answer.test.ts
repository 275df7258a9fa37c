import { expect, test } from 'vitest'
import { z } from 'zod'
import { createIdempotency } from '../../../../core/http/api/repeat/idempotency.ts'
import { always, route } from '../../../../core/http/api/route/route.ts'
import { createLog } from '../../../../core/http/server/log.ts'
import { createOwnTurns } from '../../../../core/lib/async/own-turns.ts'
import { createSlots } from '../../../../core/lib/async/slots.ts'
import { cursorText, pageQuery } from '../../../../core/plugin/lists/paging.ts'
import { refuse } from '../../../../core/plugin/outcomes.ts'
import { addAccount, openTestDb } from '../../accounts/fixtures.ts'
import { client, get } from '../fast-lane/seen.ts'
import { serve } from '../serve.ts'

/** Well-formed, and not signed by this server. */
const cursor = `${cursorText({ page: 2, after: [7] })}.unsigned`

/** What a client changes in its request, and how that is answered then. */
const steps: readonly [change: Readonly<Record<string, string>>, status: number, says: string][] = [
  [{ path: '/nothing', method: 'PATCH' }, 404, 'not_found'],
  [{ path: `/orders?what=1&cursor=${cursor}` }, 405, 'method_not_allowed'],
  [{ method: 'POST' }, 401, 'unauthenticated'],
  [{ authorization: 'Bearer reader' }, 403, 'insufficient_scope'],
  [{ authorization: '', cookie: 'session=open' }, 415, 'unsupported_media_type'],
  [{ 'content-type': 'application/json' }, 400, 'malformed_json'],
  [{ body: '{}' }, 422, 'validation_failed of name, what'],
  [
    { body: '{"name":"taken"}', path: `/orders?cursor=${cursor}` },
    422,
    'validation_failed of cursor',
  ],
  [{ path: '/orders' }, 403, 'fresh_sign_in_required'],
  [{}, 422, 'wrong_password'],
  [
    { body: '{"name":"taken","currentPassword":"mine"}' },
    422,
    'validation_failed of Idempotency-Key',
  ],
  [{ 'idempotency-key': 'one' }, 409, 'name_taken of name'],
  [{ body: '{"name":"free","currentPassword":"mine"}' }, 201, ''],
]

test('a request that is wrong in every way hears of one thing after another, in the order of the list', async () => {
  const left = { allowed: true, limit: 5, remaining: 4, windowSeconds: 60, retryAfterSeconds: 0 }
  const wrong = refuse('wrong_password', 'This is not the password.', 422)
  const confirm = async (_: unknown, sent: string | null) => (sent === 'mine' ? undefined : wrong)
  const notFreshYet = [refuse('fresh_sign_in_required', 'Sign in again.', 403)]
  const orders = route('POST /orders', {
    name: 'orders.create',
    group: 'Orders',
    summary: 'Order something.',
    scope: 'things:write',
    body: z.strictObject({ name: z.string() }),
    query: pageQuery,
    answer: z.strictObject({}),
    asksPassword: always,
    fresh: 60,
    status: 201,
    handle: ({ body }) =>
      body.name === 'taken' ? refuse('name_taken', 'It is taken.', 409, 'name') : { body: {} },
  })
  const db = await openTestDb()
  await addAccount(db)
  const { call } = await serve([orders], {
    confirm: Object.assign(confirm, {
      left: async () => left,
      password: async () => wrong,
      fresh: async () => notFreshYet.pop(),
    }),
    answerOnce: createIdempotency({
      db,
      now: () => new Date(),
      log: createLog('info', { write: () => true }),
    }),
  })

  const heard: [status: number, says: string][] = []
  let request: Record<string, string> = {
    body: '{"name":',
    'content-type': 'text/plain',
    'sec-fetch-site': 'same-origin',
    'idempotency-key': 'with a space',
  }
  for (const [change] of steps) {
    request = { ...request, ...change }
    const { path, method, body, ...headers } = request
    const answer = await call(`/api/v1${path}`, { method, body, headers } as RequestInit)
    const { code = '', errors = [] } = (await answer.json()) as {
      readonly code?: string
      readonly errors?: readonly { readonly field: string }[]
    }
    const of = errors.length > 0 ? ` of ${errors.map(it => it.field).join(', ')}` : ''
    heard.push([answer.status, code + of])
  }
  expect(heard).toEqual(steps.map(([, ...told]) => told))
})

test('a client that leaves keeps its slot until its request is answered, and others are told to come again', async () => {
  const ends = Promise.withResolvers<void>()
  let begun = 0
  const slow = route('GET /slow', {
    name: 'slow.show',
    group: 'Slow',
    summary: 'Take long.',
    scope: 'anyone',
    answer: z.strictObject({}),
    async handle() {
      begun += 1
      await ends.promise
      return { body: {} }
    },
  })
  const { port, call } = await serve([slow], { slots: createSlots(4) })
  for (const visit of [1, 2, 3]) {
    const { socket, send } = await client({ port })
    await send(get('/api/v1/slow'))
    await expect.poll(() => begun).toBe(visit)
    socket.resetAndDestroy()
  }
  const refused = await call('/api/v1/slow')
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
  expect(begun).toBe(3)
  ends.resolve()
  await expect.poll(async () => (await call('/api/v1/slow')).status).toBe(200)
})

test('a list that waits for its turn is not made once its client has left, and others are', async () => {
  const ends = Promise.withResolvers<void>()
  const made: string[] = []
  const list = route('GET /list', {
    name: 'list.list',
    group: 'List',
    summary: 'List things, slowly.',
    scope: 'anyone',
    query: pageQuery.extend({ of: z.string() }),
    answer: z.strictObject({}),
    async handle({ query: { of } }) {
      made.push(of)
      await ends.promise
      return { body: {} }
    },
  })
  let waiting = 0
  const turns = createOwnTurns()
  const { port, call } = await serve([list], {
    lists(client, work) {
      waiting += 1
      return turns(client, work)
    },
  })
  const first = call('/api/v1/list?of=first')
  await expect.poll(() => made).toEqual(['first'])
  for (const order of [2, 3]) {
    const { socket, send } = await client({ port })
    await send(get(`/api/v1/list?of=left${order}`))
    await expect.poll(() => waiting).toBe(order)
    socket.resetAndDestroy()
  }
  const last = call('/api/v1/list?of=last')
  await expect.poll(() => waiting).toBe(4)
  ends.resolve()
  expect([(await first).status, (await last).status]).toEqual([200, 200])
  expect(made).toEqual(['first', 'last'])
})
