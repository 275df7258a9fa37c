import { expect, test } from 'vitest'
import { type Checks, healthRoutes } from '../../../../core/http/routes/health-routes.ts'
import { serve } from '../serve.ts'

const isServed = (host: string) => host === 'go.example.org'

/** Status and body of an answer of an instance that is as `checks` say. */
async function ask(path: string, checks: () => Promise<Checks>) {
  const { call } = await serve(healthRoutes(checks, isServed))
  const answer = await call(`/api/v1${path}`)
  return [answer.status, await answer.json()]
}

const well = async () => ({ storage: { status: 'ok' } as const })
const unwell = async (): Promise<Checks> => ({
  storage: { status: 'failing', note: 'The disk is gone.' },
  visits: { status: 'degraded', note: 'Visits wait.' },
  plugins: { status: 'ok' },
})
const degraded = async (): Promise<Checks> => ({
  storage: { status: 'degraded', note: 'The disk is full.' },
  plugins: { status: 'ok' },
})

test('the process lives while it answers, however it is', async () => {
  expect(await ask('/live', unwell)).toEqual([200, { status: 'ok' }])
})

test('the server is ready when every check is well', async () => {
  expect(await ask('/ready', well)).toEqual([
    200,
    { status: 'ok', checks: { storage: { status: 'ok', note: null } } },
  ])
})

test('the server is ready while links are followed, and says what else does not work', async () => {
  expect(await ask('/ready', degraded)).toEqual([
    200,
    {
      status: 'degraded',
      checks: {
        storage: { status: 'degraded', note: 'The disk is full.' },
        plugins: { status: 'ok', note: null },
      },
    },
  ])
})

test('the server is not ready when links cannot be followed, and says why', async () => {
  expect(await ask('/ready', unwell)).toEqual([
    503,
    {
      status: 'failing',
      checks: {
        storage: { status: 'failing', note: 'The disk is gone.' },
        visits: { status: 'degraded', note: 'Visits wait.' },
        plugins: { status: 'ok', note: null },
      },
    },
  ])
})

test('a monitor may add words of its own to the query', async () => {
  expect(await ask('/live?t=1', well)).toEqual([200, { status: 'ok' }])
})

test('health is examined once for all who ask meanwhile, and again for who asks later', async () => {
  let times = 0
  let examined = Promise.withResolvers<Checks>()
  const { call } = await serve(
    healthRoutes(() => {
      times += 1
      return examined.promise
    }, isServed),
  )
  const all = [1, 2, 3].map(() => call('/api/v1/ready'))
  await expect.poll(() => times).toBe(1)
  examined.resolve(await well())
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200])
  const before = times
  examined = Promise.withResolvers<Checks>()
  examined.resolve(await unwell())
  expect((await call('/api/v1/ready')).status).toBe(503)
  expect(times).toBe(before + 1)
})

test.each([
  ['?domain=go.example.org', 200],
  ['?domain=other.example', 404],
  ['?domain=go.example.org.evil.example', 404],
  ['?domain=', 422],
  ['', 422],
  [`?domain=${'a'.repeat(256)}`, 422],
  ['?domain=a&domain=go.example.org', 422],
])('a proxy that asks /tls%s gets %d', async (query, status) => {
  expect((await ask(`/tls${query}`, well))[0]).toBe(status)
})
