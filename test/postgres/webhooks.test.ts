import { expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { temporaryFolder } from '../e2e/program.ts'
import { serve } from '../e2e/server.ts'
import {
  changeLinksUntilKilled,
  type Done,
  expectAll,
  type Receiver,
  startReceiver,
} from '../e2e/webhook-receiver.ts'
import { url } from './own-server.ts'

/** A server with a folder of its own, on the database of the test. */
const another = () =>
  serve({
    dataDir: temporaryFolder(),
    env: { LINNET_FETCH_ALLOW: '127.0.0.1/32', DATABASE_URL: url },
  })

type Server = Awaited<ReturnType<typeof another>>

/** A webhook that signs with the secret that the receiver knows. */
async function sendTo(server: Server, { url }: Receiver): Promise<void> {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const made = await server.api('POST', '/webhooks', { url, secret, events: ['link.*'] })
  expect(made.status).toBe(201)
}

it('each message is sent by one of two servers, whichever makes the change', async () => {
  const receiver = await startReceiver()
  const [first, second] = [await another(), await another()]
  await sendTo(first, receiver)
  const titles = Array.from({ length: 60 }, (_, number) => `${number}`)
  await Promise.all(
    titles.map((title, number) =>
      (number % 2 === 0 ? first : second).api('POST', '/links', {
        ...{ original_url: 'https://example.com/', title },
      }),
    ),
  )
  const came = () => receiver.taken.map(({ data }) => data.title).sort()
  await expect.poll(() => came().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(60)
  expect(came()).toEqual(titles.toSorted())
  for (const server of [first, second]) await server.kill('SIGTERM')
})

itAtNight(
  'whichever of two servers is killed, every message comes, under one id and in order',
  async () => {
    const receiver = await startReceiver()
    const done: Done = []
    const staying = await another()
    await sendTo(staying, receiver)
    for (const afterMs of [400, 800]) {
      const other = await another()
      await changeLinksUntilKilled(other, afterMs, done)
    }
    const heir = await another()
    await changeLinksUntilKilled(staying, 400, done)
    await expectAll(receiver, done, 60_000)
    await heir.kill('SIGTERM')
  },
)
