import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Harness } from '../harness.ts'
import { bootAll } from './whole-instance.ts'

let linnet: Harness
const ids: Record<string, string> = {}
let tagIds: readonly string[] = []
let minutes = 0

const link = {
  short_code: 'same',
  title: 'Same',
  notes: 'Notes',
  expires_at: '2027-01-01T01:00:00+01:00',
  dynamic_routing: { rules: [{ name: 'All', original_url: 'https://example.com/all' }] },
}
/** What a link stores outside of its row. */
const kept = () => ({ tag_ids: tagIds, campaign_id: ids['/campaigns'] })
const tag = { name: 'Spring', color: '#2f9e44' }
const campaign = { name: 'Spring', description: 'All of it', starts_at: '2026-12-01T00:00:00Z' }
const domain = { root_url: 'https://example.com/root', not_found_url: null }
const token = { name: 'CI', scopes: ['links:read'], expires_at: '2027-01-01T00:00:00Z' }

beforeAll(async () => {
  linnet = await bootAll()
  const make = async (path: string, body: object) => {
    const made = await linnet.api('POST', path, body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    ids[path] = made.body.data.id
    return made.body.data.id
  }
  tagIds = [await make('/tags', { name: 'First' }), await make('/tags', tag)]
  await make('/campaigns', campaign)
  await make('/links', { ...link, ...kept(), original_url: 'https://example.com/' })
  await make('/domains', { ...domain, host: 'links.example.net' })
  await make('/api-tokens', token)
  await make('/admin/accounts', { email: 'other@example.org', is_admin: true, plan: 'unlimited' })
  linnet.at('2026-11-20T13:00:00Z')
})
afterAll(() => linnet.stop())

/** Everything that has an `ETag`, with a change that changes nothing, and one that does. */
const things = [
  [
    '/links',
    () => ({ ...link, ...kept(), original_url: 'https://EXAMPLE.com' }),
    { title: 'Other' },
  ],
  ['/links', () => ({ tag_ids: [...tagIds].reverse() }), { tag_ids: [] }],
  ['/links', () => ({}), { campaign_id: null }],
  ['/tags', () => tag, { color: '#000000' }],
  ['/campaigns', () => campaign, { description: null }],
  ['/domains', () => domain, { root_url: null }],
  ['/api-tokens', () => token, { name: 'Other' }],
  ['/admin/accounts', () => ({ is_admin: true, plan: 'unlimited' }), { full_name: 'Other' }],
] as const

describe.each(things)('a change of %s', (path, same, other) => {
  const read = () => linnet.api('GET', `${path}/${ids[path]}`)
  const change = (body: object) => linnet.api('PATCH', `${path}/${ids[path]}`, body)

  it('that changes nothing makes no new version, and any other does', async () => {
    const before = await read()
    for (const body of [{}, same()]) {
      const { status, headers, body: shown } = await change(body)
      expect([status, shown], JSON.stringify(shown)).toEqual([200, before.body])
      expect(headers.etag).toBe(before.headers.etag)
    }
    expect((await read()).headers.etag).toBe(before.headers.etag)
    minutes += 1
    linnet.at(`2026-11-20T13:0${minutes}:00Z`)
    const changed = await change(other)
    expect([changed.status, changed.headers.etag === before.headers.etag]).toEqual([200, false])
  })
})

it('a change of the profile that changes nothing makes no new version', async () => {
  const first = await linnet.api('PATCH', '/profile', { fullName: 'Ada' })
  linnet.at('2026-11-21T12:00:00Z')
  const again = await linnet.api('PATCH', '/profile', { fullName: ' Ada ' })
  expect([again.status, again.headers.etag]).toEqual([200, first.headers.etag])
  const other = await linnet.api('PATCH', '/profile', { fullName: 'Ada Lovelace' })
  expect(other.headers.etag).not.toBe(first.headers.etag)
})

it.each(['original_url', 'short_code'])('a link is never without its %s', async field => {
  const { status, body } = await linnet.api('PATCH', `/links/${ids['/links']}`, { [field]: null })
  expect([status, body.errors?.[0]?.field]).toEqual([422, field])
  const { body: document } = await linnet.api('GET', '/openapi.json')
  const { schema } =
    document.paths['/api/v1/links/{id}'].patch.requestBody.content['application/json']
  expect(schema.properties[field].type).toBe('string')
})
