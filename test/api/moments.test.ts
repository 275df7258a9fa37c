import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Harness } from '../harness.ts'
import { bootAll } from './whole-instance.ts'

let linnet: Harness
let id: string

beforeAll(async () => {
  linnet = await bootAll()
  id = (await linnet.create()).id
})
afterAll(() => linnet.stop())

/** Every place where a request takes a moment and an error names the field. */
const places = [
  ['POST', '/links', 'expires_at', { original_url: 'https://example.com/' }],
  ['POST', '/campaigns', 'ends_at', { name: 'Spring' }],
  ['POST', '/api-tokens', 'expires_at', { name: 'CI', scopes: ['links:read'] }],
  ['POST', '/links/:id/simulate', 'time', {}],
] as const

describe.each(places)('a moment in %s %s %s', (method, path, field, rest) => {
  const give = (moment: string) =>
    linnet.api(method, path.replace(':id', id), { ...rest, [field]: moment })

  it.each(['9999-12-31T23:59:59-23:59', '9999-12-31T23:30:00-01:00', '0000-01-01T00:00:00+00:01'])(
    'is not %s, whose year in UTC has not four digits',
    async moment => {
      const { status, body } = await give(moment)
      expect([status, body.errors?.[0]?.field]).toEqual([422, field])
    },
  )

  it('is at most the last one of 9999', async () => {
    expect((await give('9999-12-31T23:59:59Z')).status).toBeLessThan(300)
  })
})

it('a moment in a routing rule is not one of those either', async () => {
  const value = ['2026-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59']
  const conditions = [{ type: 'time', operator: 'between', value }]
  const rules = [{ name: 'Late', original_url: 'https://example.com/', conditions }]
  const { status } = await linnet.api('PATCH', `/links/${id}`, { dynamic_routing: { rules } })
  expect(status).toBe(422)
})
