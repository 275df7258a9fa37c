import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import editOriginalUrl from '../../../plugins/link/edit-original-url.ts'
import utmParameters from '../../../plugins/link/utm-parameters.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([editOriginalUrl, utmParameters])
})
afterEach(() => linnet.stop())

const change = async (link: { id: string }, fields: object) =>
  (await linnet.api('PATCH', `/links/${link.id}`, fields)).body.data

describe('UTM parameters', () => {
  it('are written into the address, and the link stays plain', async () => {
    const utm = { source: 'letter', medium: 'e-mail', campaign: 'a & b', term: 'x', content: 'ü' }
    const link = await linnet.create({ originalUrl: 'https://example.com/?own=a%20b#part', utm })
    const address =
      'https://example.com/?own=a%20b&utm_source=letter&utm_medium=e-mail&utm_campaign=a+%26+b&utm_term=x&utm_content=%C3%BC#part'
    expect(link).toMatchObject({ originalUrl: address, utm })
    expect((await linnet.visit(link)).location).toBe(address)
    expect(linnet.app.cache.get(link.shortCode)?.redirect).toBeDefined()
  })

  it('replace those that the address has, all five of them', async () => {
    const link = await linnet.create({
      originalUrl: 'https://example.com/?utm_source=a&utm_medium=b&utm%5Fterm=c&utm_id=d',
      utm: { source: 'letter', medium: null },
    })
    expect(link.originalUrl).toBe('https://example.com/?utm_id=d&utm_source=letter')
    expect(link.utm).toEqual({
      source: 'letter',
      medium: null,
      campaign: null,
      term: null,
      content: null,
    })
  })

  it('are written into a new address too', async () => {
    const link = await linnet.create({ utm: { source: 'letter' } })
    const changed = await change(link, { original_url: 'https://example.net/new?utm_source=other' })
    expect(changed.originalUrl).toBe('https://example.net/new?utm_source=letter')
    expect((await linnet.visit(link)).location).toBe('https://example.net/new?utm_source=letter')
  })

  it('change as a whole', async () => {
    const link = await linnet.create({ utm: { source: 'letter', medium: 'mail' } })
    const changed = await change(link, { utm: { source: 'poster' } })
    expect(changed.originalUrl).toBe('https://example.com/?utm_source=poster')
  })

  it('leave the address when they are cleared', async () => {
    const link = await linnet.create({
      originalUrl: 'https://example.com/?own=1',
      utm: { source: 'letter' },
    })
    const changed = await change(link, { utm: null })
    expect(changed).toMatchObject({ originalUrl: 'https://example.com/?own=1', utm: null })
  })

  it('stay as they are when something else changes, and where nobody set them', async () => {
    const set = await linnet.create({ utm: { source: 'letter' } })
    expect((await change(set, { title: 'New' })).originalUrl).toBe(set.originalUrl)
    const own = await linnet.create({ originalUrl: 'https://example.com/?utm_source=own&x' })
    for (const fields of [{ title: 'New' }, { utm: null }]) {
      expect((await change(own, fields)).originalUrl).toBe('https://example.com/?utm_source=own&x')
    }
  })
})

it.each([
  [{ source: 'x'.repeat(201) }, 'utm.source'],
  [{ source: '' }, 'utm.source'],
  [{ campaign: 5 }, 'utm.campaign'],
  [{ sauce: 'x' }, 'utm.sauce'],
  ['source', 'utm'],
])('refuses %j and names what is wrong', async (utm, field) => {
  const { status, body } = await linnet.api('POST', '/links', {
    original_url: 'https://example.com/',
    utm,
  })
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ field }])
})
