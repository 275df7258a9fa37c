import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, deliver, readServer } from '../../../../plugins/organization/mail/mail-server.ts'

describe('the URL of a mail server', () => {
  it.each([
    ['smtps://a:b@mail.example.org', { port: 465, secure: true, auth: { user: 'a', pass: 'b' } }],
    ['smtp://mail.example.org', { port: 587, secure: false, isPlain: false, auth: undefined }],
    ['smtp://a%40b.org:p%zz@[::1]:25?tls=off', { host: '::1', port: 25, isPlain: true }],
    ['smtp://a%40b.org:c@h', { auth: { user: 'a@b.org', pass: 'c' } }],
  ])('is read: %s', (url, expected) => {
    expect(readServer(url)).toMatchObject(expected)
  })

  it.each([
    ...['mail.example.org', 'https://mail.example.org', 'smtps://h?tls=off', 'smtp://h?tls=no'],
    ...['smtp://', 'smtp://h/path', 'smtp://h:99999'],
  ])('is refused: %s', url => {
    expect(readServer(url)).toBeUndefined()
  })
})

it('is left at once by a connection that it fills with more than an answer', async () => {
  const { port, whenConnected } = await startTalkative()
  const server = await connect(`smtp://127.0.0.1:${port}?tls=off`, 'us@example.org')
  if (typeof server === 'string') throw new Error(server)
  onTestFinished(server.close)
  const mail = { from: 'Us', to: 'you@example.org', subject: 'Hello', text: 'Hello' }
  const refused = deliver(server, mail).catch((error: Error) => error.message)
  const socket = await whenConnected
  const whenClosed = new Promise(closed => socket.once('close', closed))
  expect(await refused).toMatch(/exceeds maximum/)
  const before = socket.bytesWritten
  await whenClosed
  // What the system holds for a connection, at most.
  expect(socket.bytesWritten - before).toBeLessThan(32 * 2 ** 20)
})

/** Says more after its greeting than anybody reads, for as long as it is let. */
async function startTalkative() {
  const { promise: whenConnected, resolve } = Promise.withResolvers<Socket>()
  const lines = '250-and so on\r\n'.repeat(10_000)
  const server = createServer({ allowHalfOpen: true }, socket => {
    const talk = () => {
      while (!socket.destroyed && socket.write(lines));
    }
    socket.on('error', () => undefined).on('drain', talk)
    socket.write('220 hello\r\n')
    talk()
    resolve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, whenConnected }
}
