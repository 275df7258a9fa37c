import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problemSchema } from '../../../core/http/send/problem.ts'
import { tries } from '../../at-night.ts'
import { json, serve } from './serve.ts'
import { things } from './things.ts'

const url = 'https://example.com/'

/** The problem that a POST of this body is answered with. */
async function problemOf(body: unknown, path = '/api/v1/things', method = 'POST') {
  const { call } = await serve(things)
  const answer = await call(path, json(method, body))
  const { code, errors } = (await answer.json()) as {
    code: string
    errors: readonly { field: string; code: string; message: string }[]
  }
  return { status: answer.status, code, errors }
}

/** What came of a GET with this query. */
async function lookUp(search: string) {
  const { call } = await serve(things)
  const answer = await call(`/api/v1/things/lookup${search}`, {
    headers: { authorization: 'Bearer all' },
  })
  return { status: answer.status, ...((await answer.json()) as object) }
}

describe('names', () => {
  test.each([
    [{ original_url: url, short_code: 'a' }],
    [{ originalUrl: url, shortCode: 'a' }],
    [{ original_url: url, shortCode: 'a' }],
  ])('may be in either case, or mixed', async body => {
    const { call } = await serve(things)
    const answer = await call('/api/v1/things', json('POST', body))
    expect(await answer.json()).toEqual({ data: { originalUrl: url, shortCode: 'a' } })
  })

  test('may be in either case deep inside', async () => {
    const { call } = await serve(things)
    const rule = { original_url: url, conditions: [{ type: 'device', value: 'some_text' }] }
    const body = { original_url: url, dynamic_routing: { rules: [rule] } }
    const answer = await call('/api/v1/things', json('POST', body))
    expect(await answer.json()).toMatchObject({
      data: {
        dynamicRouting: { rules: [{ originalUrl: url, conditions: [{ value: 'some_text' }] }] },
      },
    })
  })

  test('in both cases at once are refused', async () => {
    const { status, errors } = await problemOf({ original_url: url, originalUrl: url })
    expect(status).toBe(422)
    expect(errors).toEqual([
      {
        field: 'originalUrl',
        code: 'sent_twice',
        message: 'Is the same field as original_url. Send one of the two.',
      },
    ])
  })

  test('nobody knows are refused, at any depth', async () => {
    const rule = { original_url: url, conditions: [{ type: 'device', value: 'a', colour: 1 }] }
    const { errors } = await problemOf({
      original_url: url,
      sort_order: 1,
      dynamic_routing: { rules: [rule] },
    })
    expect(errors.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'dynamic_routing.rules[0].conditions[0].colour unknown_field',
      'sort_order unknown_field',
    ])
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'has_own_property'])(
    '%s is a field nobody knows, and reaches no prototype',
    async name => {
      const { status, errors } = await problemOf(`{"original_url":"${url}","${name}":{"x":1}}`)
      expect(status).toBe(422)
      expect(errors).toMatchObject([{ field: name, code: 'unknown_field' }])
      expect(({} as { x?: number }).x).toBeUndefined()
    },
  )
})

describe('errors', () => {
  test('come all at once, with the names that were sent or, when absent, documented', async () => {
    const { status, code, errors } = await problemOf({
      shortCode: '',
      dynamicRouting: { rules: [{}, { conditions: [{ type: 'mood', value: 7 }] }] },
    })
    expect({ status, code }).toEqual({ status: 422, code: 'validation_failed' })
    expect(errors).toEqual([
      { field: 'original_url', code: 'required', message: 'Is required.' },
      { field: 'shortCode', code: 'too_small', message: 'Must have at least 1 character.' },
      { field: 'dynamicRouting.rules[0].original_url', code: 'required', message: 'Is required.' },
      { field: 'dynamicRouting.rules[0].conditions', code: 'required', message: 'Is required.' },
      { field: 'dynamicRouting.rules[1].original_url', code: 'required', message: 'Is required.' },
      {
        field: 'dynamicRouting.rules[1].conditions[0].type',
        code: 'invalid_value',
        message: 'Must be one of: device.',
      },
      {
        field: 'dynamicRouting.rules[1].conditions[0].value',
        code: 'invalid_type',
        message: 'Must be a text.',
      },
    ])
  })

  test('say what to do where a list is empty', async () => {
    const rules = [{ original_url: url, conditions: [] }]
    const { errors } = await problemOf({ original_url: url, dynamicRouting: { rules } })
    const field = 'dynamicRouting.rules[0].conditions'
    expect(errors).toEqual([{ field, code: 'too_small', message: 'Choose at least one.' }])
  })

  test('use the name of the contract where it is in camelCase', async () => {
    const { errors } = await problemOf({}, '/api/v1/profile', 'PATCH')
    expect(errors).toMatchObject([{ field: 'fullName', code: 'required' }])
  })

  test.each([
    [7, 'Must be a text.'],
    [null, 'Must be a text.'],
    [['a'], 'Must be a text.'],
    ['javascript:alert(1)', 'Must be a URL.'],
    [{ $gt: '' }, 'Must be a text.'],
  ])('never repeat what was sent: %j', async (original_url, message) => {
    const { errors } = await problemOf({ original_url })
    expect(errors.map(it => it.message)).toEqual([message])
  })

  test('are a hundred at most', async () => {
    expect((await problemOf(fields(1_000))).errors).toHaveLength(100)
  })

  test('are none of a body with more names than any schema has, or more values', async () => {
    const tooLarge = { status: 413, code: 'payload_too_large', errors: [] }
    expect(await problemOf(fields(1_001))).toEqual(tooLarge)
    expect(await problemOf({ original_url: url, x: fields(1_001) })).toEqual(tooLarge)
    expect(await problemOf({ x: Array.from({ length: 50_000 }, () => 1) })).toEqual(tooLarge)
  })

  function fields(count: number): object {
    return Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, 1]))
  }
})

describe('whatever is sent', () => {
  test('is answered with what the description of the API says, and never with 5xx', async () => {
    const { call } = await serve(things)
    const name = fc.constantFrom('original_url', 'originalUrl', 'short_code', 'dynamicRouting', 'x')
    const value = fc.oneof(fc.webUrl(), fc.string(), fc.jsonValue(), fc.constant('taken'))
    const bodies = fc.oneof(fc.dictionary(name, value), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(bodies, fc.webQueryParameters(), async (body, search) => {
        const answer = await call(`/api/v1/things?${search}`, json('POST', JSON.stringify(body)))
        if (answer.status === 201) return
        expect([409, 422]).toContain(answer.status)
        problemSchema.parse(await answer.json())
      }),
      tries(300),
    )
  })
})

describe('a query', () => {
  test('is checked and converted', async () => {
    expect(await lookUp('?short_code=a&per_page=5&tag_ids=a&tag_ids=b')).toMatchObject({
      data: { shortCode: 'a', perPage: 5, tagIds: ['a', 'b'] },
    })
  })

  test.each([
    ['', 'short_code required'],
    ['?short_code=a&colour=red', 'colour unknown_field'],
    ['?short_code=a&short_code=b', 'short_code invalid_type'],
    ['?short_code=a&shortCode=b', 'shortCode sent_twice'],
    ['?short_code=a&per_page=1000', 'per_page too_big'],
    ['?short_code=a&per_page=x', 'per_page invalid_type'],
    ['?short_code=a&__proto__=x', '__proto__ unknown_field'],
    ["?short_code=a&sort=1';drop table links--", 'sort unknown_field'],
  ])('%s is refused', async (search, error) => {
    const { status, errors } = (await lookUp(search)) as unknown as Awaited<
      ReturnType<typeof problemOf>
    >
    expect(status).toBe(422)
    expect(errors.map(({ field, code }) => `${field} ${code}`)).toEqual([error])
  })

  test('of a route that has none must be empty', async () => {
    const { call } = await serve(things)
    const init = { headers: { authorization: 'Bearer all' } }
    expect((await call('/api/v1/things/thg_1?x=1', init)).status).toBe(422)
    expect((await call('/api/v1/things/thg_1?', init)).status).toBe(200)
  })

  test('that is wrong is told together with the body', async () => {
    const { errors } = await problemOf({}, '/api/v1/things?x=1')
    expect(errors.map(it => it.field)).toEqual(['original_url', 'x'])
  })

  test('with broken escapes is read as far as it goes', async () => {
    expect(await lookUp('?short_code=%E0%A4%A')).toMatchObject({ status: 200 })
  })
})
