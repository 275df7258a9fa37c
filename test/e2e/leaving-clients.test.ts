import { expect, it } from 'vitest'
import { seeLeaving } from './leaving-clients.ts'
import { serve } from './server.ts'

it('a client gets the answers to its own requests while others leave before theirs', async () => {
  const { wrong, left } = await seeLeaving(await serve())
  expect(wrong).toEqual([])
  expect(left).toBeGreaterThan(50)
})
