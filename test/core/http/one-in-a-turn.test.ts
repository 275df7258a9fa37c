import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, z } from '../../../core/plugin.ts'
import apiKeys from '../../../plugins/developer/api-keys.ts'
import { boot, type Harness } from '../../harness.ts'
import { countTurns, type Tally } from '../../tally.ts'

const turns = countTurns()
let linnet: Harness
let begun: Tally
let durable: Tally
let shown: Tally

beforeEach(async () => {
  const watching = definePlugin({
    feature: 'link.watching',
    about: 'Sees when links are worked on.',
    prepare: () => {
      begun.add()
      return undefined
    },
    on: {
      created: () => durable.add(),
      updated: () => durable.add(),
      deleted: () => durable.add(),
    },
    computed: {
      schema: { isWatched: z.boolean() },
      of: links => {
        shown.add(links.length)
        return links.map(() => ({ isWatched: true }))
      },
    },
  })
  linnet = await boot([watching, apiKeys])
  beginAnew()
})
afterEach(() => linnet.stop())
// It would keep the thread busy while others run in it.
afterAll(() => turns.stop())

function beginAnew() {
  begun = turns.tally()
  durable = turns.tally()
  shown = turns.tally()
}

const links = Array.from({ length: 40 }, (_, number) => ({
  original_url: `https://example.com/${number}`,
}))
const makeAll = async (): Promise<readonly string[]> => {
  const { body } = await linnet.api('POST', '/links/bulk', { links })
  return body.data.map(({ link }: { link: { id: string } }) => link.id)
}

/** Send each body over a connection of its own, all at the same moment, and wait for the answers. */
async function postAtOnce(bodies: readonly object[]): Promise<void> {
  const { body } = await linnet.api('POST', '/api-tokens', { name: 'All', scopes: ['links:write'] })
  const port = await linnet.app.server.listen(0, '127.0.0.1')
  const sockets = await Promise.all(
    bodies.map(async () => {
      const socket = connect(port, '127.0.0.1')
      // Before its first answer a server may not yet have taken the connection.
      socket.write('GET /health HTTP/1.1\r\nHost: go.example.org\r\n\r\n')
      await once(socket, 'data')
      return socket
    }),
  )
  const answered = sockets.map(async socket => String((await once(socket, 'data'))[0]))
  for (const [index, socket] of sockets.entries()) {
    const text = JSON.stringify(bodies[index])
    socket.write(
      `POST /api/v1/links HTTP/1.1\r\nHost: go.example.org\r\nAuthorization: Bearer ${body.data.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    )
  }
  for (const answer of await Promise.all(answered)) expect(answer).toMatch(/^HTTP\/1.1 201 /)
  for (const socket of sockets) socket.destroy()
}

describe('in one turn of the event loop, for redirects to come between', () => {
  it('no two links of a request are begun, nor go on when they are durable', async () => {
    await makeAll()
    expect([begun.sum(), durable.sum()]).toEqual([40, 40])
    expect([begun.most(), durable.most()]).toEqual([1, 1])
  })

  it('sixteen links are shown at most', async () => {
    await makeAll()
    await linnet.api('GET', '/links?per_page=40')
    expect(shown.sum()).toBe(80)
    expect(shown.most()).toBe(16)
  })

  it('no two links are changed', async () => {
    const ids = await makeAll()
    beginAnew()
    await linnet.api('PATCH', '/links/bulk', { ids, title: 'All of them' })
    expect([begun.sum(), durable.sum()]).toEqual([40, 40])
    expect([begun.most(), durable.most()]).toEqual([1, 1])
  })

  it('no two links are deleted', async () => {
    const ids = await makeAll()
    beginAnew()
    await linnet.api('DELETE', '/links/bulk', { ids })
    expect(durable.sum()).toBe(40)
    expect(durable.most()).toBe(1)
  })

  it('no two requests that come at the same moment are begun or go on, and sixteen links are shown at most', async () => {
    await postAtOnce(links)
    expect([begun.sum(), durable.sum(), shown.sum()]).toEqual([40, 40, 40])
    expect([begun.most(), durable.most()]).toEqual([1, 1])
    expect(shown.most()).toBeGreaterThan(1)
    expect(shown.most()).toBeLessThanOrEqual(16)
  })
})
