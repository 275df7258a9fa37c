import { expect, it } from 'vitest'
import { seeLeaving } from '../e2e/leaving-clients.ts'
import { serve } from '../e2e/server.ts'
import { server as database, url } from './own-server.ts'
import { startRelay } from './relay.ts'

it.each([
  ['near', 0],
  ['five milliseconds away', 5],
])(
  'a client gets the answers to its own requests while others leave: the database is %s',
  async (_, slowMs) => {
    const relay = await startRelay(database.folder, url)
    const server = await serve({ env: { DATABASE_URL: relay.url } })
    relay.slowDown(slowMs)
    const { wrong, left } = await seeLeaving(server, {
      port: Number(new URL(server.url).port),
      answers: 5_000,
    })
    expect(wrong).toEqual([])
    expect(left).toBeGreaterThan(50)
  },
)
