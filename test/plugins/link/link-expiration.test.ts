import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import linkPreview from '../../../plugins/link/link-preview.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([linkExpiration, passwordProtection, visitsTracking])
})
afterEach(() => linnet.stop())

const change = (link: ShownLink, fields: object) => linnet.api('PATCH', `/links/${link.id}`, fields)

const shown = async ({ id }: ShownLink) => (await linnet.api('GET', `/links/${id}`)).body.data

const statusOf = async (link: ShownLink) => (await linnet.visit(link)).status

/** Ids of the links that the list shows in a state. */
async function listed(status: string): Promise<readonly string[]> {
  const { body } = await linnet.api('GET', `/links?status=${status}`)
  return body.data.map(({ id }: ShownLink) => id)
}

describe('a link with dates', () => {
  const dates = { startsAt: '2026-11-20T13:00:00Z', expiresAt: '2026-11-20T14:00:00+00:00' }

  it('opens, and ends, to the millisecond', async () => {
    const link = await linnet.create({ originalUrl: 'https://example.com/party', ...dates })
    expect(link).toMatchObject({
      startsAt: '2026-11-20T13:00:00.000Z',
      expiresAt: '2026-11-20T14:00:00.000Z',
      maxVisits: null,
      expiredUrl: null,
    })
    const seen = []
    for (const moment of ['12:59:59.999', '13:00:00.000', '13:59:59.999', '14:00:00.000']) {
      linnet.at(`2026-11-20T${moment}Z`)
      seen.push((await linnet.visit(link)).status)
    }
    expect(seen).toEqual([404, 302, 302, 410])
  })

  it('says what the matter is, and its address nowhere', async () => {
    const link = await linnet.create({ originalUrl: 'https://example.com/party', ...dates })
    const early = await linnet.visit(link)
    expect(early.text).toContain('This link opens on 20 November 2026 at 13:00 UTC.')
    linnet.at('2026-11-20T15:00:00Z')
    const late = await linnet.visit(link, { headers: { accept: 'application/json' } })
    expect(JSON.parse(late.text).code).toBe('expired')
    const head = await linnet.visit(link, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 410, location: undefined })
    expect(early.text + late.text).not.toContain('party')
  })

  it('shows its state, and is found by it', async () => {
    const link = await linnet.create(dates)
    const plain = await linnet.create()
    const moments = [
      ['2026-11-20T12:00:00Z', 'scheduled'],
      ['2026-11-20T13:00:00Z', 'active'],
      ['2026-11-20T14:00:00Z', 'expired'],
    ] as const
    for (const [moment, status] of moments) {
      linnet.at(moment)
      expect((await shown(link)).status).toBe(status)
      expect(await listed(status)).toContain(link.id)
      expect((await shown(plain)).status).toBe('active')
    }
    expect(await listed('expired')).toEqual([link.id])
  })

  it('comes back with all of its visits when the end is put off', async () => {
    const link = await linnet.create({ expiresAt: '2026-11-20T13:00:00Z' })
    await linnet.visit(link)
    linnet.at('2026-11-20T13:00:00Z')
    expect(await statusOf(link)).toBe(410)
    const { body } = await change(link, { expires_at: '2026-11-20T14:00:00Z' })
    expect(body.data.status).toBe('active')
    expect(await statusOf(link)).toBe(302)
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 2 } })
  })

  it('is over before it asks for a password', async () => {
    const link = await linnet.create({
      expiresAt: '2026-11-20T11:00:00Z',
      password: 'open sesame',
    })
    expect(await statusOf(link)).toBe(410)
  })

  it.each([
    [{}, { starts_at: '2026-11-20T15:00:00Z', expires_at: '2026-11-20T14:00:00Z' }, 'expires_at'],
    [{}, { startsAt: '2026-11-20T14:00:00Z', expiresAt: '2026-11-20T14:00:00Z' }, 'expiresAt'],
    [dates, { starts_at: '2026-11-20T14:00:00Z' }, 'starts_at'],
    [dates, { expires_at: '2026-11-20T13:00:00Z' }, 'expires_at'],
    [{}, { expires_at: 'tomorrow' }, 'expires_at'],
    [{}, { starts_at: '2026-11-20' }, 'starts_at'],
  ])('with %j does not become one with %j', async (before, after, field) => {
    const link = await linnet.create(before)
    const { status, body } = await change(link, after)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field }])
    expect((await shown(link)).updatedAt).toBe(link.updatedAt)
  })

  it('may give up one date and move the other past it', async () => {
    const link = await linnet.create(dates)
    const { status } = await change(link, { starts_at: null, expires_at: '2026-11-20T12:30:00Z' })
    expect(status).toBe(200)
    expect(await statusOf(link)).toBe(302)
  })
})

describe('a link with a number of visits', () => {
  it('leads on just so many times, also for many at the same moment', async () => {
    const link = await linnet.create({ maxVisits: 10 })
    const seen = await Promise.all(Array.from({ length: 200 }, () => statusOf(link)))
    expect(seen.filter(status => status === 302)).toHaveLength(10)
    expect(seen.filter(status => status === 410)).toHaveLength(190)
  })

  it('is used up by visits under any of its codes, and after a restart', async () => {
    const link = await linnet.create({ maxVisits: 3 })
    await linnet.db
      .insertInto('short_codes')
      .values({
        domain: '',
        code: 'former',
        link_id: 1,
        account_id: linnet.account.rowId,
        created_at: 0,
      })
      .execute()
    expect(await statusOf(link)).toBe(302)
    expect((await linnet.visit('former')).status).toBe(302)
    const again = await linnet.restart([linkExpiration])
    expect((await again.visit(link)).status).toBe(302)
    expect((await again.visit(link)).status).toBe(410)
    expect((await again.visit('former', { method: 'HEAD' })).status).toBe(410)
    await again.app.close()
  })

  it('shows its state, and is found by it', async () => {
    const link = await linnet.create({ maxVisits: 1 })
    expect((await shown(link)).status).toBe('active')
    await linnet.visit(link)
    expect((await shown(link)).status).toBe('exhausted')
    expect(await listed('exhausted')).toEqual([link.id])
    expect(await listed('active')).toEqual([])
  })

  it('answers the same to who comes too late by a moment and to who comes a day later', async () => {
    const link = await linnet.create({ maxVisits: 1, expiredUrl: 'https://example.com/over' })
    const all = await Promise.all([1, 2, 3].map(() => linnet.visit(link)))
    const late = all.filter(({ location }) => location !== link.originalUrl)
    expect(late).toHaveLength(2)
    linnet.at('2026-11-21T12:00:00Z')
    for (const it of [...late, await linnet.visit(link)]) {
      expect(it).toMatchObject({ status: 302, location: 'https://example.com/over' })
    }
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 1 } })
  })

  it('shows its address to nobody who only looks, and loses no visit by that', async () => {
    linnet = await linnet.restart([linkExpiration, linkPreview])
    const originalUrl = 'https://example.com/party'
    const link = await linnet.create({ originalUrl, maxVisits: 1 })
    const head = await linnet.visit(link, { method: 'HEAD' })
    const plus = await linnet.visit(`${link.shortCode}+`)
    const plusHead = await linnet.visit(`${link.shortCode}+`, { method: 'HEAD' })
    const asData = { headers: { accept: 'application/json' } }
    const plusData = await linnet.visit(`${link.shortCode}+`, asData)
    const looks = [head, plus, plusHead, plusData]
    expect(looks.map(({ status }) => status)).toEqual([302, 403, 403, 403])
    expect(JSON.stringify(looks)).not.toContain('party')
    expect(await linnet.visit(link)).toMatchObject({ status: 302, location: originalUrl })
    expect(await statusOf(link)).toBe(410)
  })

  it.each([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ])(
    'is not used up by a browser that looks ahead with %j, and does not show it where it leads',
    async headers => {
      const link = await linnet.create({ originalUrl: 'https://example.com/party', maxVisits: 1 })
      const ahead = await linnet.visit(link, { headers })
      expect(ahead).toMatchObject({ status: 403, location: undefined })
      expect(JSON.stringify(ahead)).not.toContain('party')
      expect([await statusOf(link), await statusOf(link)]).toEqual([302, 410])
    },
  )

  it.each([
    ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['WhatsApp', 'WhatsApp/2.23.20.0'],
    ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['X', 'Twitterbot/1.0'],
    [
      'iMessage',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    ],
    ['Telegram', 'TelegramBot (like TwitterBot)'],
    ['Discord', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
    [
      'LinkedIn',
      'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    ],
    ['Signal', 'WhatsApp/2'],
    [
      'Teams',
      'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    ],
    ['Office', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
    ['Google', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['a script', 'python-requests/2.32.3'],
  ])('shows %s a page without its address, and is not used up', async (_, userAgent) => {
    const headers = { 'user-agent': userAgent }
    const link = await linnet.create({ originalUrl: 'https://example.com/party', maxVisits: 1 })
    for (let visit = 0; visit < 3; visit += 1) {
      const seen = await linnet.visit(link, { headers })
      expect(seen).toMatchObject({ status: 403, location: undefined })
      expect(JSON.stringify(seen)).not.toContain('party')
      expect(seen.text).toContain('<button type="submit" name="continue"')
    }
    const asData = await linnet.visit(link, {
      headers: { ...headers, accept: 'application/json' },
    })
    expect(JSON.parse(asData.text)).toMatchObject({ code: 'answer_needed' })
    expect(await linnet.counts(link)).toMatchObject({ visits: {} })
    expect([await statusOf(link), await statusOf(link)]).toEqual([302, 410])
    expect((await linnet.visit(link, { headers })).status).toBe(410)
  })

  it('opens for a person who is taken for a robot, by the button, once', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (compatible; Nice Browser)' }
    const originalUrl = 'https://example.com/party'
    const link = await linnet.create({ originalUrl, maxVisits: 1 })
    const { hidden, text } = await linnet.visit(link, {
      headers: { ...headers, 'accept-language': 'de' },
    })
    expect(text).toContain('Weiter verbraucht einen davon.')
    const answers = { ...hidden, continue: 'yes' }
    expect(await linnet.visit(link, { headers, answers })).toMatchObject({
      status: 303,
      location: originalUrl,
    })
    expect((await linnet.visit(link, { headers, answers })).status).toBe(410)
  })

  it('asks a robot for the password first, and is opened by the button after it', async () => {
    const headers = { 'user-agent': 'Twitterbot/1.0' }
    const link = await linnet.create({ maxVisits: 1, password: 'open sesame' })
    const asked = await linnet.visit(link, { headers })
    expect(asked.text).toContain('name="password"')
    const without = { ...asked.hidden, continue: 'yes' }
    expect((await linnet.visit(link, { headers, answers: without })).status).toBe(403)
    const answers = { ...asked.hidden, password: 'open sesame', continue: 'yes' }
    const opening = await linnet.visit(link, { headers, answers })
    expect(opening.status).toBe(403)
    expect(opening.text).not.toContain('name="password"')
    const opened = { ...opening.hidden, continue: 'yes' }
    expect((await linnet.visit(link, { headers, answers: opened })).status).toBe(303)
    expect((await linnet.visit(link, { headers, answers: opened })).status).toBe(410)
  })

  it('takes no button of another link for a password', async () => {
    const headers = { 'user-agent': 'Twitterbot/1.0' }
    const [link, other] = [
      await linnet.create({ maxVisits: 1, password: 'open sesame' }),
      await linnet.create({ maxVisits: 1 }),
    ]
    const { hidden } = await linnet.visit(other, { headers })
    const answers = { ...hidden, continue: 'yes' }
    const seen = await linnet.visit(link, { headers, answers })
    expect([seen.status, seen.location]).toEqual([403, undefined])
  })

  it('is not used up by HEAD, by a wrong password, nor by who is only asked', async () => {
    const link = await linnet.create({ maxVisits: 1, password: 'open sesame' })
    await linnet.visit(link, { method: 'HEAD' })
    const { hidden } = await linnet.visit(link)
    await linnet.visit(link, { answers: { ...hidden, password: 'wrong' } })
    const right = { answers: { ...hidden, password: 'open sesame' } }
    expect((await linnet.visit(link, right)).status).toBe(303)
    expect((await linnet.visit(link, right)).status).toBe(410)
  })

  it('comes back when the number is raised, with what was used up', async () => {
    const link = await linnet.create({ maxVisits: 2 })
    for (let visit = 1; visit <= 3; visit++) await linnet.visit(link)
    await change(link, { max_visits: 3 })
    expect([await statusOf(link), await statusOf(link)]).toEqual([302, 410])
    await change(link, { max_visits: 1 })
    expect((await shown(link)).status).toBe('exhausted')
  })

  it('starts anew once the limit was taken away', async () => {
    const link = await linnet.create({ maxVisits: 1 })
    await linnet.visit(link)
    await change(link, { max_visits: null })
    expect([await statusOf(link), await statusOf(link)]).toEqual([302, 302])
    await change(link, { max_visits: 1 })
    expect([await statusOf(link), await statusOf(link)]).toEqual([302, 410])
  })

  it('asks the database nothing once it is used up', async () => {
    const link = await linnet.create({ maxVisits: 1 })
    await linnet.visit(link)
    expect(await statusOf(link)).toBe(410)
    await linnet.db.deleteFrom('link_link_expiration' as 'links').execute()
    expect(await statusOf(link)).toBe(410)
  })

  it('leads nowhere when what is left cannot be told', async () => {
    const link = await linnet.create({ maxVisits: 5 })
    await linnet.visit(link)
    await linnet.db.schema.dropTable('link_link_expiration').execute()
    expect(await linnet.visit(link)).toMatchObject({ status: 503, location: undefined })
  })

  it.each([0, -1, 1.5, '3'])('cannot have %j', async maxVisits => {
    const { status, body } = await linnet.api('POST', '/links', {
      original_url: 'https://example.com/',
      max_visits: maxVisits,
    })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field: 'max_visits' }])
  })
})

describe('the address after the end', () => {
  it('is where visitors go once it is over, and not before it opens', async () => {
    const link = await linnet.create({
      startsAt: '2026-11-20T13:00:00Z',
      expiresAt: '2026-11-20T14:00:00Z',
      expiredUrl: ' https://EXAMPLE.com/over ',
    })
    expect(link.expiredUrl).toBe('https://example.com/over')
    expect(await statusOf(link)).toBe(404)
    linnet.at('2026-11-20T14:00:00Z')
    expect(await linnet.visit(link)).toMatchObject({
      status: 302,
      location: 'https://example.com/over',
    })
    expect(await linnet.counts(link)).toMatchObject({ visits: { '': 0 } })
  })

  it.each([
    'javascript:alert(1)',
    '//evil.example',
    'https://me:secret@example.com/',
    'https://go.example.org/loop',
  ])('cannot be %s', async expiredUrl => {
    const link = await linnet.create({ expiresAt: '2026-11-20T14:00:00Z' })
    const { status, body } = await change(link, { expired_url: expiredUrl })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field: 'expired_url' }])
  })

  it('alone leaves a plain link, and so does clearing everything', async () => {
    const link = await linnet.create({
      startsAt: '2026-11-20T11:00:00Z',
      expiresAt: '2026-11-20T14:00:00Z',
      maxVisits: 3,
      expiredUrl: 'https://example.com/over',
    })
    await linnet.visit(link)
    expect(linnet.app.cache.get(link.shortCode)?.redirect).toBeUndefined()
    await change(link, { starts_at: null, expires_at: null, max_visits: null })
    await linnet.visit(link)
    expect(linnet.app.cache.get(link.shortCode)?.redirect).toBeDefined()
    await change(link, { expired_url: null })
    expect(await statusOf(link)).toBe(302)
    expect(linnet.app.cache.get(link.shortCode)?.redirect).toBeDefined()
  })
})

it('lets go of what it knew of a link when the link is deleted', async () => {
  const link = await linnet.create({ maxVisits: 1 })
  await linnet.api('DELETE', `/links/${link.id}`)
  const rows = await linnet.db
    .selectFrom('link_link_expiration' as 'links')
    .selectAll()
    .execute()
  expect(rows).toEqual([])
})

it('needs the plan to limit a link, but not to follow, nor to lift the limit', async () => {
  const link = await linnet.create({ maxVisits: 2 })
  await linnet.db.updateTable('accounts').set({ plan: 'free' }).execute()
  const { status, body } = await change(link, { max_visits: 5 })
  expect([status, body.code]).toEqual([403, 'feature_not_in_plan'])
  expect([await statusOf(link), await statusOf(link), await statusOf(link)]).toEqual([
    302, 302, 410,
  ])
  expect((await change(link, { max_visits: null })).status).toBe(200)
  expect(await statusOf(link)).toBe(302)
})
