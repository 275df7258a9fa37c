import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as tls } from 'node:tls'
import { expect } from 'vitest'
import { temporaryFolder } from '../e2e/program.ts'
import { callsTo, createLink, serve, token } from '../e2e/server.ts'
import { documentWith, freePorts, keepRunning, run, withPrograms } from './programs.ts'

const host = 'go.example.org'
/** How long the proxies here wait for headers, in place of the ten seconds in their files. */
const soon = '3s'

withPrograms('nginx', 'openssl')('nginx, as docs/deploy has it', async () => {
  const folder = temporaryFolder()
  const ports = await portsOfAProxy()
  const server = await serveBehind(ports)
  certificate(folder)
  const config = documentWith('deploy/nginx.conf', {
    '127.0.0.1:8080': server.address,
    'listen 80;': `listen ${ports.plain};`,
    'listen [::]:80;': '',
    'listen 443 ssl;': `listen ${ports.secure} ssl;`,
    'listen [::]:443 ssl;': '',
    '/etc/letsencrypt/live/go.example.org': folder,
    'client_header_timeout 10s;': `client_header_timeout ${soon};`,
  })
  const logs = `pid ${folder}/pid; error_log ${folder}/error.log; daemon off;`
  const main = `${logs} events {} http { access_log off; ${config} }`
  writeFileSync(join(folder, 'nginx.conf'), main)
  run('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')])
  keepRunning('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')])
  await passesOn(server, ports)
})

withPrograms('caddy', 'openssl')('Caddy, as docs/deploy has it', async () => {
  const ports = await portsOfAProxy()
  const server = await serveBehind(ports)
  startCaddy(server, ports)
  await passesOn(server, ports)
})

withPrograms('caddy', 'openssl')(
  'Caddy gets a certificate for a host that Linnet serves when the first visitor comes, and for no other',
  async () => {
    const ports = await portsOfAProxy()
    const dashboard = 'links.example.org'
    const more = { LINNET_DASHBOARD_URL: `https://${dashboard}:${ports.secure}` }
    const server = await serveBehind(ports, more)
    startCaddy(server, ports)
    const open = (name: string) => over(ports, '/dashboard/', { name })
    await expect.poll(async () => (await open(host).catch(() => undefined))?.status).toBe(404)
    expect((await open(dashboard)).status).toBe(200)
    await expect(open('other.example')).rejects.toThrow()
    await expect(open(`other.${dashboard}`)).rejects.toThrow()
  },
)

function startCaddy(server: Behind, ports: Ports): void {
  const folder = temporaryFolder()
  certificate(folder)
  const own = `http_port ${ports.plain}\n\thttps_port ${ports.secure}\n\tadmin off\n\tskip_install_trust`
  const config = documentWith('deploy/Caddyfile', {
    '127.0.0.1:8080': server.address,
    // It would request them over the Internet.
    'read_header 10s': `read_header ${soon}`,
    'servers {': `${own}\n\tservers {`,
    '\ttls {': '\ttls internal {',
    [`\n${host} {`]: `\n${host} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
  })
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, config)
  const options = ['--config', file, '--adapter', 'caddyfile']
  run('caddy', ['validate', ...options])
  keepRunning('caddy', ['run', ...options], { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder })
}

withPrograms('haproxy', 'openssl')('HAProxy, as docs/deploy has it', async () => {
  const folder = temporaryFolder()
  const ports = await portsOfAProxy()
  const server = await serveBehind(ports)
  const certificates = haproxyCertificates(folder)
  const config = documentWith('deploy/haproxy.cfg', {
    '127.0.0.1:8080': server.address,
    ':80\n': `:${ports.plain}\n`,
    'timeout http-request 10s': `timeout http-request ${soon}`,
    ':443 ': `:${ports.secure} `,
    '/etc/haproxy/certs/': certificates,
  })
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  run('haproxy', ['-c', '-f', file])
  keepRunning('haproxy', ['-db', '-f', file])
  await passesOn(server, ports)
})

withPrograms('haproxy', 'openssl')(
  'HAProxy accepts what docs/deploy has for several servers',
  () => {
    const folder = temporaryFolder()
    const certificates = haproxyCertificates(folder)
    const file = join(folder, 'haproxy.cfg')
    const changes = { '/etc/haproxy/certs/': certificates }
    writeFileSync(file, documentWith('deploy/haproxy-nodes.cfg', changes))
    expect(run('haproxy', ['-c', '-f', file])).toContain('Configuration file is valid')
  },
)

type Behind = Awaited<ReturnType<typeof serveBehind>>

interface Ports {
  readonly plain: number
  readonly secure: number
}

async function portsOfAProxy(): Promise<Ports> {
  const [plain = 0, secure = 0] = await freePorts(2)
  return { plain, secure }
}

/** Starts a server with the settings that the proxy files ask for. */
async function serveBehind({ secure }: Ports, more: Readonly<Record<string, string>> = {}) {
  const server = await serve({
    env: {
      LINNET_BASE_URL: `https://${host}:${secure}`,
      LINNET_TRUSTED_PROXIES: '1',
      LINNET_LOG_ADDRESSES: 'true',
      ...more,
    },
  })
  const { port } = await server.logged(/^Linnet is ready/)
  const address = `127.0.0.1:${port}`
  return { ...callsTo(`http://${address}`), address, logged: server.logged }
}

/** Checks what a proxy must do so that visitors are not told anything wrong. */
async function passesOn(server: Behind, ports: Ports): Promise<void> {
  const { shortCode } = await createLink(server)
  const visit = () => over(ports, `/${shortCode}`)
  await expect.poll(async () => (await visit().catch(() => undefined))?.status).toBe(302)
  expect((await visit()).location).toBe('https://example.com/')

  // The head of the longest redirect gets through.
  const longest = `https://example.com/${'x'.repeat(8_192 - 'https://example.com/'.length)}`
  const long = await createLink(server, { original_url: longest, forward_query: true })
  const query = `?q=${'y'.repeat(3_900)}`
  expect((await over(ports, `/${long.shortCode}`)).location).toBe(longest)
  expect((await over(ports, `/${long.shortCode}${query}`)).location).toBe(longest + query)

  const plain = await ask(http.request({ port: ports.plain, path: '/x', headers: { host } }))
  expect([301, 308]).toContain(plain.status)
  expect(plain.location).toMatch(/^https:\/\/go\.example\.org(:\d+)?\/x$/)

  // The client address is the one that the proxy sees, whatever a visitor claims.
  const forged = { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer lnt_wrong' }
  expect((await over(ports, '/api/v1/links', { headers: forged })).status).toBe(401)
  const refused = await server.logged(/^An API token was refused/)
  expect(refused.client).toBe('127.0.0.1')

  // The same holds for the host.
  const claim = { 'x-forwarded-host': 'other.example', authorization: `Bearer ${token}` }
  const { status, body: findings } = await over(ports, '/api/v1/admin/doctor', { headers: claim })
  expect(status).toBe(200)
  expect(findings).toContain(host)
  expect(findings).not.toContain('other.example')

  // The largest body that Linnet accepts gets through: a proxy would answer 413 without a problem code.
  const tooLarge = {
    method: 'POST',
    headers: { authorization: 'Bearer lnt_wrong', 'content-type': 'application/json' },
    body: JSON.stringify({ original_url: 'x'.repeat(1_500_000) }),
  }
  // The answer comes before all of it is sent, and a client may only see that the connection ended.
  await expect
    .poll(() =>
      over(ports, '/api/v1/links', tooLarge).then(
        ({ body }) => body,
        () => '',
      ),
    )
    .toContain('"code"')
  expect((await over(ports, '/dashboard/')).status).toBe(200)

  await endsSlowHeads(connect(ports.plain))
  await endsSlowHeads(tls({ port: ports.secure, servername: host, rejectUnauthorized: false }))
}

/** Expects a proxy to end the connection of a client that sends its headers a character at a time, for ever. */
async function endsSlowHeads(socket: Socket): Promise<void> {
  let answer = ''
  socket.on('data', text => {
    answer += text
  })
  // A write to a connection that the proxy has just ended.
  socket.on('error', () => undefined)
  const ended = once(socket, 'close')
  socket.write(`GET /x HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `)
  const timer = setInterval(() => socket.write('x'), 100)
  try {
    await ended
  } finally {
    clearInterval(timer)
    socket.destroy()
  }
  expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/)
}

interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly name?: string
}

/** Sends a visitor's request over TLS; the host's name resolves to this machine. */
function over({ secure }: Ports, path: string, asked: Request = {}) {
  const { method = 'GET', headers, body, name = host } = asked
  const sent = https.request({
    ...{ port: secure, servername: name, rejectUnauthorized: false, method, path },
    headers: { host: `${name}:${secure}`, 'user-agent': 'a visitor', ...headers },
  })
  return ask(sent, body)
}

async function ask(sent: http.ClientRequest, body?: string) {
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage]
  const { location } = response.headers
  return { status: response.statusCode, location, body: await text(response) }
}

function certificate(folder: string): void {
  const [key, chain] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const name = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2']
  run('openssl', [...made, ...name, '-keyout', key, '-out', chain])
}

/** Writes each certificate with its key into one file, in a folder of its own. */
function haproxyCertificates(folder: string): string {
  certificate(folder)
  const certificates = join(folder, 'certs')
  mkdirSync(certificates)
  const both = ['fullchain.pem', 'privkey.pem'].map(it => run('cat', [join(folder, it)]))
  writeFileSync(join(certificates, 'go.pem'), both.join(''))
  return `${certificates}/`
}
