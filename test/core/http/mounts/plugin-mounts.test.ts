import { inject } from 'light-my-request'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openSession } from '../../../../core/accounts/access/sessions/sessions.ts'
import { memoryShares } from '../../../../core/lib/memory/memory-shares.ts'
import {
  ask,
  type Context,
  definePlugin,
  endpoint,
  file,
  isRefusal,
  type Mount,
  type MountRequest,
  type Plugin,
  page,
  redirect,
  refuse,
  text,
  z,
} from '../../../../core/plugin.ts'
import developer from '../../../../plugins/developer/api-keys.ts'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import { itAtNight } from '../../../at-night.ts'
import { boot, type Harness, type VisitOptions } from '../../../harness.ts'

/** As with 128 MiB. An endpoint of a plugin has no answer of more than 2 MiB, and four of the longest are to fit. */
vi.mock('../../../../core/lib/memory/memory-shares.ts', async actual => {
  const { memoryShares, ...others } = await actual<Record<'memoryShares', object>>()
  return { ...others, memoryShares: { ...memoryShares, answerBytes: 4 * 1024 * 1024 } }
})

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
  token: ({ input }) => input.key,
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

  it('tells a client to ask for less that asks for more than there is memory for, in its own way', async () => {
    const most = memoryShares.answerBytes
    const large = (letter: string) => file('text/plain', letter.repeat(most + 1), 0)
    const bio: Mount = { handle: () => large('x') }
    const door: Mount = {
      handle: () => large('x'),
      problem: ({ code }) => file('text/plain', `error:${code}`, 0),
    }
    const odd: Mount = { handle: () => large('x'), problem: () => large('y') }
    linnet = await boot([plugin({ bio, door, odd })])
    expect(said(await linnet.visit('bio'))).toMatchObject({
      ...{ status: 413, code: 'payload_too_large' },
      detail: expect.stringContaining('Ask for fewer at once'),
    })
    const inItsWay = await linnet.visit('door')
    expect([inItsWay.status, inItsWay.text]).toEqual([413, 'error:payload_too_large'])
    expect(linnet.log.filter(it => it.includes('failed'))).toEqual([])
    expect((await linnet.visit('odd')).status).toBe(413)
    const says = new RegExp(`content: has ${most + 1} bytes, more than the ${most} that`)
    expect(linnet.log.filter(it => says.test(it)).map(it => it.slice(0, 30))).toEqual([
      'a.door mounts odd problem fail',
    ])
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
      'a.door mounts bio failed: it returned an invalid value: must be a file, a page, a redirect, a refusal or undefined',
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

  it('is put to work no more often by a client that makes up tokens, all at once', async () => {
    let asked = 0
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>()
    const slow: Mount = {
      async handle() {
        asked += 1
        await later
        return file('text/plain', 'late', 0)
      },
    }
    linnet = await boot([plugin({ slow }), developer])
    const known = await tokenFor('links:read')
    const ask = (token: string, remoteAddress: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return inject(linnet.app.server.handle, {
        method: 'GET',
        url: '/slow',
        headers,
        remoteAddress,
      })
    }
    const answers = Array.from({ length: 700 }, () => ask(`lnt_${'x'.repeat(43)}`, '192.0.2.7'))
    const others = Array.from({ length: 700 }, () => ask(known, '192.0.2.8'))
    await expect.poll(() => asked).toBe(600 + 700)
    goOn()
    const late = (await Promise.all(answers)).filter(it => it.statusCode === 429)
    expect(late).toHaveLength(100)
    expect((await Promise.all(others)).filter(it => it.statusCode !== 200)).toEqual([])
  })

  it('is closed by answers that one client waits too long for to that client, and to nobody else', async () => {
    const hangs: Mount = {
      handle: ({ query }) =>
        query.has('hang') ? new Promise(() => undefined) : file('text/plain', 'done', 0),
    }
    linnet = await boot(plugin({ hangs }))
    const ask = (url: string, remoteAddress: string) =>
      inject(linnet.app.server.handle, { method: 'GET', url, remoteAddress })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const answers = Array.from({ length: 20 }, () => ask('/hangs?hang', '192.0.2.7'))
      await new Promise(setImmediate)
      await vi.advanceTimersByTimeAsync(60_000)
      for (const { statusCode } of await Promise.all(answers)) expect(statusCode).toBe(503)
    } finally {
      vi.useRealTimers()
    }
    const { statusCode, headers } = await ask('/hangs', '192.0.2.7')
    expect([statusCode, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect((await ask('/hangs', '192.0.2.8')).statusCode).toBe(200)
  })

  it('keeps others from nothing while one client has as many requests under way as it may have', async () => {
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>()
    const slow: Mount = {
      async handle({ query }) {
        if (query.has('wait')) await later
        return file('text/plain', 'done', 0)
      },
    }
    linnet = await boot([plugin({ slow }), developer])
    const headers = { authorization: `Bearer ${await tokenFor('links:read')}` }
    const ask = (url: string, remoteAddress: string) =>
      inject(linnet.app.server.handle, { method: 'GET', url, headers, remoteAddress })
    const share = 6 * memoryShares.running
    const asked = Array.from({ length: share + 50 }, () => ask('/slow?wait', '192.0.2.7'))
    expect((await Promise.race(asked)).statusCode).toBe(503)
    expect((await ask('/slow', '192.0.2.8')).statusCode).toBe(200)
    goOn()
    const refused = (await Promise.all(asked)).filter(it => it.statusCode === 503)
    expect(refused).toHaveLength(50)
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

describe('a mount that says what it takes', () => {
  const sent = (type: string, body: string | Uint8Array) => ({
    body,
    headers: { 'content-type': type },
  })
  const say: Mount['handle'] = ({ method, json, input, uploads, bytes }) =>
    file(
      'application/json',
      JSON.stringify({
        method,
        json,
        input,
        bytes: Buffer.from(bytes).toString('latin1'),
        uploads: uploads.map(it => ({ ...it, content: Buffer.from(it.content).toString() })),
      }),
      0,
    )

  it('answers its methods, HEAD like GET, and no others', async () => {
    linnet = await boot([plugin({ bio: { methods: ['GET', 'PUT', 'DELETE'], handle: say } })])
    expect(said(await linnet.visit('bio', { method: 'PUT' })).method).toBe('PUT')
    expect(said(await linnet.visit('bio', { method: 'DELETE' })).method).toBe('DELETE')
    const head = await linnet.visit('bio', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    const posted = await linnet.visit('bio', { method: 'POST' })
    expect(posted.status).toBe(405)
    expect(posted.headers.allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
  })

  it('has numbers and truths of a JSON body as texts, as a form would, and nothing that no form has', async () => {
    linnet = await boot([plugin({ bio: { methods: ['POST'], handle: say } })])
    const body = JSON.stringify({
      a: 'x',
      limit: 10,
      big: 1795823744,
      isOn: true,
      no: null,
      all: [1],
      of: {},
    })
    const answer = await linnet.visit('bio', { method: 'POST', ...sent('application/json', body) })
    expect(said(answer).input).toEqual({ a: 'x', limit: '10', big: '1795823744', isOn: 'true' })
  })

  it('reads the headers that it names, and no others', async () => {
    const heard: Mount = {
      headers: ['x-api-key', 'x-event'],
      handle: ({ headers }) => file('text/plain', JSON.stringify(headers), 0),
    }
    linnet = await boot([plugin({ bio: heard })])
    const headers = { 'x-api-key': 'k', 'x-other': 'o', cookie: 'a=b', authorization: 'Basic x' }
    expect(said(await linnet.visit('bio', { headers }))).toEqual({ 'x-api-key': 'k' })
  })

  it.each(['cookie', 'x-forwarded-for', 'cf-connecting-ip', 'true-client-ip', 'X-Api-Key'])(
    'cannot read the header %s',
    async name => {
      linnet = await boot([])
      const mounts = { bio: { headers: [name], handle: () => undefined } }
      await expect(boot(plugin(mounts))).rejects.toThrow(
        'a.door has a mount bio with invalid headers',
      )
    },
  )

  it.each([
    [{ methods: ['HEAD'] }, 'has a wrong mounts.bio.methods. Write a list of GET, POST'],
    [{ bodies: ['xml'] }, 'has a wrong mounts.bio.bodies. Write a list of form, json'],
    [{ maxBytes: 1e9 }, 'has a wrong mounts.bio.maxBytes. Write a number of bytes up to 33554432.'],
    [{ hosts: 'base' }, "has a wrong mounts.bio.hosts. Write hosts: 'all', or leave it out."],
  ])('is refused with %j', async (wrong, why) => {
    linnet = await boot([])
    const bio = { ...wrong, handle: () => undefined } as Mount
    await expect(boot(plugin({ bio }))).rejects.toThrow(why)
  })

  it('is given JSON of any shape, and the texts in it', async () => {
    linnet = await boot([plugin({ bio: { handle: say } })])
    const deep = { name: 'x', of: [{ a: null }, 1], __proto__: null }
    const seen = await linnet.visit('bio', sent('application/json', JSON.stringify(deep)))
    expect(said(seen)).toMatchObject({ json: { name: 'x', of: [{ a: null }, 1] } })
    expect(said(seen).input).toEqual({ name: 'x' })
    const list = await linnet.visit('bio', sent('application/vnd.x+json', '[null]'))
    expect(said(list)).toMatchObject({ json: [null], input: {} })
    const wrong = await linnet.visit('bio', sent('application/json', '{'))
    expect([wrong.status, said(wrong).code]).toEqual([400, 'malformed_json'])
  })

  const form = (...parts: readonly string[]) =>
    [...parts.map(part => `--X\r\nContent-Disposition: form-data; ${part}\r\n`), '--X--\r\n'].join(
      '',
    )
  const multipart = 'multipart/form-data; boundary=X'

  it('is given the fields and the files of a form', async () => {
    linnet = await boot([plugin({ bio: { bodies: ['multipart'], handle: say } })])
    const body = form(
      'name="url"\r\n\r\nhttps://example.org/ü',
      'name="list"; filename="C:\\a\\links.csv"\r\nContent-Type: text/csv\r\n\r\na,b\r\n1,2',
      'name="other"; filename=""\r\n\r\n',
    )
    const seen = said(await linnet.visit('bio', sent(multipart, body)))
    expect(seen.input).toEqual({ url: 'https://example.org/ü' })
    expect(seen.uploads).toEqual([
      { field: 'list', name: 'links.csv', type: 'text/csv', content: 'a,b\r\n1,2' },
      { field: 'other', name: '', type: 'text/plain', content: '' },
    ])
  })

  it.each([
    ['without a boundary', 'multipart/form-data', form('name="a"\r\n\r\nb')],
    ['that ends early', multipart, form('name="a"; filename="b"\r\n\r\nc').slice(0, -9)],
    ['that is none', multipart, 'nothing of the kind'],
  ])('refuses a form %s', async (_, type, body) => {
    linnet = await boot([plugin({ bio: { bodies: ['multipart'], handle: say } })])
    const seen = await linnet.visit('bio', sent(type, body))
    expect([seen.status, said(seen).code]).toEqual([400, 'malformed_form'])
  })

  it('refuses forms of more than a thousand fields', async () => {
    const large: Mount = { bodies: ['form', 'multipart'], maxBytes: 1_000_000, handle: say }
    linnet = await boot([plugin({ bio: large })])
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`)
    const typed = (count: number) =>
      sent('application/x-www-form-urlencoded', fields(count).join('&'))
    const parts = (count: number) =>
      sent(multipart, form(...fields(count).map(it => `name="${it}"\r\n\r\nb`)))
    for (const asked of [typed, parts]) {
      const { input } = said(await linnet.visit('bio', asked(1_000)))
      expect(Object.keys(input)).toHaveLength(1_000)
      expect((await linnet.visit('bio', asked(1_001))).status).toBe(413)
    }
  })

  it('is given the bytes that were sent, whatever they are', async () => {
    linnet = await boot([plugin({ bio: { bodies: ['bytes'], handle: say } })])
    const bytes = Uint8Array.from([0, 0xff, 0x0d, 0x0a, 0x7b])
    const seen = said(await linnet.visit('bio', sent('application/json', bytes)))
    expect(seen).toMatchObject({ bytes: '\0ÿ\r\n{', input: {} })
    expect(seen).not.toHaveProperty('json')
  })

  it('parses what it takes as bytes too, if it takes that', async () => {
    linnet = await boot([plugin({ bio: { bodies: ['bytes', 'json'], handle: say } })])
    const seen = said(await linnet.visit('bio', sent('application/json', ' [1]')))
    expect(seen).toMatchObject({ json: [1], bytes: ' [1]' })
  })

  it('refuses bodies of other types, and larger ones than it says', async () => {
    linnet = await boot([plugin({ bio: { bodies: ['json'], maxBytes: 20_000, handle: say } })])
    expect((await linnet.visit('bio', { answers: { a: 'b' } })).status).toBe(415)
    const json = (length: number) => sent('application/json', `"${'x'.repeat(length - 2)}"`)
    expect((await linnet.visit('bio', json(20_000))).status).toBe(200)
    expect((await linnet.visit('bio', json(20_001))).status).toBe(413)
  })

  it('lets pages of its origins send the headers that it reads', async () => {
    const bio: Mount = { origins: '*', headers: ['x-api-key'], methods: ['PUT'], handle: say }
    linnet = await boot([plugin({ bio })])
    const { headers } = await raw('OPTIONS', '/bio', { origin: 'https://app.example.org' })
    expect(headers['access-control-allow-headers']).toMatch(/, x-api-key$/)
    expect(headers['access-control-allow-methods']).toBe('PUT, OPTIONS')
  })

  it('answers below /.well-known by its whole name', async () => {
    const bio: Mount = { handle: ({ path }) => file('application/json', `"${path}"`, 0) }
    linnet = await boot([plugin({ '.well-known/assetlinks.json': bio })])
    expect(said(await linnet.visit('.well-known/assetlinks.json'))).toBe('')
    expect(said(await linnet.visit('.well-known/assetlinks.json/a'))).toBe('a')
    for (const path of ['.well-known', '.well-known/', '.well-known/assetlinks', 'assetlinks.json'])
      expect((await linnet.visit(path)).status, path).toBe(404)
  })

  it('answers below /api where the API of Linnet is not', async () => {
    const bio: Mount = { handle: ({ path }) => file('application/json', `"${path}"`, 0) }
    linnet = await boot([plugin({ 'api/v2': bio })])
    expect(said(await linnet.visit('api/v2/links'))).toBe('links')
    expect((await linnet.visit('api/v3/links')).status).toBe(404)
    expect((await linnet.api('GET', '/profile')).status).toBe(200)
  })

  it('answers below /api/v1 beside the API', async () => {
    const bio: Mount = { handle: ({ path }) => file('application/json', `"${path}"`, 0) }
    linnet = await boot([plugin({ 'api/v1/bio': bio })])
    expect(said(await linnet.visit('api/v1/bio/ada'))).toBe('ada')
    expect((await linnet.api('GET', '/profile')).status).toBe(200)
  })

  it('is not asked for a path that leads out of it', async () => {
    linnet = await boot([plugin({ bio: echo })])
    expect((await linnet.visit('bio/../x')).status).toBe(404)
    expect((await linnet.visit('bio/%2e%2e/x')).status).toBe(404)
    expect(said(await linnet.visit('bio/a/../x')).path).toBe('x')
  })
})

describe('a mount on all hosts', () => {
  const hosting = definePlugin({
    feature: 'a.hosting',
    about: 'Has a host.',
    fields: { domain: text({ label: 'Domain', when: 'create', stored: false }) },
    prepare: ({ fields: { domain } }) => (domain ? { domain } : undefined),
    unstable: {
      hosts: (_: Context) => [
        { name: 'a.example', accountId: 1, rootUrl: null, notFoundUrl: null },
      ],
    },
  })
  const where: Mount['handle'] = ({ host, accountId = null }) =>
    file('application/json', JSON.stringify({ host, accountId }), 0)
  const onHost = (path: string) => linnet.visit(path, { headers: { host: 'a.example' } })

  it('is told the host; one that is not says nothing there', async () => {
    const everywhere: Mount = { hosts: 'all', handle: where }
    const paths = { bio: everywhere, '.well-known/a': everywhere, own: { handle: where } }
    linnet = await boot([hosting, plugin(paths)])
    expect(said(await onHost('.well-known/a')).host).toBe('a.example')
    expect(said(await linnet.visit('bio'))).toEqual({ host: '', accountId: null })
    expect(said(await onHost('bio'))).toEqual({ host: 'a.example', accountId: 1 })
    expect((await onHost('own')).status).toBe(404)
    const link = await linnet.create({ domain: 'a.example' })
    expect((await onHost(link.shortCode)).status).toBe(302)
  })

  it('keeps its path from links of all hosts', async () => {
    const door = plugin({ bio: { hosts: 'all', handle: where }, own: { handle: where } })
    linnet = await boot([hosting, door, customShortCode])
    const draft = { originalUrl: 'https://example.com/', domain: 'a.example' }
    const make = async (shortCode: string) =>
      (await linnet.api('POST', '/links', { ...draft, shortCode })).status
    expect(await make('bio')).toBe(409)
    expect(await make('own')).toBe(201)
  })
})

describe('an answer of a mount', () => {
  it('may be a redirect, in GET and after a form', async () => {
    const to = 'https://example.org/'
    const moved = () => redirect(to, 308, { 'Cache-Control': 'max-age=60' })
    linnet = await boot([
      plugin({ moved: { handle: moved }, there: { handle: () => redirect(to) } }),
    ])
    const permanent = await linnet.visit('moved')
    expect(permanent).toMatchObject({ status: 308, location: to })
    expect(permanent.headers['cache-control']).toBe('max-age=60')
    expect((await linnet.visit('there')).status).toBe(302)
    expect((await linnet.visit('there', { answers: { a: 'b' } })).status).toBe(303)
  })

  it('may be a page', async () => {
    const shown = page({ heading: 'Welcome <here>', text: 'Come in.' })
    linnet = await boot([plugin({ bio: { handle: () => shown } })])
    const { status, text } = await linnet.visit('bio')
    expect(status).toBe(200)
    expect(text).toContain('<h1>Welcome &lt;here&gt;</h1>\n<p>Come in.</p>')
  })

  it('may ask something, and is given the answers at the same address', async () => {
    const name = { name: 'name', label: { en: 'Name', de: 'Name' }, type: 'text' } as const
    const handle: Mount['handle'] = ({ input, query }) => {
      if (input.continue !== 'yes') return ask('Who are you?', [name])
      if (!input.name) return ask('Who are you?', [name], 'Say your name.')
      return page({ heading: `Hello ${input.name} of ${query.get('of')}` })
    }
    linnet = await boot([plugin({ bio: { handle } })])
    const asked = await linnet.visit('bio', { query: '?of=here' })
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('<input name="name" type="text"')
    const answer = async (name: string) =>
      linnet.visit('bio', { query: '?of=here', answers: { name, continue: 'yes' } })
    expect(await answer('')).toMatchObject({
      status: 422,
      text: expect.stringContaining('role="alert">Say your name.<'),
    })
    expect((await answer('Ada')).text).toContain('<h1>Hello Ada of here</h1>')
    const program = await linnet.visit('bio', { headers: { accept: 'application/json' } })
    expect(program).toMatchObject({ status: 403, text: expect.stringContaining('answer_needed') })
  })

  it('may have headers that harm nobody, and no others', async () => {
    const handle: Mount['handle'] = ({ input }) =>
      file('text/plain', '', 0, 201, JSON.parse(input.headers ?? ''))
    linnet = await boot([plugin({ bio: { handle } })])
    const asked = (headers: object) =>
      linnet.visit('bio', { query: `?headers=${encodeURIComponent(JSON.stringify(headers))}` })
    const fine = { 'Cache-Control': 'public, max-age=9', Location: '/bio/1', ETag: '"a"' }
    const seen = await asked(fine)
    expect(seen.status).toBe(201)
    expect(seen.headers).toMatchObject({ location: '/bio/1', etag: '"a"' })
    expect(seen.headers['cache-control']).toBe('public, max-age=9')
    for (const wrong of [
      { 'Set-Cookie': 'a=b' },
      { 'Content-Security-Policy': '' },
      { Link: 'a\r\nSet-Cookie: a=b' },
      { Link: 'ü' },
      { Location: '//evil.example' },
      { Location: 'javascript:alert(1)' },
    ]) {
      expect((await asked(wrong)).status, JSON.stringify(wrong)).toBe(500)
      expect(linnet.log.at(-1)).toMatch(/^a.door mounts bio failed: .* headers/)
    }
  })
})

describe('a mount that writes problems itself', () => {
  const written: Mount = {
    methods: ['POST'],
    bodies: ['json'],
    token: ({ headers }) => headers['x-api-key'],
    headers: ['x-api-key'],
    async handle({ path, caller }) {
      if (path === 'boom') throw new Error('boom')
      if (path === 'none') return undefined
      const known = await caller('links:write')
      return isRefusal(known) ? known : file('text/plain', `${known.accountId}`, 0)
    },
    problem({ code, status }, { path, input }) {
      if (path === 'bad') throw new Error('bad')
      return file('application/x-problem', `${code} ${status} ${input.name ?? ''}`, 0)
    },
  }
  const ask = (path: string, visit: VisitOptions = {}) =>
    linnet.visit(`bio${path}`, { method: 'POST', ...visit })

  it('writes each, with the status and the headers that go with it', async () => {
    linnet = await boot([plugin({ bio: written }), developer])
    const headers = { 'content-type': 'application/json' }
    const named = JSON.stringify({ name: 'me' })
    const cases = [
      [await ask('', { method: 'GET' }), 'method_not_allowed 405 '],
      [await ask('', { answers: { name: 'me' } }), 'unsupported_media_type 415 '],
      [await ask('', { headers, body: 'x'.repeat(20_000) }), 'payload_too_large 413 '],
      [await ask('', { headers, body: '{' }), 'malformed_json 400 '],
      [await ask('/boom', { headers, body: named }), 'internal 500 me'],
      [await ask('/none', { headers, body: named }), 'not_found 404 me'],
      [await ask('', { headers, body: named }), 'unauthenticated 401 me'],
    ] as const
    for (const [{ status, text, headers }, expected] of cases) {
      expect(text).toBe(expected)
      expect(`${status}`).toBe(expected.split(' ')[1])
      expect(headers['content-type']).toBe('application/x-problem')
    }
    expect(cases[0][0].headers.allow).toBe('POST, OPTIONS')
  })

  it('that fails leaves them as they are', async () => {
    linnet = await boot([plugin({ bio: written })])
    const seen = await ask('/bad')
    expect([seen.status, said(seen).code]).toEqual([401, 'unauthenticated'])
    expect(linnet.log.at(-1)).toBe('a.door mounts bio problem failed: bad')
  })

  itAtNight('writes the one that tells a client to wait', async () => {
    linnet = await boot([plugin({ bio: written })])
    for (let time = 0; time < 600; time += 1) await ask('')
    const late = await ask('')
    expect(late).toMatchObject({ status: 429, text: 'too_many_requests 429 ' })
    expect(late.headers['retry-after']).toMatch(/^[1-9]\d?$/)
  })
})

describe('the caller of a mount', () => {
  const asking: Mount = {
    token: async ({ headers }, { store }) =>
      headers['x-api-key'] ?? ((await store.get('own')) as string | undefined),
    headers: ['x-api-key'],
    async handle({ input, caller }, { unstable, store }) {
      if (input.keep) await store.set('own', input.keep)
      const known = await caller(input.scope ?? 'links:read')
      if (isRefusal(known)) return known
      const other = await unstable.tokens.find(known, 'tok_none')
      return file(
        'application/json',
        JSON.stringify({ id: known.accountId, other: other ?? null }),
        0,
      )
    },
  }
  const ask = (key: string | undefined, query = '') =>
    linnet.visit('bio', { query, headers: key === undefined ? {} : { 'x-api-key': key } })

  it('is whose token it is, if that has the scope', async () => {
    linnet = await boot([plugin({ bio: asking }), developer])
    const key = await tokenFor('links:read')
    expect(said(await ask(key))).toEqual({ id: linnet.account.rowId, other: null })
    const lacks = await ask(key, '?scope=links:write')
    expect(said(lacks)).toMatchObject({ status: 403, requiredScope: 'links:write' })
    expect(said(await ask('lnt_wrong'))).toMatchObject({ status: 401, code: 'invalid_token' })
    expect(linnet.log.join('\n')).toMatch(/token/)
    expect(said(await ask(undefined))).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect((await ask(key, '?scope=anyone')).status).toBe(500)
  })

  it('may come with a token that the plugin keeps', async () => {
    linnet = await boot([plugin({ bio: asking }), developer])
    await ask(undefined, `?keep=${await tokenFor('links:read')}`)
    expect(said(await ask(undefined)).id).toBe(linnet.account.rowId)
  })

  it('is nobody by the cookie of who visits', async () => {
    linnet = await boot([plugin({ bio: asking })])
    const now = () => new Date('2026-11-20T12:00:00Z')
    const cookie = `__Host-linnet=${await openSession(linnet.db, linnet.account.rowId, now)}`
    expect((await raw('GET', '/bio', { cookie })).statusCode).toBe(401)
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

  it('reads no answer for which there is not enough memory, and is told whatever it changed', async () => {
    const most = memoryShares.answerBytes / 4
    const large = (chars: number) =>
      endpoint({
        summary: 'Say much',
        scope: 'links:read',
        answer: z.object({ data: z.string() }),
        handle: () => ({ data: 'x'.repeat(chars - '{"data":""}'.length) }),
      })
    const talking = definePlugin({
      feature: 'a.talking',
      about: 'Says much.',
      endpoints: {
        'GET /much': large(most),
        'GET /more': large(most + 1),
        'POST /more': large(most + 1),
      },
    })
    const asking: Mount = {
      async handle({ path, input, call }) {
        // In all, there is room for four of the longest.
        for (let before = Number(input.before ?? 0); before > 0; before -= 1)
          await call('GET', '/much')
        const { status, body } = await call(input.does === 'change' ? 'POST' : 'GET', `/${path}`)
        return file('text/plain', `${status} ${JSON.stringify(body).length}`, 0)
      },
    }
    linnet = await boot([plugin({ ask: asking }), talking, developer])
    const headers = { authorization: `Bearer ${await tokenFor('links:read')}` }
    expect((await linnet.visit('ask/much', { headers })).text).toBe(`200 ${most}`)
    expect((await linnet.visit('ask/more', { headers })).text).toMatch(/^413 \d{3}$/)
    const changed = await linnet.visit('ask/more', { headers, query: '?does=change' })
    expect(changed.text).toBe(`200 ${most + 1}`)
    const statusAfter = async (query: string) =>
      (await linnet.visit('ask/much', { headers, query })).text.slice(0, 3)
    expect([await statusAfter('?before=3'), await statusAfter('?before=4')]).toEqual(['200', '413'])
  })

  it('asks nothing more once the request was answered', async () => {
    let ask: MountRequest['call'] | undefined
    const leaving: Mount = {
      async handle({ call }) {
        ask = call
        return file('text/plain', `${(await call('GET', '/profile')).status}`, 0)
      },
    }
    linnet = await boot([plugin({ leave: leaving }), developer])
    const headers = { authorization: `Bearer ${await tokenFor('*')}` }
    expect((await linnet.visit('leave', { headers })).text).toBe('200')
    await expect(ask?.('GET', '/profile')).rejects.toThrow('Nobody waits')
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

  it.each(['api', 'api/v1', 'assets', 'Bio', 'a/b', '', '.env'])('is none as %j', async path => {
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
