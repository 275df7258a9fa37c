import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { itAtNight } from '../../../at-night.ts'
import { failWrites } from '../../../fail-writes.ts'
import { boot, type Harness } from '../../../harness.ts'
import { client, get } from './seen.ts'

/** As many visits as may wait before the lane steps aside. */
const bound = 10_000

it('while visits wait to be counted the lane leaves them to node:http, and drops none sooner', async () => {
  const linnet = await served('analytics.visitsTracking')
  const mend = await breakStoring(linnet)
  const link = await linnet.create()
  expect(await linnet.followed(link.shortCode, bound)).toEqual({ byNode: 1 })
  expect(await linnet.followed(link.shortCode, 500)).toEqual({ byNode: 500 })

  await mend()
  await linnet.app.recorder.catchUp()
  expect(await linnet.followed(link.shortCode, 500)).toEqual({ byNode: 1 })
  await linnet.app.recorder.catchUp()
  expect(await linnet.counts(link)).toMatchObject({ visits: { '': bound + 1_000 } })
  expect(linnet.app.recorder.health().dropped).toBe(0)
})

itAtNight('control: where nothing is counted nothing waits, and the lane goes on', async () => {
  const linnet = await served([])
  await breakStoring(linnet)
  const link = await linnet.create()
  expect(await linnet.followed(link.shortCode, bound + 500)).toEqual({ byNode: 1 })
})

it('the lane leaves clients that read nothing to node:http, which lets them wait', async () => {
  const { port, create } = await served([])
  const { shortCode } = await create()
  let byNode = 0
  const note = () => {
    byNode += 1
  }
  subscribe('http.server.request.start', note)
  onTestFinished(() => void unsubscribe('http.server.request.start', note))
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.write(get(`/${shortCode}`))
  await once(socket, 'readable')
  // `node:http` is done with the first request a little after its answer is sent.
  for (let turns = 0; turns < 5; turns += 1) await turn()
  // Each request has 64 bytes, so that reads end where requests end: the lane leaves parts of requests to `node:http` too.
  const short = get(`/${shortCode}`, 'Host: a\r\nX-Pad: \r\n').length
  const one = get(`/${shortCode}`, `Host: a\r\nX-Pad: ${'x'.repeat(64 - short)}\r\n`)
  // All answers together are more than the system keeps for a connection.
  for (let round = 0; round < 400 && byNode < 2; round += 1) {
    socket.write(one.repeat(500))
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  expect(byNode).toBeGreaterThan(1)
})

async function served(plugins: Parameters<typeof boot>[0]) {
  const linnet = await boot(plugins)
  onTestFinished(() => linnet.stop())
  const port = await linnet.app.server.listen(0, '127.0.0.1')
  onTestFinished(async () => void (await linnet.app.server.stop(0)))
  return {
    ...linnet,
    port,
    /** Follow a link so often, on a connection of its own whose first request `node:http` has in any case. */
    async followed(code: string, times: number) {
      let byNode = 0
      const note = () => {
        byNode += 1
      }
      subscribe('http.server.request.start', note)
      const { send, end } = await client({ port })
      for (let visit = 0; visit < times; visit += 1) await send(get(`/${code}`))
      const answers = (await end()).split('HTTP/1.1 302 Found\r\n').length - 1
      unsubscribe('http.server.request.start', note)
      expect(answers).toBe(times)
      return { byNode }
    },
  }
}

async function breakStoring({ db }: Harness): Promise<() => Promise<unknown>> {
  return failWrites(db, 'insert', 'visit_batches')
}
