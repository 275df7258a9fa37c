import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { firstOf } from '../at-night.ts'
import { temporaryFolder } from './program.ts'
import { serve } from './server.ts'

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined

/** A certificate for `localhost`, which only who is told of it trusts. */
function makeCertificate() {
  const folder = temporaryFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')] as const
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
  ]
  const name = ['-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...made, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { file: cert, key: readFileSync(key), cert: readFileSync(cert) }
}

async function startServer({ key, cert }: { key: Buffer; cert: Buffer }, secure: boolean) {
  const seen: { user: unknown; secure: boolean; to: string[] }[] = []
  const server = new SMTPServer({
    ...{ key, cert, secure },
    onAuth: ({ username, password }, _, done) =>
      password === 'se:cret' ? done(null, { user: username }) : done(new Error('Wrong')),
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      seen.push({ user: session.user, secure: session.secure, to })
      stream.on('end', done).resume()
    },
  })
  server.on('error', () => undefined)
  server.listen(0, 'localhost')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>(done => server.close(() => done())))
  return { seen, port: (server.server.address() as AddressInfo).port }
}

it.skipIf(!hasOpenssl).each(
  firstOf<[string, boolean]>(1, [
    ['smtp', false],
    ['smtps', true],
  ]),
)(
  'mail goes over TLS, with the name and password of the URL, to a server that is trusted: %s',
  async (scheme, secure) => {
    const certificate = makeCertificate()
    const { seen, port } = await startServer(certificate, secure)
    const LINNET_SMTP_URL = `${scheme}://links%40example.org:se%3Acret@localhost:${port}`
    const test = async (env: Readonly<Record<string, string>>) => {
      const server = await serve({ env: { LINNET_SMTP_URL, ...env } })
      const on = await server.api('PATCH', '/admin/plugins/organization.mail', { enabled: true })
      expect(on.status).toBe(200)
      return (await server.api('POST', '/test-mails')).status
    }
    expect(await test({})).toBe(502)
    expect(seen).toEqual([])
    expect(await test({ NODE_EXTRA_CA_CERTS: certificate.file })).toBe(204)
    expect(seen).toEqual([{ user: 'links@example.org', secure: true, to: ['ada@example.org'] }])
  },
)
