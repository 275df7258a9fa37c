import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../core/storage/open/open-database.ts'
import { server as database, url } from './own-server.ts'
import { startRelay } from './relay.ts'

it('codes that wait for a database far away are looked up together', async () => {
  const relay = await startRelay(database.folder, url)
  const storage = await openDatabase({ url: relay.url }, {})
  onTestFinished(() => storage.close())
  relay.slowDown(10)
  const timed = async (count: number) => {
    const askedAt = performance.now()
    const asking: Promise<unknown>[] = []
    for (let code = 0; code < count; code += 1) {
      asking.push(storage.findLink('', `nobody${code}`))
      await turn()
    }
    await Promise.all(asking)
    return performance.now() - askedAt
  }
  // Connects, and prepares the statement.
  for (let look = 0; look < 3; look += 1) await timed(2)
  // Two at a time would take thirty times as long as one.
  const one = await timed(1)
  expect(await timed(60)).toBeLessThan(10 * one)
})
