import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { isNight } from '../at-night.ts'
import { temporaryFolder } from './program.ts'
import { type Server, serve } from './server.ts'

/** What a receiver that does not behave answers, and what is said of it. */
const odd: Readonly<Record<string, { answer: RequestListener; said: object; atNight?: true }>> = {
  'redirects to another address': {
    answer: (_, res) => res.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    said: {
      ...{ state: 'failed', status: 307, attempts: 1 },
      problem: 'The receiver answered 307. Redirects are not followed: give the last address.',
    },
  },
  'never ends its answer': {
    answer(_, res) {
      res.writeHead(200)
      const more = () => void (res.destroyed || res.write('x'.repeat(10_000), more))
      more()
    },
    said: { state: 'delivered', status: 200, answer: 'x'.repeat(500) },
  },
  'answers with bytes that are no text': {
    answer: (_, res) => res.writeHead(500).end(Buffer.from([0, 0xff, 0x41])),
    said: { state: 'failed', status: 500, answer: '\uFFFD\uFFFDA' },
  },
  'hangs up': {
    answer: req => req.socket.destroy(),
    said: { state: 'failed', status: null, problem: expect.stringContaining('socket hang up') },
  },
  'never answers': {
    answer: () => undefined,
    said: { state: 'failed', status: null, problem: expect.stringContaining('nothing within') },
    atNight: true,
  },
}

it('a receiver that does not behave is told apart from one that does, and holds nothing up', async () => {
  const server = await serve({ env: { LINNET_FETCH_ALLOW: '127.0.0.1/32' } })
  for (const [what, { answer, said, atNight }] of Object.entries(odd)) {
    if (atNight && !isNight) continue
    const url = await listen(createServer(answer))
    expect([what, await test(server, url)]).toEqual([what, expect.objectContaining(said)])
  }
  const untrusted = await listen(createTlsServer(makeCertificate()))
  expect(await test(server, untrusted.replace('http:', 'https:'))).toMatchObject({
    ...{ state: 'failed', status: null, answer: null },
    problem: expect.stringContaining('self-signed certificate'),
  })
  // Where nothing was opened, no webhook is made.
  for (const url of ['http://127.0.0.2/', 'http://[::1]/', 'http://10.0.0.1/']) {
    const { status, text } = await server.api('POST', '/webhooks', { url, events })
    expect([url, status, text]).toEqual([
      ...[url, 422],
      expect.stringContaining('its address is in a network that plugins must not connect to'),
    ])
  }
  await server.kill('SIGTERM')
})

async function listen(receiver: NetServer): Promise<string> {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => {
    if (receiver instanceof HttpServer) receiver.closeAllConnections()
    receiver.close()
  })
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
}

const events = ['campaign.created']

/** What comes of a test message. */
async function test(server: Server, url: string) {
  const made = await server.api('POST', '/webhooks', { url, events })
  const { body } = await server.api('POST', `/webhooks/${made.body.data.id}/test`)
  return body.data ?? body
}

/** A certificate that nobody has signed but itself. */
function makeCertificate() {
  const [key, cert] = ['key.pem', 'cert.pem'].map(it => join(temporaryFolder(), it)) as [
    string,
    string,
  ]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  execFileSync('openssl', [...made, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}
