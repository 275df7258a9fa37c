import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkRoutes, expectStrict } from '../../../../../core/http/api/route/check-routes.ts'
import type { Route } from '../../../../../core/http/api/route/route.ts'
import { things } from '../../things.ts'

const good: Route = {
  method: 'POST',
  path: '/links/:id',
  name: 'links.show',
  group: 'Links',
  summary: 'A link.',
  scope: 'links:write',
  status: 204,
  handle: () => ({}),
}

describe('routes', () => {
  test('without a mistake pass', async () => {
    expect(() => checkRoutes([good, ...things])).not.toThrow()
    await expectStrict([good, ...things])
  })

  test.each<[string, readonly Route[], string]>([
    ['no scope', [{ ...good, scope: '' }], 'POST /links/:id declares no scope'],
    ['a path that hangs in the air', [{ ...good, path: 'links' }], 'begin the path with "/"'],
    [
      'an address twice',
      [good, { ...good, name: 'other', path: '/links/:link' }],
      'POST /links/:id exists twice',
    ],
    ['a name twice', [good, { ...good, path: '/x' }], 'the name "links.show" is taken'],
  ])('with %s do not', (_, routes, sentence) => expect(() => checkRoutes(routes)).toThrow(sentence))

  test.each<[string, readonly Route[], string]>([
    [
      'a loose body',
      [{ ...good, body: z.object({}) }],
      'POST /links/:id: body accepts unknown fields',
    ],
    [
      'a loose query',
      [{ ...good, query: z.looseObject({ a: z.string() }) }],
      'query accepts unknown',
    ],
    [
      'something loose under a name of its own',
      [{ ...good, body: z.strictObject({ utm: z.object({ a: z.string() }).meta({ id: 'Utm' }) }) }],
      'body.utm accepts unknown fields',
    ],
    [
      'something loose deep in a body',
      [
        {
          ...good,
          body: z.strictObject({
            rules: z
              .array(z.object({ a: z.string() }))
              .nullable()
              .optional(),
          }),
        },
      ],
      'body.rules[] accepts unknown fields',
    ],
  ])('with %s do not', async (_, routes, sentence) => {
    await expect(expectStrict(routes)).rejects.toThrow(sentence)
  })

  test('are looked at one in a turn of the event loop', async () => {
    const looked = Array.from({ length: 5 }, () => ({ isLooked: false }))
    const routes = looked.map(state => ({
      ...good,
      get body() {
        state.isLooked = true
        return z.strictObject({})
      },
    }))
    const all = expectStrict(routes)
    const counts = [0]
    while (counts.at(-1) !== routes.length) {
      await new Promise(resolve => setImmediate(resolve))
      counts.push(looked.filter(({ isLooked }) => isLooked).length)
    }
    await all
    expect(counts.every((count, turn) => count - (counts[turn - 1] ?? 0) <= 1)).toBe(true)
  })

  test('tell all their mistakes at once', () => {
    const bad = { ...good, scope: '', path: 'x' }
    expect(() => checkRoutes([bad])).toThrow(/declares no scope.*\n.*begin the path/)
  })
})
