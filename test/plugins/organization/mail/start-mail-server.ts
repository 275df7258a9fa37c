import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface Taken {
  readonly from: string
  readonly to: readonly string[]
  readonly message: string
}

/** A mail server on this machine, without TLS unless the options say so. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0) {
  const taken: Taken[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, { envelope }, done) {
      const message = await text(stream)
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), message })
      done()
    },
    // Clients keep their connections, for which it would wait half a minute.
    closeTimeout: 100,
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const close = () => new Promise<void>(done => server.close(() => done()))
  onTestFinished(close)
  return { taken, close, server, port: (server.server.address() as AddressInfo).port }
}
