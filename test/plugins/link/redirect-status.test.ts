import { afterEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../../core/plugin.ts'
import dynamicRouting from '../../../plugins/link/dynamic-routing.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import queryForwarding from '../../../plugins/link/query-forwarding.ts'
import redirectStatus from '../../../plugins/link/redirect-status.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const all = [
  linkExpiration,
  passwordProtection,
  dynamicRouting,
  queryForwarding,
  redirectStatus,
] as const

const seen = async (link: { readonly shortCode: string }, query = '') => {
  const { status, headers, location } = await linnet.visit(link, { query })
  return [status, headers['cache-control'], location]
}

const uncached = 'private, no-store'
const led = 'https://example.com/'

const rules = {
  rules: [
    {
      name: 'phones',
      original_url: 'https://example.com/phone',
      conditions: [{ type: 'device', operator: 'is', value: 'mobile' }],
    },
  ],
}

describe('the redirect of a link', () => {
  it.each([301, 302, 307, 308])('has the status %d, and is kept by nobody', async status => {
    linnet = await boot(redirectStatus)
    const link = await linnet.create({ redirectStatus: status })
    expect(link).toMatchObject({ redirectStatus: status, redirectCacheSeconds: null })
    expect(await seen(link)).toEqual([status, uncached, led])
  })

  it.each([301, 308])('with %d is kept by a browser for as long as the link says', async status => {
    linnet = await boot(redirectStatus)
    const link = await linnet.create({ redirectStatus: status, redirectCacheSeconds: 3600 })
    expect(await seen(link)).toEqual([status, 'private, max-age=3600', led])
  })

  it('is that of the instance, unless the link says otherwise', async () => {
    linnet = await boot(redirectStatus, {
      settings: {
        plugins: { settings: { 'link.redirectStatus': { status: 301, cacheSeconds: 60 } } },
      },
    })
    expect(await seen(await linnet.create())).toEqual([301, 'private, max-age=60', led])
    const own = await linnet.create({ redirectStatus: 308, redirectCacheSeconds: 5 })
    expect(await seen(own)).toEqual([308, 'private, max-age=5', led])
    const plain = await linnet.create({ redirectStatus: 302 })
    expect(await seen(plain)).toEqual([302, uncached, led])
    expect(linnet.app.cache.get(plain.shortCode)?.redirect).toBeDefined()
  })

  it('stays plain where nothing is said, and where 302 is', async () => {
    linnet = await boot(redirectStatus)
    for (const link of [await linnet.create(), await linnet.create({ redirectStatus: 302 })]) {
      expect(await seen(link)).toEqual([302, uncached, led])
      expect(linnet.app.cache.get(link.shortCode)?.redirect).toBeDefined()
    }
    const moved = await linnet.create({ redirectStatus: 301 })
    await linnet.visit(moved)
    expect(linnet.app.cache.get(moved.shortCode)?.redirect).toBeUndefined()
  })

  it('counts a visit with any of them', async () => {
    linnet = await boot(['analytics.visitsTracking', redirectStatus])
    const link = await linnet.create({ redirectStatus: 308 })
    await linnet.visit(link)
    await linnet.app.recorder.catchUp()
    const { body } = await linnet.api('GET', `/links/${link.id}`)
    expect(body.data.visits.total).toBe(1)
  })

  it('becomes plain again when the field is cleared', async () => {
    linnet = await boot(redirectStatus)
    const link = await linnet.create({ redirectStatus: 301, redirectCacheSeconds: 60 })
    await linnet.visit(link)
    const cleared = { redirect_status: null, redirect_cache_seconds: null }
    await linnet.api('PATCH', `/links/${link.id}`, cleared)
    expect(await seen(link)).toEqual([302, uncached, led])
  })
})

describe('302 is the status, and the link says why', () => {
  it.each([
    ['a password', { password: 'four' }, 'link.passwordProtection'],
    ['an end', { expiresAt: '2099-01-01T00:00:00Z' }, 'link.linkExpiration'],
    ['a limit of visits', { maxVisits: 5 }, 'link.linkExpiration'],
    ['rules', { dynamicRouting: rules }, 'link.dynamicRouting'],
  ])('with %s', async (_, fields, feature) => {
    linnet = await boot(all)
    const link = await linnet.create({
      ...fields,
      redirectStatus: 301,
      redirectCacheSeconds: 3600,
    })
    expect(link.redirectForcedBy).toEqual([feature])
    const answers = 'password' in fields ? { password: 'four' } : undefined
    const { status, headers } = await linnet.visit(link, answers && { answers })
    expect(status).toBe(answers ? 303 : 302)
    expect(headers['cache-control']).toBe(uncached)
    const listed = (await linnet.api('GET', '/links')).body.data[0]
    expect(listed).toMatchObject({ redirectStatus: 301, redirectForcedBy: [feature] })
  })

  it('until what forces it is gone', async () => {
    linnet = await boot(all)
    const link = await linnet.create({ redirectStatus: 301, maxVisits: 5 })
    expect((await linnet.visit(link)).status).toBe(302)
    const { body } = await linnet.api('PATCH', `/links/${link.id}`, { max_visits: null })
    expect(body.data.redirectForcedBy).toEqual([])
    expect((await linnet.visit(link)).status).toBe(301)
  })

  it('with a guard and a target that nobody of us wrote, without fields too', async () => {
    const about = 'A plugin for a test.'
    const guarding = definePlugin({ feature: 'acme.guards', about, guard: () => () => undefined })
    const leading = definePlugin({
      feature: 'acme.leads',
      about,
      target: () => (_, url) => `${url}a`,
    })
    linnet = await boot([redirectStatus, guarding, leading])
    const link = await linnet.create({ redirectStatus: 301 })
    expect(link.redirectForcedBy).toEqual(['acme.guards', 'acme.leads'])
    expect(await seen(link)).toEqual([302, uncached, `${led}a`])
  })

  it('but not with the query of the visitor, which is part of what a browser keeps', async () => {
    linnet = await boot(all)
    const link = await linnet.create({
      redirectStatus: 301,
      redirectCacheSeconds: 60,
      forwardQuery: true,
    })
    expect(link.redirectForcedBy).toEqual([])
    expect(await seen(link, '?a=1')).toEqual([301, 'private, max-age=60', `${led}?a=1`])
  })

  it('and says nothing where 302 is what is wanted', async () => {
    linnet = await boot(all)
    const link = await linnet.create({ maxVisits: 5 })
    expect(link.redirectForcedBy).toEqual([])
    const other = await linnet.create({ maxVisits: 5, redirectStatus: 302 })
    expect(other.redirectForcedBy).toEqual([])
  })
})

const oneOf = 'Must be one of: 301, 302, 307, 308.'
const onlyLasting = 'Browsers keep redirects with 301 and 308 only.'

it.each([
  [{ redirect_status: 300 }, 'redirect_status', oneOf],
  [{ redirect_status: 303 }, 'redirect_status', oneOf],
  [{ redirect_status: '301' }, 'redirect_status', oneOf],
  [{ redirect_status: 301.5 }, 'redirect_status', oneOf],
  [{ redirect_status: true }, 'redirect_status', oneOf],
  [{ redirect_status: [301] }, 'redirect_status', oneOf],
  [{ redirect_status: 301, redirect_cache_seconds: 0 }, 'redirect_cache_seconds', 'at least 1.'],
  [
    { redirect_status: 301, redirect_cache_seconds: 31_536_001 },
    'redirect_cache_seconds',
    'at most 31536000.',
  ],
  [
    { redirect_status: 301, redirect_cache_seconds: 1.5 },
    'redirect_cache_seconds',
    'a whole number.',
  ],
  [{ redirect_status: 301, redirect_cache_seconds: '60' }, 'redirect_cache_seconds', 'a number.'],
  [
    { redirect_cache_seconds: 60 },
    'redirect_cache_seconds',
    `${onlyLasting} Choose one of them, or leave this empty.`,
  ],
  [{ redirect_status: 302, redirect_cache_seconds: 60 }, 'redirect_cache_seconds', onlyLasting],
  [{ redirect_status: 307, redirect_cache_seconds: 60 }, 'redirect_cache_seconds', onlyLasting],
])('%j is refused', async (fields, field, sentence) => {
  linnet = await boot(redirectStatus)
  const { status, body } = await linnet.api('POST', '/links', { original_url: led, ...fields })
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ field, message: expect.stringContaining(sentence) }])
})

it('refuses a status that nobody keeps while the link says for how long', async () => {
  linnet = await boot(redirectStatus)
  const link = await linnet.create({ redirectStatus: 301, redirectCacheSeconds: 60 })
  const wish = { redirect_status: 302 }
  const { status, body } = await linnet.api('PATCH', `/links/${link.id}`, wish)
  expect([status, body.errors[0].field]).toEqual([422, 'redirect_status'])
  expect(body.errors[0].message).toContain('empty the seconds')
  const both = { redirect_status: 302, redirect_cache_seconds: null }
  expect((await linnet.api('PATCH', `/links/${link.id}`, both)).status).toBe(200)
  expect((await linnet.api('PATCH', `/links/${link.id}`, { title: 'Spring' })).status).toBe(200)
})
