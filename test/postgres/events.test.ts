import { expect, it } from 'vitest'
import { temporaryFolder } from '../e2e/program.ts'
import { serve } from '../e2e/server.ts'
import {
  addSender,
  changeLinksUntilKilled,
  type Done,
  expectAll,
  senderEnv,
  sendTo,
  startReceiver,
} from '../e2e/webhook-receiver.ts'
import { url } from './own-server.ts'

/** A server with a folder of its own, on the database of the test. */
function another() {
  const dataDir = temporaryFolder()
  addSender(dataDir)
  return serve({ dataDir, env: { ...senderEnv, DATABASE_URL: url } })
}

it('every change that a client was told of reaches a plugin that hears of it, whichever of two servers is killed', async () => {
  const receiver = await startReceiver()
  const done: Done = []
  const staying = await another()
  await sendTo(staying, receiver)
  for (const afterMs of [400, 800]) {
    const other = await another()
    await changeLinksUntilKilled(other, afterMs, done)
  }
  await expectAll(receiver, done)
  // The one that delivered is killed, and the other goes on.
  const heir = await another()
  await changeLinksUntilKilled(staying, 400, done)
  await expectAll(receiver, done)
  await heir.kill('SIGTERM')
})

it('each event is delivered by one of two servers', async () => {
  const receiver = await startReceiver()
  const servers = [await another(), await another()]
  const [first, second] = servers
  if (!first || !second) throw new Error('There are two.')
  await sendTo(first, receiver)
  const titles = Array.from({ length: 40 }, (_, number) => `${number}`)
  await Promise.all(
    titles.map((title, number) =>
      (servers[number % 2] ?? first).api('POST', '/links', {
        ...{ original_url: 'https://example.com/', title },
      }),
    ),
  )
  const came = () => receiver.taken.filter(({ type }) => type === 'link.created')
  await expect.poll(() => came().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(40)
  expect(
    came()
      .map(({ data }) => data.title)
      .sort(),
  ).toEqual(titles.toSorted())
  for (const server of servers) await server.kill('SIGTERM')
})
