import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openApiDocument, openApiRoute } from '../../../../../core/http/api/openapi/openapi.ts'
import { type Call, route } from '../../../../../core/http/api/route/route.ts'
import { isRefusal } from '../../../../../core/plugin/outcomes.ts'
import { serve } from '../../serve.ts'
import { things } from '../../things.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly $ref?: string
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema: object
  }[]
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  readonly responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
  readonly security: readonly object[]
  readonly 'x-required-scope'?: string
}
interface Schema {
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly $ref?: string
}
interface Document {
  readonly openapi: string
  readonly info: { version: string; contact: object; license: object }
  readonly servers: readonly object[]
  readonly tags: readonly { name: string; description: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    schemas: Record<string, Schema>
    responses: Record<string, object>
    parameters: Record<string, Operation['parameters'][number]>
    securitySchemes: Record<string, object>
  }
}

const document = (await openApiDocument(things, {
  base: '/api/v1',
  groups: ['Profile'],
})) as Document
const operation = (method: string, path: string) => {
  const found = document.paths[path]?.[method]
  if (!found) throw new Error(`The document has no ${method} ${path}.`)
  return found
}
const create = operation('post', '/api/v1/things')

/** `#/components/schemas/Link` -> `Link`. */
const nameIn = (ref = '') => ref.replace(/^.*\//, '')

/** Every value below a key, at any depth. */
function everyValue(key: string, inside: unknown): readonly unknown[] {
  if (typeof inside !== 'object' || inside === null) return []
  return Object.entries(inside).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...everyValue(key, value),
  ])
}

describe('the OpenAPI document', () => {
  test('is 3.1, version 1.0.0 of the contract, served at the root', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe('1.0.0')
    expect(document.servers).toEqual([{ url: '/' }])
  })

  test('names every route once, by its own name', () => {
    const ids = Object.values(document.paths).flatMap(path =>
      Object.values(path).map(it => it.operationId),
    )
    expect(ids.sort()).toEqual(things.map(it => it.name).sort())
    expect(Object.keys(document.paths)).toContain('/api/v1/things/{id}')
  })

  test('lists the groups, those of the contract first', () => {
    expect(document.tags.map(it => it.name)).toEqual(['Profile', 'Things', 'Admin', 'Session'])
  })

  test('says which scope a token needs', () => {
    const show = operation('get', '/api/v1/things/{id}')
    expect(show.security).toEqual([{ bearer: ['things:read'] }])
    expect(show['x-required-scope']).toBe('things:read')
    expect(operation('post', '/api/v1/session').security).toEqual([])
  })

  test('says what each group is, who answers for it and under what licence it is', () => {
    for (const { name, description } of document.tags) expect(description, name).toBeTruthy()
    expect(document.info.contact).toBeDefined()
    expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' })
  })

  test('knows the cookie of sessions, where sessions are what it is about', async () => {
    expect(document.components.securitySchemes.session).toMatchObject({
      type: 'apiKey',
      in: 'cookie',
      name: 'linnet',
    })
    const made = things.map(it => ({ ...it, group: 'Session' }))
    const { paths } = (await openApiDocument(made, { base: '/api/v1' })) as Document
    const of = (method: string, path: string) => paths[path]?.[method]?.security
    const session = { session: [] }
    expect(of('delete', '/api/v1/things/{id}')).toEqual([{ bearer: ['things:write'] }, session])
    expect(of('post', '/api/v1/session')).toEqual([])
  })

  test('writes the names of requests in snake_case, of what may be left out in camelCase too', () => {
    const body = create.requestBody?.content['application/json']?.schema
    expect(body?.required).toEqual(['original_url'])
    expect(everyValue('properties', body).map(it => Object.keys(it as object))).toEqual([
      ['original_url', 'short_code', 'shortCode', 'dynamic_routing', 'dynamicRouting'],
      ...[1, 2].flatMap(() => [
        ['rules'],
        ['original_url', 'conditions'],
        ['type', 'value'],
        ['originalUrl', 'conditions'],
        ['type', 'value'],
      ]),
    ])
    expect(Object.keys(document.components.schemas.Thing?.properties ?? {})).toContain(
      'originalUrl',
    )
  })

  test('keeps the names that the contract has in camelCase', () => {
    const { requestBody } = operation('patch', '/api/v1/profile')
    expect(requestBody?.content['application/json']?.schema.required).toEqual(['fullName'])
    expect(requestBody?.required).toBe(true)
  })

  test('lists what goes into path, query and headers', () => {
    const { parameters } = document.components
    const names = (it: Operation) =>
      it.parameters
        .map(p => parameters[nameIn(p.$ref)] ?? p)
        .map(p => `${p.in} ${p.name} ${p.required}`)
    expect(names(operation('get', '/api/v1/things/lookup'))).toEqual([
      'query short_code true',
      'query per_page false',
      'query tag_ids false',
    ])
    expect(names(operation('delete', '/api/v1/things/{id}'))).toEqual([
      'path id true',
      'header Idempotency-Key false',
      'header If-Match false',
    ])
    expect(names(create)).toEqual(['header Idempotency-Key false'])
  })

  test('tells every problem that a route can answer with', () => {
    const statuses = (it: Operation) => Object.keys(it.responses).join(' ')
    expect(statuses(operation('get', '/api/v1/things/{id}'))).toBe(
      '200 304 400 401 403 404 408 417 422 429 431 500 503',
    )
    expect(statuses(create)).toBe('201 400 401 403 408 409 413 415 417 422 429 431 500 503')
    expect(statuses(operation('delete', '/api/v1/things/{id}'))).toBe(
      '204 400 401 403 404 408 409 412 417 422 429 431 500 503',
    )
  })

  test('names the headers of answers, each described once', () => {
    const headersOf = (it: object | undefined) =>
      Object.fromEntries(
        Object.entries((it as { headers?: Record<string, { $ref: string }> })?.headers ?? {}).map(
          ([name, { $ref }]) => [name, nameIn($ref)],
        ),
      )
    const id = { 'X-Request-Id': 'RequestId' }
    expect(headersOf(operation('get', '/api/v1/things/{id}').responses[200])).toEqual({
      ...id,
      ETag: 'ETag',
    })
    expect(headersOf(create.responses[201])).toEqual({
      ...id,
      'Idempotent-Replayed': 'IdempotentReplayed',
      Location: 'Location',
    })
    const { responses } = document.components
    const challenge = { ...id, 'WWW-Authenticate': 'WwwAuthenticate' }
    expect(headersOf(responses.Problem401)).toEqual(challenge)
    expect(headersOf(responses.Problem403)).toEqual(challenge)
    expect(headersOf(responses.Problem431)).toEqual(id)
  })

  test('names the things that can be read, and has each once', async () => {
    const mood = z.strictObject({ id: z.string(), mood: z.string() })
    const endpoint = (address: `${'GET' | 'POST'} /${string}`, name: string, answer: z.ZodType) =>
      route(address, { name, answer, group: 'Moods', summary: 'x', scope: '*', handle: () => ({}) })
    const routes = [
      endpoint(
        'POST /bad-moods',
        'a',
        z.strictObject({ data: mood.extend({ secret: z.string() }) }),
      ),
      endpoint('GET /bad-moods', 'b', z.strictObject({ data: z.array(mood) })),
      endpoint('GET /bad-moods/:id', 'c', z.strictObject({ data: mood })),
      endpoint(
        'POST /bad-moods/:id/cheer',
        'd',
        z.strictObject({ data: z.object({ a: z.int() }) }),
      ),
      endpoint('GET /moody/links', 'e', z.strictObject({ data: z.object({ other: z.int() }) })),
      endpoint('GET /things', 'f', z.strictObject({ data: mood.meta({ id: 'Link' }) })),
    ]
    const whole = (await openApiDocument(routes, { base: '/api/v1' })) as Document
    const shown = routes.map(({ method, path }) => {
      const { responses } =
        whole.paths[`/api/v1${path.replace(':id', '{id}')}`]?.[method.toLowerCase()] ?? {}
      const data = responses?.[200]?.content?.['application/json']?.schema?.properties?.data
      return nameIn(data?.$ref ?? data?.items?.$ref)
    })
    expect(shown).toEqual(['', 'BadMood', 'BadMood', '', '', 'Link'])
    expect(Object.keys(whole.components.schemas)).toEqual(['BadMood', 'Problem', 'Link'])
  })

  test('describes once what several operations take, and says whose id a path has', () => {
    const { parameters } = document.components
    expect(Object.keys(parameters)).toEqual(['IdempotencyKey'])
    const [id] = operation('get', '/api/v1/things/{id}').parameters
    expect(id?.description).toBe('The `id` of the thing.')
  })

  test('shows the one schema of every problem', () => {
    const { Problem } = document.components.schemas
    expect(Problem?.required).toEqual([
      'type',
      'title',
      'status',
      'detail',
      'code',
      'requestId',
      'errors',
    ])
  })

  test('shows a body that has a name of its own in full', async () => {
    const body = z.strictObject({ fullName: z.string() }).meta({ id: 'Person' })
    const [person] = things.filter(it => it.name === 'profile.update').map(it => ({ ...it, body }))
    const whole = (await openApiDocument(person ? [person] : [], { base: '/api/v1' })) as Document
    const { requestBody } = whole.paths['/api/v1/profile']?.patch ?? {}
    expect(requestBody?.required).toBe(true)
    expect(requestBody?.content['application/json']?.schema.required).toEqual(['fullName'])
  })

  test('points only to what is there', async () => {
    const named = z.object({ data: z.object({ a: z.string() }).meta({ id: 'Named' }) })
    const body = z.strictObject({ given: z.strictObject({ aB: z.string() }).meta({ id: 'Given' }) })
    const more = route('POST /named', {
      name: 'named.create',
      group: 'Named',
      summary: 'x',
      scope: '*',
      problems: [404],
      body,
      answer: named,
      handle: () => ({}),
    })
    const whole = (await openApiDocument([...things, more], { base: '/api/v1' })) as Document
    const refs = everyValue('$ref', whole)
    expect(refs).toContain('#/components/schemas/Problem')
    expect(refs).toContain('#/components/schemas/Named')
    expect(refs).toContain('#/components/schemas/GivenInput')
    expect(refs).toContain('#/components/responses/Problem404')
    expect(whole.components.schemas.GivenInput?.anyOf?.map(it => it.required)).toEqual([
      ['a_b'],
      ['aB'],
    ])
    for (const ref of refs) {
      const [, ...steps] = String(ref).split('/')
      const found = steps.reduce<unknown>(
        (at, step) => (at as Record<string, unknown>)?.[step],
        whole,
      )
      expect(found, String(ref)).toBeDefined()
    }
  })

  test('has no JSON Schema of its own inside', () => {
    for (const key of ['$schema', '$defs']) expect(everyValue(key, document.paths)).toEqual([])
  })

  test('is there for anyone, and describes itself', async () => {
    const { call } = await serve([...things, openApiRoute(things, { base: '/api/v1' })])
    const answer = await call('/api/v1/openapi.json')
    expect(answer.status).toBe(200)
    const shown = (await answer.json()) as Document
    expect(shown.paths['/api/v1/openapi.json']?.get?.operationId).toBe('openapi.show')
    expect(Object.keys(shown.paths)).toEqual([
      ...Object.keys(document.paths),
      '/api/v1/openapi.json',
    ])
  })

  test.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['identity', null],
    ['br;q=0.0, gzip; q=0', null],
    [undefined, null],
  ])('is compressed for who accepts %s, and is not sent again', async (accepted, encoding) => {
    const { raw } = await serve([openApiRoute(things, { base: '/api/v1' })])
    const get = (more = '') =>
      raw(
        [
          'GET /api/v1/openapi.json HTTP/1.1',
          'Host: a',
          'Connection: close',
          ...(accepted === undefined ? [] : [`Accept-Encoding: ${accepted}`]),
          ...(more === '' ? [] : [more]),
          '\r\n',
        ].join('\r\n'),
      )
    const head = (await get()).split('\r\n\r\n')[0] ?? ''
    expect(/^Content-Encoding: (.*)$/m.exec(head)?.[1] ?? null).toBe(encoding)
    expect(head).toContain('Cache-Control: no-cache')
    expect(head).toContain('Vary: Accept-Encoding')
    const [, etag = ''] = /^ETag: (.*)$/m.exec(head) ?? []
    expect(await get(`If-None-Match: ${etag}`)).toMatch(/^HTTP\/1.1 304 /)
    expect(await get('If-None-Match: "another"')).toMatch(/^HTTP\/1.1 200 /)
  })

  test('is made bytes once for all who ask in the same encoding', async () => {
    const show = openApiRoute(things, { base: '/api/v1' })
    const ask = async (acceptEncoding: string) => {
      const reply = await show.handle({ acceptEncoding } as Call)
      return isRefusal(reply) ? undefined : reply.json
    }
    const encodings = ['', 'gzip', 'br']
    const first = await Promise.all(encodings.map(ask))
    const again = await Promise.all(encodings.map(ask))
    for (const [index, bytes] of first.entries()) expect(again[index]).toBe(bytes)
    const [plain = '', gzipped = '', br = ''] = first.map(it => Buffer.from(it ?? ''))
    expect(gunzipSync(gzipped).equals(Buffer.from(plain))).toBe(true)
    expect(brotliDecompressSync(br).equals(Buffer.from(plain))).toBe(true)
  })
})

test('is made in parts, with turns for redirects between them', async () => {
  // Each takes longer than a turn may.
  const slow = things.map(it => ({
    ...it,
    get describedBody() {
      const begun = performance.now()
      while (performance.now() - begun < 20);
      return it.describedBody
    },
  }))
  const made = openApiDocument(slow as typeof things, { base: '/api/v1' })
  let turns = 0
  let isMade = false
  void made.then(() => {
    isMade = true
  })
  while (!isMade) {
    await new Promise(resolve => setImmediate(resolve))
    turns += 1
  }
  expect(turns).toBeGreaterThanOrEqual(2 * things.length)
})
