import { inject } from 'light-my-request'
import { afterEach, describe, expect, it } from 'vitest'
import { openSession } from '../../../../core/accounts/access/sessions.ts'
import { definePlugin, file, type Mount, type Plugin, refuse } from '../../../../core/plugin.ts'
import developer from '../../../../plugins/developer/api-keys.ts'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const plugin = (
  mounts: NonNullable<Plugin['mounts']>,
  feature: Plugin['feature'] = 'a.door',
): Plugin => definePlugin({ feature, about: 'A plugin for a test.', mounts })

/** Says what it was asked. */
const echo: Mount = {
  handle: ({ path, input }) => file('text/plain', JSON.stringify({ path, input }), 0),
}

/** Makes a link with the token that it is given, and says what the API did. */
const making: Mount = {
  token: ({ key }) => key,
  origins: ['https://app.example.org'],
  async handle({ input, call }) {
    const { status, body } = await call('POST', '/links', { originalUrl: input.url ?? '' })
    return file('application/json', JSON.stringify({ status, body }), 0, status)
  },
}

const said = ({ text }: { readonly text: string }) => JSON.parse(text)

/** A token of the account. */
async function tokenFor(...scopes: readonly string[]): Promise<string> {
  const { body } = await linnet.api('POST', '/api-tokens', { name: 'For a door', scopes })
  return body.data.token
}

const raw = (method: 'GET' | 'OPTIONS' | 'DELETE', url: string, headers = {}) =>
  inject(linnet.app.server.handle, { method, url, headers })

describe('a mount', () => {
  it('answers at its path and below, and nowhere else', async () => {
    linnet = await boot([plugin({ 'door.php': echo, bio: echo })])
    expect(said(await linnet.visit('door.php'))).toEqual({ path: '', input: {} })
    expect(said(await linnet.visit('bio/ada/x'))).toEqual({ path: 'ada/x', input: {} })
    for (const path of ['bios', 'Bio', 'door', 'door.php2', 'api/bio']) {
      expect((await linnet.visit(path)).status, path).toBe(404)
    }
  })

  it('is given the query and the form', async () => {
    linnet = await boot([plugin({ bio: echo })])
    const answers = { b: 'of the form', c: 'ü&=' }
    const { text } = await linnet.visit('bio', { query: '?a=1&b=2', answers })
    expect(JSON.parse(text).input).toEqual({ a: '1', b: 'of the form', c: 'ü&=' })
    const large = await linnet.visit('bio', { answers: { a: 'x'.repeat(20_000) } })
    expect(large.status).toBe(413)
  })

  it('answers with a status and a type of its own, which no browser runs', async () => {
    const gone = file('text/html', '<p>Gone</p>', 60, 410)
    linnet = await boot([plugin({ bio: { handle: () => gone } })])
    const { status, text, headers } = await linnet.visit('bio')
    expect([status, text]).toEqual([410, '<p>Gone</p>'])
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'cache-control': 'private, max-age=60',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
      'x-content-type-options': 'nosniff',
    })
    expect((await linnet.visit('bio', { method: 'HEAD' })).text).toBe('')
  })

  it('says refusals and that there is nothing as problems, and what else can be done', async () => {
    linnet = await boot([
      plugin({ none: { handle: () => undefined }, no: { handle: () => refuse('no', 'No.', 403) } }),
    ])
    expect(said(await linnet.visit('none'))).toMatchObject({ code: 'not_found', status: 404 })
    expect(said(await linnet.visit('no'))).toMatchObject({ code: 'no', status: 403 })
    const { statusCode, headers } = await raw('DELETE', '/no')
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })

  it('goes on to answer others, however often one makes it fail', async () => {
    const fails: Mount = {
      handle({ input }) {
        if (input.bad) throw new Error('boom')
        return input.odd ? ('text' as never) : file('text/plain', 'well', 0)
      },
    }
    linnet = await boot(plugin({ bio: fails }))
    expect((await linnet.visit('bio', { query: '?odd=1' })).status).toBe(500)
    expect(linnet.log.at(-1)).toBe(
      'a.door mounts bio failed: it returned an invalid value: must be a file, a refusal or undefined',
    )
    for (let time = 0; time < 25; time += 1) {
      expect((await linnet.visit('bio', { query: '?bad=1' })).status).toBe(500)
    }
    expect((await linnet.visit('bio')).text).toBe('well')
  })

  it('tells a client without a token to wait after 600 requests a minute, and nobody else', async () => {
    linnet = await boot([plugin({ bio: echo, make: making }), developer])
    const ask = (path: string, remoteAddress: string, headers = {}) =>
      inject(linnet.app.server.handle, { method: 'GET', url: `/${path}`, headers, remoteAddress })
    const key = await tokenFor('links:write')
    const make = (query: string) => ask(`make?url=https://example.org/&${query}`, '192.0.2.7')
    for (let time = 0; time < 597; time += 1) await ask('bio', '192.0.2.7')
    expect((await make(`key=${key}`)).statusCode).toBe(201)
    expect((await make('key=lnt_wrong')).statusCode).toBe(401)
    expect((await ask('bio', '192.0.2.7', { authorization: 'Bearer lnt_wrong' })).statusCode).toBe(
      200,
    )
    expect((await ask('bio', '192.0.2.7')).statusCode).toBe(200)

    const late = await ask('bio', '192.0.2.7')
    expect(late.statusCode).toBe(429)
    expect(late.json()).toMatchObject({ code: 'too_many_requests' })
    expect(late.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-9]\d?$/),
      'ratelimit-policy': '"default";q=600;w=60',
    })
    expect((await make('key=lnt_wrong')).statusCode).toBe(429)
    expect((await ask('bio', '192.0.2.8')).statusCode).toBe(200)
    const { shortCode } = await linnet.create()
    expect((await ask(shortCode, '192.0.2.7')).statusCode).toBe(302)
  })

  it('is read by pages of the origins that it names, and by no others', async () => {
    linnet = await boot([plugin({ make: making, bio: echo })])
    const origin = 'https://app.example.org'
    const asked = await raw('OPTIONS', '/make', { origin })
    expect(asked.headers['access-control-allow-origin']).toBe(origin)
    const other = await raw('GET', '/make', { origin: 'https://evil.example' })
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
    expect((await raw('GET', '/bio', { origin })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    )
  })
})

describe('a call from a mount to the API', () => {
  it('may what its token may, and no more', async () => {
    linnet = await boot([plugin({ make: making }), developer])
    const url = 'https://example.org/'
    const key = await tokenFor('links:write')
    const made = said(await linnet.visit('make', { answers: { key, url } }))
    expect(made).toMatchObject({ status: 201, body: { data: { originalUrl: url } } })
    const reading = await tokenFor('links:read')
    const refused = said(await linnet.visit('make', { answers: { key: reading, url } }))
    expect(refused).toMatchObject({ status: 403, body: { requiredScope: 'links:write' } })
    const wrong = said(await linnet.visit('make', { answers: { key, url: 'nonsense' } }))
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'originalUrl' }] } })
  })

  it('with a wrong token opens nothing, and is told in the log', async () => {
    linnet = await boot([plugin({ make: making }), developer])
    const { status } = await linnet.visit('make', { answers: { key: 'lnt_x', url: 'x' } })
    expect(status).toBe(401)
    expect(linnet.log.join('\n')).toMatch(/token/)
  })

  it('takes the token of the header where the mount finds none', async () => {
    linnet = await boot([plugin({ make: making }), developer])
    const authorization = `Bearer ${await tokenFor('links:write')}`
    const options = { answers: { url: 'https://example.org/' }, headers: { authorization } }
    expect((await linnet.visit('make', options)).status).toBe(201)
  })

  it('never acts by the cookie of who visits', async () => {
    linnet = await boot([plugin({ make: making })])
    const now = () => new Date('2026-11-20T12:00:00Z')
    const session = await openSession(linnet.db, linnet.account.rowId, now)
    const cookie = `__Host-linnet=${session}`
    expect((await raw('GET', '/api/v1/profile', { cookie })).statusCode).toBe(200)
    const options = { answers: { url: 'https://example.org/' }, headers: { cookie } }
    expect((await linnet.visit('make', options)).status).toBe(401)
  })

  it('reads with a query, and finds nothing where nothing is', async () => {
    const asking: Mount = {
      async handle({ path, call }) {
        return file('application/json', JSON.stringify(await call('GET', `/${path}`)), 0)
      },
    }
    const looking: Mount = {
      handle: async ({ call }) =>
        file('application/json', JSON.stringify(await call('GET', '/links?perPage=1')), 0),
    }
    linnet = await boot([plugin({ ask: asking, look: looking }), developer])
    await linnet.create()
    await linnet.create()
    const headers = { authorization: `Bearer ${await tokenFor('links:read')}` }
    const { body } = said(await linnet.visit('look', { headers }))
    expect(body.data).toHaveLength(1)
    expect(said(await linnet.visit('ask/nothing', { headers }))).toMatchObject({ status: 404 })
    expect(said(await linnet.visit('ask/links/bulk', { headers }))).toMatchObject({ status: 405 })
  })
})

describe('the path of a mount', () => {
  it('is no short code for new links', async () => {
    linnet = await boot([plugin({ bio: echo }), customShortCode])
    const draft = { originalUrl: 'https://example.com/', shortCode: 'Bio' }
    expect((await linnet.api('POST', '/links', draft)).status).toBe(409)
    const { body } = await linnet.api('GET', '/links/short-codes?shortCodes=bio')
    expect(body.data).toMatchObject([{ isFree: false, reason: 'reserved' }])
  })

  it('is left to the link that has it: the plugin is left out, and named', async () => {
    linnet = await boot([customShortCode])
    await linnet.create({ shortCode: 'bio' })
    await expect(linnet.restart([customShortCode, plugin({ bio: echo })])).rejects.toThrow(
      'a.door does not run: it answers /bio, which is the short code of a link',
    )
  })

  it.each(['api', 'assets', 'Bio', 'a/b', '', '.env'])('is none as %j', async path => {
    linnet = await boot([])
    await expect(boot(plugin({ [path]: echo }))).rejects.toThrow('Name it by the first segment')
  })

  it('is told of two plugins that would share it', async () => {
    linnet = await boot([])
    const site = { path: 'bio', folder: new URL('./', import.meta.url) }
    const both = [plugin({ bio: echo }), { ...plugin({}, 'b.site'), site }]
    await expect(boot(both)).rejects.toThrow('a.door and b.site both have the path /bio')
  })
})
