import { expect } from 'vitest'
import { firstOf, itAtNight } from '../at-night.ts'
import { linnet, temporaryFolder } from './program.ts'
import { serve, serverEnv } from './server.ts'
import {
  addSender,
  changeLinksUntilKilled,
  type Done,
  expectAll,
  senderEnv,
  sendTo,
  startReceiver,
} from './webhook-receiver.ts'

itAtNight(
  'every change that a client was told of reaches a plugin that hears of it, in order, however often the server is killed',
  async () => {
    const receiver = await startReceiver()
    const dataDir = temporaryFolder()
    addSender(dataDir)
    const done: Done = []
    let server = await serve({ dataDir, env: senderEnv })
    await sendTo(server, receiver)
    for (const afterMs of firstOf(1, [600, 300, 700, 900])) {
      await changeLinksUntilKilled(server, afterMs, done)
      server = await serve({ dataDir, env: senderEnv })
    }
    expect(done.length).toBeGreaterThan(2)
    await expectAll(receiver, done)

    // Away at first, and then back: Linnet tries again by itself.
    receiver.status = 503
    await server.api('POST', '/links', { original_url: 'https://example.com/', title: 'late' })
    await expect
      .poll(async () => (await server.api('GET', '/health/ready')).text + (await health()), {
        timeout: 20_000,
      })
      .toContain('The other program answered 503')
    receiver.status = 204
    await expect
      .poll(() => receiver.taken.some(({ data }) => data.title === 'late'), { timeout: 30_000 })
      .toBe(true)

    async function health(): Promise<string> {
      return (await server.get('/health/ready')).text
    }
  },
)

itAtNight('what a command changes reaches it too, whether or not the server runs', async () => {
  const receiver = await startReceiver()
  const dataDir = temporaryFolder()
  addSender(dataDir)
  let server = await serve({ dataDir, env: senderEnv })
  await sendTo(server, receiver)
  await server.kill('SIGTERM')
  const email = 'ada@example.org'
  const set = await linnet(['account', 'password', email], {
    env: serverEnv(dataDir),
    stdin: 'a new passphrase for her\n',
  })
  expect(set).toMatchObject({ code: 0 })
  server = await serve({ dataDir, env: senderEnv })
  await expect
    .poll(() => receiver.taken.map(({ type }) => type), { timeout: 20_000 })
    .toContain('account.updated')
})
