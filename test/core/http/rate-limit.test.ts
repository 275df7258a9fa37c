import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Route, route } from '../../../core/http/api/route/route.ts'
import { createThrottle, tooManyRequests } from '../../../core/limits/throttle.ts'
import { refuse } from '../../../core/plugin/outcomes.ts'
import { handledBy, json, serve } from './serve.ts'

/** Three tries a minute, of which a wrong one is refused in one of several ways. */
function threeTries(): Route {
  const throttle = createThrottle()
  return route('POST /tries', {
    name: 'tries.create',
    group: 'Tries',
    summary: 'Try.',
    scope: '*',
    body: z.strictObject({ refuseWith: z.int().optional() }),
    status: 204,
    rateLimit: ({ caller }) => throttle.peek(`${caller.accountId}`, 3, 60),
    async handle({ caller, body: { refuseWith } }) {
      const verdict = await throttle(`${caller.accountId}`, 3, 60)
      if (!verdict.allowed) return tooManyRequests(verdict)
      return refuseWith === undefined ? {} : refuse('no', 'No.', refuseWith)
    },
  })
}

/** Status, tries that are left, and the limit; how long until there are more depends on the clock. */
function told({ status, headers }: Response): readonly unknown[] {
  const left = headers.get('ratelimit')?.match(/^"default";r=(\d+);t=\d+$/)?.[1]
  return [status, left, headers.get('ratelimit-policy')]
}

test('every answer of a route with a rate limit tells what is left of it', async () => {
  const { call } = await serve([threeTries()])
  const sendTry = async (body: object) => told(await call('/api/v1/tries', json('POST', body)))
  const policy = '"default";q=3;w=60'
  expect(await sendTry({ wrong: true })).toEqual([422, '3', policy])
  expect(await sendTry({})).toEqual([204, '2', policy])
  expect(await sendTry({ refuseWith: 404 })).toEqual([404, '1', policy])
  expect(await sendTry({ refuseWith: 409 })).toEqual([409, '0', policy])
  expect(await sendTry({})).toEqual([429, '0', policy])
})

test('nobody is told of a limit who is not known, or where there is none', async () => {
  const { call } = await serve([threeTries(), handledBy(() => ({}))])
  const unknown = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  expect(told(await call('/api/v1/tries', unknown))).toEqual([401, undefined, null])
  expect(told(await call('/api/v1/it'))).toEqual([200, undefined, null])
})
