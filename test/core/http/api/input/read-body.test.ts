import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readForm } from '../../../../../core/http/api/input/read-body.ts'
import { route } from '../../../../../core/http/api/route/route.ts'
import { createBodyMemory } from '../../../../../core/limits/body-memory.ts'
import { json, serve } from '../../serve.ts'
import { things } from '../../things.ts'

const body = '{"original_url":"https://example.com/"}'
const megabyte = 1024 * 1024

/** Status and code of the answer to this POST. */
async function post(init: RequestInit) {
  const { call } = await serve(things)
  const all = { method: 'POST', ...json('POST', body), ...init }
  const answer = await call('/api/v1/things', all)
  const { code } = (await answer.json()) as { code?: string }
  return `${answer.status} ${code ?? ''}`.trim()
}

function withType(
  type: string | undefined,
  extra: Readonly<Record<string, string>> = {},
): RequestInit {
  const headers = { authorization: 'Bearer all', ...(type && { 'content-type': type }), ...extra }
  return { headers, body: new TextEncoder().encode(body) }
}

describe('a JSON body', () => {
  test('of a PATCH may come as a merge patch, which is the same', async () => {
    const rename = route('PATCH /names/:id', {
      name: 'names.update',
      group: 'Names',
      summary: 'Change a name.',
      scope: 'anyone',
      body: z.strictObject({ name: z.string().nullable() }),
      answer: z.object({ data: z.string().nullable() }),
      handle: ({ body }) => ({ body: { data: body.name } }),
    })
    const { call } = await serve([...things, rename])
    const init = (method: string, body: object) => ({
      method,
      headers: { authorization: 'Bearer all', 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify(body),
    })
    const answer = await call('/api/v1/names/1', init('PATCH', { name: null }))
    expect([answer.status, await answer.json()]).toEqual([200, { data: null }])
    const made = await call('/api/v1/things', init('POST', { original_url: 'https://a.example' }))
    expect(made.status).toBe(415)
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
  ])('may come as %s', async type => expect(await post(withType(type))).toBe('201'))

  test.each([
    undefined,
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
  ])('may not come as %s', async type =>
    expect(await post(withType(type))).toBe('415 unsupported_media_type'),
  )

  test('may not be compressed', async () => {
    expect(await post(withType('application/json', { 'content-encoding': 'gzip' }))).toBe(
      '415 unsupported_media_type',
    )
  })

  test.each(['{', '{"a":1,}', "{'a':1}", 'null x', '\u0000', '{"a":1}{"a":1}'])(
    'that is no JSON is malformed: %j',
    async text => expect(await post({ body: text })).toBe('400 malformed_json'),
  )

  test('that is no UTF-8 is malformed', async () => {
    expect(await post({ body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) })).toBe(
      '400 malformed_json',
    )
  })

  test.each(['null', '[]', '"text"', '7', 'true'])('must be an object, not %s', async text =>
    expect(await post({ body: text })).toBe('422 validation_failed'),
  )

  test('that is missing lacks its required fields', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things', {
      method: 'POST',
      headers: { authorization: 'Bearer all' },
    })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ errors: [{ field: 'original_url' }] })
  })

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('that is nested too deeply is malformed: %s', async (open, close) => {
    const text = `{"a":${open.repeat(100_000)}1${close.repeat(100_000)}}`
    expect(await post({ body: text })).toBe('400 malformed_json')
  })

  test('is counted before it is parsed', async () => {
    const values = `{"a":[${'1,'.repeat(50_000)}]}`
    expect(await post({ body: values })).toBe('413 payload_too_large')
    expect(await post({ body: values.replaceAll('1,', '"1,",').slice(0, 1_000) })).toBe(
      '400 malformed_json',
    )
  })

  test('is at most a megabyte, with a length given', async () => {
    const text = (size: number) => `{"x":"${'a'.repeat(size - 8)}"}`
    expect(await post({ body: text(megabyte) })).toBe('422 validation_failed')
    expect(await post({ body: text(megabyte + 1) })).toBe('413 payload_too_large')
  })

  test('is at most a megabyte, with no length given, and the connection stays of use', async () => {
    const { call } = await serve(things)
    const chunk = new Uint8Array(256 * 1024).fill(0x20)
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 12; i += 1) controller.enqueue(chunk)
        controller.close()
      },
    })
    const init = { ...json('POST', ''), body: stream, duplex: 'half' }
    const answer = await call('/api/v1/things', init as RequestInit)
    expect(answer.status).toBe(413)
    expect((await call('/api/v1/things', json('POST', body))).status).toBe(201)
  })

  test('that breaks off leaves nothing behind', async () => {
    const { port, server, logged } = await serve(things)
    const head = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
    const socket = connect(port, '127.0.0.1', () =>
      socket.end(`POST /api/v1/session HTTP/1.1\r\n${head}{`),
    )
    await once(socket.resume(), 'close')
    expect(await server.stop(60_000)).toBe(true)
    expect(logged).toEqual([])
  })

  test('whose client is gone before it is read is incomplete', async () => {
    const read = Promise.withResolvers<unknown>()
    const { port } = await serve([], {
      async follow(req, res) {
        await once(res, 'close')
        read.resolve(await readForm(req, createBodyMemory().begin('a')))
      },
    })
    const head = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
    const socket = connect(port, '127.0.0.1', () => socket.write(`POST / HTTP/1.1\r\n${head}{`))
    setImmediate(() => socket.end())
    expect(await read.promise).toMatchObject({ code: 'malformed_json' })
  })

  test('is at most sixteen kilobytes where no credential is asked for', async () => {
    const open = things.map(route => ({ ...route, scope: 'anyone' }))
    const { call } = await serve(open)
    const sizes = [16 * 1024, 16 * 1024 + 1].map(size => `{"x":"${'a'.repeat(size - 8)}"}`)
    const answers = await Promise.all(sizes.map(it => call('/api/v1/things', json('POST', it))))
    expect(answers.map(({ status }) => status)).toEqual([422, 413])
  })

  test('is not looked at where none is expected', async () => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things/thg_1', json('DELETE', 'not JSON'))
    expect(answer.status).toBe(204)
  })
})

describe('a form', () => {
  /** What `readForm` makes of a POST. */
  async function read(type: string, text: string) {
    const { call } = await serve([], {
      follow: async (req, res) =>
        void res.end(JSON.stringify(await readForm(req, createBodyMemory().begin('a')))),
    })
    const answer = await call('/code', {
      method: 'POST',
      headers: { 'content-type': type },
      body: text,
    })
    return answer.json()
  }
  const urlencoded = 'application/x-www-form-urlencoded'

  test('is read from a page or from JSON', async () => {
    const answers = { password: 'a b&c', pass: 'x' }
    expect(await read(urlencoded, 'password=a+b%26c&pass=x')).toEqual(answers)
    expect(await read('application/json', JSON.stringify(answers))).toEqual(answers)
  })

  test('may be empty', async () => {
    expect(await read(urlencoded, '')).toEqual({})
  })

  test.each([
    ['of another kind', 'text/plain', 'password=a', 415],
    ['too large', urlencoded, `password=${'a'.repeat(16 * 1024)}`, 413],
    ['with more than texts', 'application/json', '{"password":["a"]}', 422],
    ['that is no object', 'application/json', '[]', 422],
    ['that is no JSON', 'application/json', '{', 400],
  ])('%s is refused', async (_, type, text, status) => {
    expect(await read(type, text)).toMatchObject({ kind: 'refuse', status })
  })

  test('cannot reach a prototype', async () => {
    const answers = await read(urlencoded, '__proto__=x&constructor=y')
    expect(Object.keys(answers as object).sort()).toEqual(['__proto__', 'constructor'])
  })
})
