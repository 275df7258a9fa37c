import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { allowSlowly, mayTakeLonger } from '../../../../core/http/request/slow-bodies.ts'

/** Sends half of a body, waits until Node finds that it takes too long, and sends the rest. */
async function sendSlowly(read: (req: IncomingMessage) => Promise<string>) {
  const http = createServer(
    { requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 10 },
    async (req, res) => res.end(await read(req)),
  )
  onTestFinished(() => void http.close())
  const late = new Promise<boolean>(resolve => {
    http.on('clientError', (error, socket) => {
      const mayGoOn = mayTakeLonger(error, socket)
      if (!mayGoOn) socket.destroy()
      resolve(mayGoOn)
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const sending = request({ port, method: 'PUT', headers: { 'content-length': 4 } })
  const answer = once(sending, 'response').then(
    ([res]) => text(res),
    (error: Error) => error,
  )
  sending.write('ab')
  const mayGoOn = await late
  if (mayGoOn) sending.end('cd')
  return { mayGoOn, answer: await answer }
}

it('a body may take longer than requests may while somebody watches how it comes', async () => {
  const { mayGoOn, answer } = await sendSlowly(async req => {
    const disallow = allowSlowly(req)
    return text(req).finally(disallow)
  })
  expect([mayGoOn, answer]).toEqual([true, 'abcd'])
})

it('control: a body that nobody watches is cut off', async () => {
  const { mayGoOn, answer } = await sendSlowly(req => text(req).catch(() => 'cut off'))
  expect(mayGoOn).toBe(false)
  expect(answer).toBeInstanceOf(Error)
})
