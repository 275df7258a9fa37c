import { expect, it } from 'vitest'
import { seeLeaving } from './leaving-clients.ts'
import { serve } from './server.ts'

it('a client gets the answers to its own requests while others leave before theirs', async () => {
  const server = await serve()
  const { wrong, left } = await seeLeaving(server, {
    port: Number(new URL(server.url).port),
    answers: 5_000,
  })
  expect(wrong).toEqual([])
  expect(left).toBeGreaterThan(50)
})
