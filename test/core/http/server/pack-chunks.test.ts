import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { client } from '../fast-lane/seen.ts'
import { serve } from '../serve.ts'

const head = 'POST /code HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunked = (pieces: readonly string[]) =>
  pieces.map(it => `${it.length.toString(16)}\r\n${it}\r\n`).join('')

/** A server that reads bodies when it is told to, and then answers how many parts of how many bytes came. */
async function reader() {
  const begun = Promise.withResolvers<() => void>()
  const follow = (req: IncomingMessage, res: ServerResponse) =>
    begun.resolve(() => {
      const parts: Buffer[] = []
      req.on('data', part => void parts.push(part))
      req.on('end', () => res.end(`${parts.length} of ${Buffer.concat(parts).length}`))
    })
  const served = await serve([], { follow })
  const { send, said } = await client(served)
  const read = async () => (await begun.promise)()
  return { ...served, send, said, read }
}

describe('a body in chunks', () => {
  it.each([
    ['small ones are joined while nobody reads it', Array(90).fill('ab'), '4 of 180'],
    ['as many as like, if they are not tiny', Array(500).fill('a'.repeat(40)), '12 of 20000'],
    ['large ones stay as they are', ['a'.repeat(2_000), 'b', 'c'.repeat(3_000)], '3 of 5001'],
  ])('arrives whole: %s', async (_, pieces: readonly string[], expected) => {
    const { send, said, read } = await reader()
    await send(`${head}${chunked(pieces)}0\r\n\r\n`)
    await read()
    await expect.poll(said).toContain(expected)
  })

  it('is cut off when they are many and tiny, whether it is read or not', async () => {
    const { send, server, logged } = await reader()
    await send(head + chunked(Array(102).fill('a')))
    await expect.poll(() => server.connections()).toMatchObject({ open: 0, cutOff: 1 })
    expect(logged).toMatchObject([{ level: 'warn', message: /too many small chunks/ }])
  })

  it.each([
    [1_000, 'is cut off when its connection brings it byte by byte', { open: 0, cutOff: 1 }],
    [200, 'unless it is short', { open: 1, cutOff: 0 }],
  ])('of a known length, such as %i, %s', async (length, _, expected) => {
    let came = 0
    const follow = (req: IncomingMessage, res: ServerResponse) => {
      req.on('data', (part: Buffer) => {
        came += part.length
      })
      req.on('end', () => res.end('read'))
    }
    const { port, server } = await serve([], { follow })
    const { socket, send } = await client({ port })
    await send(`POST /code HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`)
    for (let sent = 0; sent < 150 && !socket.destroyed; sent += 1) {
      await send('a')
      // Each is read before the next is sent.
      await new Promise(resolve => setImmediate(resolve))
    }
    await expect.poll(() => server.connections()).toMatchObject(expected)
    expect(came).toBeLessThanOrEqual(150)
  })
})
