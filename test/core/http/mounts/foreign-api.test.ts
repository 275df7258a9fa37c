import { inject } from 'light-my-request'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type Context,
  definePlugin,
  file,
  isRefusal,
  type MountRequest,
  refuse,
  z,
} from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

const wanted = z.object({ longUrl: z.string(), customSlug: z.string().optional() })

/** A part of the API of Shlink: https://api-spec.shlink.io */
const shlink = definePlugin({
  feature: 'a.shlink',
  about: 'Answer clients of Shlink.',
  needs: ['developer.apiKeys', 'link.customShortCode'],
  mounts: {
    rest: {
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      headers: ['x-api-key'],
      origins: '*',
      token: ({ headers }) => headers['x-api-key'],
      handle: (request, context) => routes[`${request.method} ${request.path}`]?.(request, context),
      problem({ code, detail, status }) {
        const named = {
          short_code_taken: 'non-unique-slug',
          unauthenticated: 'missing-authentication',
        }
        const type = `https://shlink.io/api/error/${named[code as keyof typeof named] ?? code}`
        const said = { type, title: code, detail, status: status === 409 ? 400 : status }
        return file('application/problem+json', JSON.stringify(said), 0, said.status)
      },
    },
  },
})

const json = (body: object) => file('application/json', JSON.stringify(body), 0)

const routes: Readonly<
  Record<string, (request: MountRequest, context: Context) => ReturnType<typeof make>>
> = {
  'GET v3/health': async () => file('application/health+json', '{"status":"pass"}', 0),
  'GET v3/short-urls': async ({ query, caller }) => {
    const known = await caller('links:read')
    return isRefusal(known) ? known : json({ tags: query.getAll('tags[]') })
  },
  'POST v3/short-urls': make,
  'PUT v3/tags': async ({ json: sent }) => json({ renamed: sent }),
  'DELETE v3/tags': async () => file('application/json', '', 0, 204),
}

async function make({ json: sent, caller }: MountRequest, { links }: Context) {
  const { success, data } = wanted.safeParse(sent)
  if (!success) return refuse('invalid-data', 'Provided data is not valid.', 400)
  const known = await caller('links:write')
  if (isRefusal(known)) return known
  const { longUrl: originalUrl, customSlug: shortCode } = data
  const made = await links.create(known, { originalUrl, ...(shortCode && { shortCode }) })
  return isRefusal(made)
    ? made
    : json({ shortUrl: links.shortUrl(made), shortCode: made.shortCode })
}

let linnet: Harness
let key: string
beforeEach(async () => {
  linnet = await boot(shlink)
  const wish = { name: 'Shlink', scopes: ['links:write'] }
  key = (await linnet.api('POST', '/api-tokens', wish)).body.data.token
})
afterEach(() => linnet.stop())

async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const { status, text, headers } = await linnet.visit(`rest/v3/${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status, type: headers['content-type'], body: text === '' ? undefined : JSON.parse(text) }
}

it('a client of Shlink makes a link with its key, and is told in the way of Shlink what is wrong', async () => {
  const draft = { longUrl: 'https://example.org/', customSlug: 'spring' }
  const made = await ask('POST', 'short-urls', draft)
  expect(made.body).toEqual({ shortUrl: 'https://go.example.org/spring', shortCode: 'spring' })
  const taken = await ask('POST', 'short-urls', draft)
  expect(taken).toMatchObject({ status: 400, type: 'application/problem+json' })
  expect(taken.body.type).toBe('https://shlink.io/api/error/non-unique-slug')
  const wrong = await ask('POST', 'short-urls', { longUrl: [] })
  expect(wrong.body.type).toBe('https://shlink.io/api/error/invalid-data')
  key = 'none'
  const unknown = await ask('POST', 'short-urls', draft)
  expect(unknown).toMatchObject({ status: 401, type: 'application/problem+json' })
})

it('a client of Shlink uses other methods, queries with lists and paths without a key', async () => {
  expect((await ask('GET', 'short-urls?tags[]=a&tags[]=b')).body).toEqual({ tags: ['a', 'b'] })
  const change = { oldName: 'a', newName: 'b' }
  expect((await ask('PUT', 'tags', change)).body).toEqual({ renamed: change })
  expect((await ask('DELETE', 'tags')).status).toBe(204)
  const health = await linnet.visit('rest/v3/health')
  expect([health.status, health.headers['content-type']]).toEqual([200, 'application/health+json'])
  expect((await ask('GET', 'nothing')).body.type).toBe('https://shlink.io/api/error/not_found')
})

it('the web client of Shlink may call it from its own origin', async () => {
  const { statusCode, headers } = await inject(linnet.app.server.handle, {
    method: 'OPTIONS',
    url: '/rest/v3/short-urls',
    headers: { origin: 'https://app.shlink.io' },
  })
  expect(statusCode).toBe(204)
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': expect.stringContaining('x-api-key'),
  })
})
