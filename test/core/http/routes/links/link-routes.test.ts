import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import visitsTracking from '../../../../../plugins/analytics/visits-tracking.ts'
import customShortCode from '../../../../../plugins/link/custom-short-code.ts'
import editOriginalUrl from '../../../../../plugins/link/edit-original-url.ts'
import { aPerson } from '../../../../api/people.ts'
import { boot, type Harness, type ShownLink } from '../../../../harness.ts'

const plugins = [customShortCode, editOriginalUrl, visitsTracking]

let linnet: Harness

beforeEach(async () => {
  linnet = await boot(plugins)
})
afterEach(() => linnet.stop())

const make = (fields: object = {}) =>
  linnet.api('POST', '/links', { original_url: 'https://example.com/', ...fields })
const read = (id: string) => linnet.api('GET', `/links/${id}`)

async function usage(): Promise<Record<string, number>> {
  const { body } = await linnet.api('GET', '/profile')
  return body.data.plan.usage
}

describe('a new link', () => {
  it('shows as it is, and where it is', async () => {
    await linnet.stop()
    linnet = await boot([])
    const { status, headers, body } = await make({ title: ' Autumn ', notes: 'For the fair.' })
    const { id, shortCode } = body.data
    expect(status).toBe(201)
    expect(headers).toMatchObject({
      location: `/api/v1/links/${id}`,
      etag: expect.stringMatching(/^"1\.[\da-f]{16}"$/),
    })
    expect(shortCode).toMatch(/^[2-9b-df-hj-np-tv-z]{7}$/i)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^lnk_\w{8,}$/),
        shortCode,
        shortUrl: `https://go.example.org/${shortCode}`,
        originalUrl: 'https://example.com/',
        domain: 'go.example.org',
        title: 'Autumn',
        notes: 'For the fair.',
        archived: false,
        status: 'active',
        visits: { total: 0 },
        lastVisitAt: null,
        createdAt: '2026-11-20T12:00:00.000Z',
        updatedAt: '2026-11-20T12:00:00.000Z',
      },
    })
    expect((await read(id)).body).toEqual(body)
  })

  it('needs nothing but its address, in either case', async () => {
    for (const name of ['original_url', 'originalUrl']) {
      const { status, body } = await linnet.api('POST', '/links', {
        [name]: 'https://example.com/',
      })
      expect([status, body.data.title, body.data.notes]).toEqual([201, null, null])
    }
  })

  it('keeps its address in the form of the URL Standard', async () => {
    const { body } = await make({
      original_url: ' HTTPS://BÜCHER.example:443/a%20b?q=ä#x ',
    })
    expect(body.data.originalUrl).toBe('https://xn--bcher-kva.example/a%20b?q=%C3%A4#x')
  })

  it('is not made while new links are switched off; the others lead on', async () => {
    const link = await linnet.create()
    await linnet.api('PATCH', '/admin/features', { link_creation_enabled: false })
    expect(await make()).toMatchObject({ status: 403, body: { code: 'feature_disabled' } })
    expect((await linnet.api('PATCH', `/links/${link.id}`, { title: 'Still here' })).status).toBe(
      200,
    )
    expect((await linnet.visit(link)).status).toBe(302)
    await linnet.api('PATCH', '/admin/features', { link_creation_enabled: true })
    expect((await make()).status).toBe(201)
  })

  it('gets a wanted code once, when two hundred ask for it at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => make({ short_code: 'wanted' })),
    )
    const made = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 409)
    expect([made.length, refused.length]).toEqual([1, 199])
    for (const { body } of refused) {
      expect(body).toMatchObject({ code: 'short_code_taken', errors: [{ field: 'short_code' }] })
    }
    expect((await usage()).linksCreatedThisMonth).toBe(1)
  })
})

describe('the month’s quota', () => {
  const limitTo = (maxLinksCreatedPerMonth: number) =>
    linnet.api('PATCH', '/admin/plans/unlimited', { limits: { maxLinksCreatedPerMonth } })

  it('refuses the link that would be one too many, and says how many there may be', async () => {
    await limitTo(2)
    expect([(await make()).status, (await make()).status]).toEqual([201, 201])
    expect(await make()).toMatchObject({
      status: 403,
      body: { code: 'plan_limit_reached', limit: 2, used: 2 },
    })
    expect(await usage()).toMatchObject({ linksCreatedThisMonth: 2 })
    expect((await linnet.api('GET', '/links')).body.meta.total).toBe(2)
  })

  it('holds also when many ask at the same moment', async () => {
    await limitTo(5)
    const answers = await Promise.all(Array.from({ length: 40 }, () => make()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  })

  it('is not given back with a deleted link, and is there again next month', async () => {
    await limitTo(1)
    const link = await linnet.create()
    await linnet.api('DELETE', `/links/${link.id}`)
    expect((await make()).status).toBe(403)
    linnet.at('2026-12-01T00:00:00Z')
    expect((await make()).status).toBe(201)
    expect((await make()).body).toMatchObject({ limit: 1, used: 1 })
  })

  it('follows a change of the plan at once', async () => {
    await limitTo(0)
    expect((await make()).body).toMatchObject({ code: 'plan_limit_reached', limit: 0, used: 0 })
    await limitTo(1)
    expect((await make()).status).toBe(201)
  })
})

describe('changing a link', () => {
  let link: ShownLink

  beforeEach(async () => {
    link = await linnet.create({ title: 'Before', notes: 'Kept' })
    linnet.at('2026-11-20T12:05:00Z')
  })

  const change = (fields: object, ifMatch?: string) =>
    linnet.api('PATCH', `/links/${link.id}`, fields, ifMatch ? { 'if-match': ifMatch } : {})

  it('changes what is named, clears what is null and keeps the rest', async () => {
    const { status, headers, body } = await change({ title: 'After' })
    expect([status, versionIn(headers)]).toEqual([200, '2'])
    expect(body.data).toEqual({ ...link, title: 'After', updatedAt: '2026-11-20T12:05:00.000Z' })
    expect((await change({ notes: null })).body.data).toMatchObject({ title: 'After', notes: null })
    expect((await change({ archived: true })).body.data).toMatchObject({ status: 'archived' })
  })

  it('is refused to who saw an older version, and changes nothing', async () => {
    const { headers } = await read(link.id)
    expect(versionIn(headers)).toBe('1')
    expect((await change({ title: 'First' }, '"1"')).status).toBe(200)
    expect(await change({ title: 'Second' }, '"1"')).toMatchObject({
      status: 412,
      body: { code: 'stale' },
    })
    expect((await read(link.id)).body.data.title).toBe('First')
    for (const ifMatch of ['"1", "2"', '"3"', '*']) {
      expect((await change({ title: ifMatch }, ifMatch)).status).toBe(200)
    }
  })

  it('never loses a change of many at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        change(n % 2 === 0 ? { title: `Title ${n}` } : { notes: `Notes ${n}` }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { headers, body } = await read(link.id)
    expect(versionIn(headers)).toBe('61')
    expect(body.data.title).toMatch(/^Title/)
    expect(body.data.notes).toMatch(/^Notes/)
  })

  it('shows to the next visitor, whether links are cached or not', async () => {
    for (const redirectCacheEnabled of [true, false]) {
      await linnet.api('PATCH', '/admin/features', { redirectCacheEnabled })
      const original_url = `https://example.net/${redirectCacheEnabled}`
      expect((await linnet.visit(link)).status).toBe(302)
      await change({ original_url })
      expect((await linnet.visit(link)).location).toBe(original_url)
      expect(linnet.app.cache.get(link.shortCode) !== undefined).toBe(redirectCacheEnabled)
    }
  })
})

describe('deleting a link', () => {
  it('answers with nothing, and there is nothing left of it once it is deleted for good', async () => {
    const link = await linnet.create()
    await linnet.visit(link)
    expect(await linnet.api('DELETE', `/links/${link.id}`)).toMatchObject({
      status: 204,
      body: undefined,
    })
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const { status } = await linnet.api(
        method,
        `/links/${link.id}`,
        method === 'PATCH' ? {} : undefined,
      )
      expect(status).toBe(404)
    }
    expect((await linnet.visit(link)).status).toBe(404)
    expect(await linnet.api('DELETE', `/links/deleted/${link.id}`)).toMatchObject({ status: 204 })
    await linnet.api('GET', '/analytics')
    for (const table of ['links', 'link_totals', 'link_counts'] as const) {
      await linnet.app.recorder.catchUp()
      expect(await linnet.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })

  it('is refused to who saw an older version', async () => {
    const link = await linnet.create()
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'New' })
    const remove = (etag: string) =>
      linnet.api('DELETE', `/links/${link.id}`, undefined, { 'if-match': etag })
    expect((await remove('"1"')).status).toBe(412)
    expect((await linnet.visit(link)).status).toBe(302)
    expect((await remove('"2"')).status).toBe(204)
  })

  it('gives its code to nobody else, only back to its account', async () => {
    const link = await linnet.create({ short_code: 'mine' })
    await linnet.api('DELETE', `/links/${link.id}`)
    const stranger = await (await aPerson(linnet)).session()
    const wish = { original_url: 'https://evil.example/', short_code: 'mine' }
    expect(await linnet.api('POST', '/links', wish, stranger)).toMatchObject({
      status: 409,
      body: { code: 'short_code_taken' },
    })
    expect((await make({ short_code: 'mine' })).status).toBe(201)
    expect((await linnet.visit('mine')).location).toBe('https://example.com/')
  })

  it('keeps the codes of a deleted account from everybody', async () => {
    const person = await aPerson(linnet)
    const session = await person.session()
    const wish = { original_url: 'https://example.com/', short_code: 'theirs' }
    expect((await linnet.api('POST', '/links', wish, session)).status).toBe(201)
    expect((await linnet.visit('theirs')).status).toBe(302)
    expect((await linnet.api('DELETE', '/profile', undefined, session)).status).toBe(204)
    expect((await linnet.visit('theirs')).status).toBe(404)
    expect((await make({ short_code: 'theirs' })).status).toBe(409)
  })
})

describe('a change of plan', () => {
  it('counts at once for visits of links that were followed before', async () => {
    const link = await linnet.create()
    await linnet.visit(link)
    const account = `/admin/accounts/${linnet.account.id}`
    await linnet.api('PATCH', '/admin/plans/pro', { analytics: { visitsTracking: false } })
    await linnet.api('PATCH', account, { plan: 'pro' })
    expect((await linnet.visit(link)).status).toBe(302)
    await linnet.api('PATCH', account, { plan: 'unlimited' })
    await linnet.visit(link)
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 2 } })
  })
})

/** What of an ETag only changes when somebody changes the link. */
function versionIn({ etag }: Readonly<Record<string, unknown>>): string | undefined {
  return /^"([^".]+)\./.exec(String(etag))?.[1]
}
