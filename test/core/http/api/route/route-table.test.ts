import { describe, expect, test } from 'vitest'
import type { Route } from '../../../../../core/http/api/route/route.ts'
import { checkRoutes } from '../../../../../core/http/api/route/route-table.ts'
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
  test('without a mistake pass', () => {
    expect(() => checkRoutes([good, ...things])).not.toThrow()
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

  test('tell all their mistakes at once', () => {
    const bad = { ...good, scope: '', path: 'x' }
    expect(() => checkRoutes([bad])).toThrow(/declares no scope.*\n.*begin the path/)
  })
})
