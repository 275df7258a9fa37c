import { expect, test } from 'vitest'
import { type Checks, healthRoutes } from '../../../../core/http/routes/health.ts'
import { serve } from '../serve.ts'

/** Status and body of an answer of an instance that is as `checks` say. */
async function ask(path: string, checks: () => Promise<Checks>) {
  const { call } = await serve(healthRoutes(checks))
  const answer = await call(`/api/v1${path}`)
  return [answer.status, await answer.json()]
}

const well = async () => ({ storage: { ok: true } })
const unwell = async () => ({
  storage: { ok: false, note: 'The disk is full.' },
  visits: { ok: true },
})

test('the process lives while it answers, however it is', async () => {
  expect(await ask('/live', unwell)).toEqual([200, { status: 'ok' }])
})

test('it is ready when every check is well', async () => {
  expect(await ask('/ready', well)).toEqual([
    200,
    { status: 'ok', checks: { storage: { ok: true, note: null } } },
  ])
})

test('it is not ready when a check is not, and says which and why', async () => {
  expect(await ask('/ready', unwell)).toEqual([
    503,
    {
      status: 'failing',
      checks: {
        storage: { ok: false, note: 'The disk is full.' },
        visits: { ok: true, note: null },
      },
    },
  ])
})

test('a monitor may add words of its own to the query', async () => {
  expect(await ask('/live?t=1', well)).toEqual([200, { status: 'ok' }])
})
