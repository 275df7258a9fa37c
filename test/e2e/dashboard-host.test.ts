import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { itAtNight } from '../at-night.ts'
import { linnet, temporaryFolder } from './program.ts'
import { callsTo, serve } from './server.ts'

const short = 'go.example.org'
const own = 'links.example.org'
const env = {
  LINNET_BASE_URL: `https://${short}`,
  LINNET_DASHBOARD_URL: `https://${own}`,
  LINNET_TRUSTED_PROXIES: '127.0.0.1/32',
}

type Headers = Readonly<Record<string, string>>

/** A server as its clients see it, and as they do through a proxy. */
async function start() {
  const running = await serve({ env })
  const { port } = await running.logged(/^Linnet is ready/)
  const server = callsTo(`http://127.0.0.1:${port}`)
  const proxied = (host: string) => ({ 'x-forwarded-host': host, 'x-forwarded-for': '203.0.113.7' })
  return {
    url: `http://127.0.0.1:${port}`,
    get: server.get,
    at: (host: string, path: string, headers: Headers = {}) =>
      server.get(path, { ...proxied(host), ...headers }),
    api: (method: string, path: string, body?: unknown, headers: Headers = {}) =>
      server.api(method, path, body, { ...proxied(own), ...headers }),
  }
}

describe('with a host for the dashboard', () => {
  it('the short host answers codes and robots.txt alone, and the other host has the dashboard and the API for its own pages', async () => {
    const { url, get, at, api } = await start()
    const made = await api('POST', '/links', { original_url: 'https://example.com/' })
    const { shortUrl } = made.body.data
    expect(shortUrl).toMatch(/^https:\/\/go\.example\.org\//)
    const { pathname } = new URL(shortUrl)
    for (const host of [short, '127.0.0.1']) {
      const followed = await at(host, pathname)
      expect(followed.headers.get('location')).toBe('https://example.com/')
      expect((await at(host, '/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
      const gone = ['/dashboard/', '/dashboard', '/api/v1/profile', '/api/v1/openapi.json', '/api']
      for (const path of [...gone, '/', '/nothing', ...(host === short ? ['/health/ready'] : [])]) {
        const { status, text } = await at(host, path, { accept: 'text/html' })
        expect([path, status]).toEqual([path, 404])
        expect(text).toContain('<!doctype html>')
      }
    }
    // A proxy that passes on what clients write opens nothing.
    const asked = async (host: string) => {
      const headers = { host, 'x-forwarded-host': own, 'x-forwarded-for': '203.0.113.7' }
      const sent = request(`${url}/api/v1/openapi.json`, { headers }).end()
      const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage]
      sent.destroy()
      return statusCode
    }
    expect([await asked(short), await asked('127.0.0.1')]).toEqual([404, 200])
    // Who watches it asks by its address.
    expect((await get('/health/ready')).status).toBe(200)
    await api('POST', '/admin/domains', { host: 'shared.example.com' })
    const served = [short, own, 'GO.example.org.', 'shared.example.com']
    const named = [...served, 'other.example', '127.0.0.1', 'x.go.example.org']
    const statuses = named.map(async host => (await get(`/health/tls?domain=${host}`)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 404, 404, 404])

    expect((await at(own, '/')).headers.get('location')).toBe('/dashboard/')
    expect((await at(own, '/dashboard/')).status).toBe(200)
    expect((await at(own, '/health/ready')).status).toBe(200)
    expect((await at(own, '/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
    expect((await at(own, pathname)).status).toBe(404)

    const noToken = { authorization: '' }
    const who = { email: 'ada@example.org', password: 'correct horse' }
    const signedIn = await api('POST', '/session', who, { ...noToken, origin: `https://${own}` })
    const cookie = signedIn.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^__Host-.*Secure/)
    const change = (host: string) =>
      api(
        'PATCH',
        '/profile',
        { full_name: 'Ada' },
        {
          ...{ ...noToken, origin: `https://${host}`, cookie: cookie.split(';')[0] ?? '' },
        },
      )
    expect((await change(short)).status).toBe(403)
    expect((await change(own)).status).toBe(200)

    const errorOf = async (path: string, body: object) =>
      (await api('POST', path, body)).body.errors[0].message
    expect(await errorOf('/domains', { host: own })).toBe('This is the host of the dashboard.')
    expect(await errorOf('/domains', { host: short })).toContain('host of this instance')
    const back = 'The URL leads back to this link shortener.'
    expect(await errorOf('/links', { original_url: `https://${own}/dashboard/` })).toBe(back)
    expect(await errorOf('/links', { original_url: `https://${short}/abc` })).toBe(back)

    const { data } = (await api('GET', '/admin/instance')).body
    expect(data).toMatchObject({ baseUrl: `https://${short}`, dashboardUrl: `https://${own}` })
    expect((await api('GET', '/plugins')).body.meta).toEqual({ targetSchemes: [], mainHost: short })
    const found = (await api('GET', '/admin/doctor')).body.data
    expect(found).toContainEqual(expect.objectContaining({ name: 'proxies', status: 'ok' }))

    const [frontUrl, unknownUrl] = ['https://example.com/us', 'https://example.com/lost']
    const chosen = { front: 'address', frontUrl, unknown: 'address', unknownUrl }
    expect((await api('PATCH', '/admin/front-page', chosen)).status).toBe(200)
    expect((await at(short, '/')).headers.get('location')).toBe(frontUrl)
    expect((await at(short, '/dashboard/')).headers.get('location')).toBe(unknownUrl)
    await api('PATCH', '/admin/front-page', { front: 'dashboard' })
    expect((await at(short, '/')).headers.get('location')).toBe(`https://${own}/`)
  })
})

itAtNight.each([
  ['go.example.org', 'nter http:// or https:// followed by a host and nothing else'],
  ['https://go.example.org:8443', 'give it a host of its own, or unset it.'],
  ['https://links.example.org/dashboard', 'followed by a host and nothing else'],
  ['ftp://links.example.org', 'followed by a host and nothing else'],
  ['http://go.example.org', 'give it a host of its own, or unset it.'],
])('%s is no address of the dashboard', async (url, sentence) => {
  const dataDir = temporaryFolder()
  const wrong = { ...env, LINNET_DASHBOARD_URL: url, LINNET_DATA_DIR: dataDir, LINNET_PORT: '0' }
  const { code, stderr } = await linnet(['serve'], { env: wrong })
  expect(code).not.toBe(0)
  expect(stderr).toContain('LINNET_DASHBOARD_URL is ')
  expect(stderr).toContain(sentence)
})
