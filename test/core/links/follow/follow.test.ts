import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import visitsByCountry from '../../../../plugins/analytics/visits-by-country.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
/** Whether the answer was on its way when somebody looked where its client is. */
let looks: boolean[]

/** The address of the client is a part of the visit, and of nothing else here. */
const watch = (message: unknown) => {
  const { socket, response } = message as { socket: Socket; response: ServerResponse }
  const { remoteAddress } = socket
  Object.defineProperty(socket, 'remoteAddress', {
    configurable: true,
    get() {
      looks.push(response.writableEnded)
      return remoteAddress
    },
  })
}

beforeEach(async () => {
  looks = []
  linnet = await boot([visitsByCountry])
  subscribe('http.server.request.start', watch)
})
afterEach(async () => {
  unsubscribe('http.server.request.start', watch)
  await linnet.stop()
})

it('the server sends the redirect of a link that was followed lately before it reads the visit', async () => {
  const { shortCode } = await linnet.create()
  const port = await linnet.app.server.listen(0, '127.0.0.1')
  const follow = async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/${shortCode}`, { redirect: 'manual' })
    return status
  }
  expect(await follow()).toBe(302)
  looks = []
  expect(await follow()).toBe(302)
  expect(looks).toEqual([true])
})
