import { expect, it } from 'vitest'
import { failureOf, isForLog } from '../../../../core/http/api/failure.ts'
import { Overloaded } from '../../../../core/lib/async/bounded-queue.ts'

it('that the server is too busy is told to the client with when to come back, and not to the log', () => {
  const busy = new Overloaded('Too much is running already.')
  expect(failureOf(busy)).toMatchObject({ status: 503, details: { retryAfterSeconds: 2 } })
  expect([isForLog(busy), isForLog(new Error('broken'))]).toEqual([false, true])
})
