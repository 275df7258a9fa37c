import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { createLink, type Server, serve } from './server.ts'

const host = 'links.example.com'
const home = 'https://example.com/home'

/** A server that stopped after a domain was added, and found it verified at the next start. */
async function withDomain(env: Readonly<Record<string, string>> = {}) {
  const before = await serve()
  const { body } = await before.api('POST', '/domains', { host, root_url: home })
  const { dataDir } = before
  await before.kill('SIGTERM')
  verify(dataDir)
  const server = await serve({ dataDir, env })
  return { server, id: body.data.id as string }
}

/** Marks the domain as the DNS check would: no test queries the DNS. */
function verify(dataDir: string): void {
  const database = new BetterSqlite3(join(dataDir, 'linnet.db'))
  database.exec('update organization_custom_domains set verified_host = host')
  database.close()
}

/** Sends this exact request line; returns the status and, for a redirect, the location. */
async function ask({ url }: Server, line: string, ...headers: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write([`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))
  const answer = await text(socket)
  const [, status] = /^HTTP\/1.1 (\d+)/.exec(answer) ?? []
  const [, location = ''] = /^Location: (.*)\r$/m.exec(answer) ?? []
  return `${status} ${location}`.trim()
}

it('follows links by the host that a request names, however it is written', async () => {
  const { server, id } = await withDomain()
  const link = { short_code: 'sale', original_url: 'https://example.com/custom', domain: host }
  await createLink(server, { ...link, domain: null, original_url: 'https://example.com/default' })
  await createLink(server, link)

  // Each twice: what is compiled for one host must not serve another.
  for (let time = 1; time <= 2; time++) {
    for (const name of [host, 'LINKS.Example.COM', `${host}.`, `${host}:8080`, `${host}.:80`]) {
      const asked = `Host: ${name}`
      expect(await ask(server, 'GET /sale', asked)).toBe('302 https://example.com/custom')
      expect(await ask(server, 'GET /', asked)).toBe(`302 ${home}`)
      expect(await ask(server, 'GET /nothing', asked)).toBe('404')
    }
    for (const name of ['evil.example', `${host}.evil.example`, '[::1]:8080']) {
      const asked = `Host: ${name}`
      expect(await ask(server, 'GET /sale', asked)).toBe('302 https://example.com/default')
    }
    for (const name of [`${host}@evil`, `${host} evil`, `${host}..`, ''])
      expect(await ask(server, 'GET /sale', `Host: ${name}`)).toBe('400')
  }

  // If two hosts are given, the one in the request target counts: RFC 9112, section 3.2.2.
  const absolute = await ask(server, `GET http://${host}/sale`, 'Host: evil.example')
  expect(absolute).toBe('302 https://example.com/custom')
  const elsewhere = await ask(server, 'GET http://evil.example/sale', `Host: ${host}`)
  expect(elsewhere).toBe('302 https://example.com/default')
  expect(await ask(server, `GET http://${host}/health/live`, 'Host: evil.example')).toBe('404')
  expect(await ask(server, `GET /${host}/sale`, 'Host: evil.example')).toBe('404')
  const forwarded = `X-Forwarded-Host: ${host}`
  const found = await ask(server, 'GET /sale', 'Host: evil.example', forwarded)
  expect(found).toBe('302 https://example.com/default')

  for (const path of ['/health/live', '/api/v1/openapi.json']) {
    expect(await ask(server, `GET ${path}`, `Host: ${host}`)).toBe('404')
    expect(await ask(server, `GET ${path}`, 'Host: 10.0.0.5:8080')).toBe('200')
  }

  const refused = await server.api('DELETE', `/domains/${id}`)
  expect(refused).toMatchObject({ status: 409, body: { code: 'domain_in_use', links: 1 } })
  await server.api('PATCH', `/domains/${id}`, { root_url: null })
  expect(await ask(server, 'GET /', `Host: ${host}`)).toBe('404')

  await server.kill('SIGTERM')
  const bare = await serve({ dataDir: server.dataDir, env: { PLUGINS: 'none' } })
  expect(await bare.logged(/stay closed/)).toMatchObject({ level: 'warn', host })
  expect(await ask(bare, 'GET /sale', `Host: ${host}`)).toBe('503')
  expect(await ask(bare, 'GET /sale', 'Host: x')).toBe('302 https://example.com/default')
})

itAtNight('takes the word of a trusted proxy on the host', async () => {
  const { server } = await withDomain({ LINNET_TRUSTED_PROXIES: '127.0.0.0/8' })
  const forwarded = `X-Forwarded-Host: ${host}`
  expect(await ask(server, 'GET /', 'Host: 10.0.0.5', forwarded)).toBe(`302 ${home}`)
  const forged = `X-Forwarded-Host: ${host}, other.example`
  expect(await ask(server, 'GET /nothing', `Host: ${host}`, forged)).toBe('404')
  expect(await ask(server, 'GET /health/live', `Host: ${host}`, forged)).toBe('200')
})
