import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import trackingPixel from '../../../plugins/analytics/tracking-pixel.ts'
import utmTracking from '../../../plugins/analytics/utm-tracking.ts'
import visitsByLanguage from '../../../plugins/analytics/visits-by-language.ts'
import visitsByRoutingRule from '../../../plugins/analytics/visits-by-routing-rule.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import codeRules from '../../../plugins/link/code-rules.ts'
import confirmation from '../../../plugins/link/confirmation.ts'
import customShortCode from '../../../plugins/link/custom-short-code.ts'
import dynamicRouting from '../../../plugins/link/dynamic-routing.ts'
import editShortCode from '../../../plugins/link/edit-short-code.ts'
import linkExpiration from '../../../plugins/link/link-expiration.ts'
import linkPreview from '../../../plugins/link/link-preview.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import paths from '../../../plugins/link/paths.ts'
import frontPage from '../../../plugins/organization/front-page.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'

const all = [
  ...[customShortCode, editShortCode, codeRules, linkExpiration, passwordProtection],
  ...[dynamicRouting, paths, confirmation, linkPreview, frontPage, trackingPixel],
  ...[visitsTracking, visitsByLanguage, visitsByRoutingRule, utmTracking],
]

let linnet: Harness
beforeEach(async () => {
  linnet = await boot(all)
})
afterEach(() => linnet.stop())

const make = (shortCode: string, fields: object = {}) =>
  linnet.create({ shortCode, originalUrl: 'https://example.com/', ...fields })
const totalOf = async ({ id }: ShownLink) => {
  await linnet.app.recorder.catchUp()
  return (await linnet.api('GET', `/links/${id}`)).body.data.visits.total
}
/** The image is the same for all links. */
async function seesPixel(path: string, visit = {}) {
  const { status, location, headers } = await linnet.visit(path, visit)
  expect([status, location]).toEqual([200, undefined])
  expect(headers).toMatchObject({
    'content-type': 'image/gif',
    'content-length': '43',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
  return headers
}

describe('the image of a link', () => {
  it('is a GIF of one transparent pixel', async () => {
    await make('letter')
    const port = await linnet.app.server.listen(0, '127.0.0.1')
    const url = `http://127.0.0.1:${port}/letter/track.gif`
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    const head = await fetch(url, { method: 'HEAD' })
    await linnet.app.server.stop(0)
    expect(bytes.toString('latin1', 0, 6)).toBe('GIF89a')
    expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual([1, 1])
    // Colour 0 is transparent, and the pixel has it: clear (4), 0, end (5), each of 3 bits.
    expect(bytes.subarray(19, 27).toString('hex')).toBe('21f9040100000000')
    expect(bytes.readUInt16LE(39) & 0o777).toBe(0o504)
    expect([bytes.length, bytes.at(-1)]).toEqual([43, 0x3b])
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '43'])
    expect((await head.arrayBuffer()).byteLength).toBe(0)
  })

  it('counts a visit under what the visitor has, and leads nowhere', async () => {
    const rule = {
      name: 'German',
      originalUrl: 'https://example.de/',
      conditions: [{ type: 'language', operator: 'is', value: 'de' }],
    }
    const link = await make('letter', { dynamicRouting: { rules: [rule] } })
    const headers = { 'accept-language': 'de', cookie: 'x=1' }
    await seesPixel('letter/track.gif', { headers, query: '?utm_source=may' })
    expect(await linnet.counts(link)).toMatchObject({
      visits: { '': 1 },
      visitsByLanguage: { de: 1 },
      visitsByRoutingRule: { German: 1 },
      utmSource: { may: 1 },
    })
  })

  it('counts no HEAD, no prefetch, and robots apart', async () => {
    const link = await make('letter')
    await seesPixel('letter/track.gif', { method: 'HEAD' })
    await seesPixel('letter/track.gif', { headers: { 'sec-purpose': 'prefetch' } })
    await seesPixel('letter/track.gif', { headers: { 'user-agent': 'Twitterbot/1.0' } })
    expect(await totalOf(link)).toBe(0)
    expect(await linnet.counts(link)).toMatchObject({ bots: { '': 1 } })
  })

  it.each([
    ['a password', { password: 'open sesame' }],
    ['a limited number of visits', { maxVisits: 1 }],
    ['a date to open', { startsAt: '2026-11-21T12:00:00Z' }],
    ['an end', { expiresAt: '2026-11-20T11:00:00Z', startsAt: '2026-11-20T10:00:00Z' }],
    [
      'an end elsewhere',
      { expiresAt: '2026-11-20T11:00:00Z', expiredUrl: 'https://example.com/over' },
    ],
  ])('is the same with %s, and counts and uses up nothing', async (_, fields) => {
    const link = await make('letter', fields)
    for (let visit = 0; visit < 3; visit += 1) await seesPixel('letter/track.gif')
    expect(await totalOf(link)).toBe(0)
    const answers = { password: 'open sesame', continue: 'yes' }
    expect((await linnet.visit('letter/track.gif', { answers })).status).toBe(405)
    if ('maxVisits' in fields) {
      expect((await linnet.visit('letter')).status).toBe(302)
      expect((await linnet.visit('letter')).status).toBe(410)
      await seesPixel('letter/track.gif')
      expect(await totalOf(link)).toBe(1)
    }
  })

  it('counts while a link with dates is open, and with a page before leaving', async () => {
    const dated = await make('dated', { expiresAt: '2026-11-21T12:00:00Z' })
    const asking = await make('asking', { confirm: true })
    await seesPixel('dated/track.gif')
    await seesPixel('asking/track.gif')
    expect([await totalOf(dated), await totalOf(asking)]).toEqual([1, 1])
    linnet.at('2026-11-22T12:00:00Z')
    await seesPixel('dated/track.gif')
    expect(await totalOf(dated)).toBe(1)
  })

  it.each([
    'nothing/track.gif',
    'track.gif',
    '/track.gif',
    'letter/Track.gif',
    'letter/track.gif/',
    'letter/track.gifs',
    'letter+/track.gif',
    'letter/a/track.gif',
  ])('is not at %s', async path => {
    await make('letter')
    expect((await linnet.visit(path)).status).toBe(404)
  })

  it('is not there for an unknown code where these lead elsewhere', async () => {
    const link = await make('letter')
    const change = { unknown: 'address', unknown_url: 'https://example.com/lost' }
    await linnet.api('PATCH', '/admin/front-page', change)
    expect((await linnet.visit('nothing/track.gif')).location).toBe('https://example.com/lost')
    await seesPixel('letter/track.gif')
    expect(await totalOf(link)).toBe(1)
  })

  it('is there for codes with slashes, former codes and other spellings, and behind a link with paths', async () => {
    await linnet.api('POST', '/code-rules', { grammar: 'wide', codes: 'any_case' })
    const deep = await make('mail/may')
    const taken = await make('a/track.gif')
    const wiki = await make('wiki', { paths: 'append' })
    await seesPixel('mail/may/track.gif')
    await seesPixel('MAIL/May/track.gif')
    await seesPixel('wiki/track.gif')
    expect((await linnet.visit('wiki/a/track.gif')).location).toBe(
      'https://example.com/a/track.gif',
    )
    expect((await linnet.visit('a/track.gif')).status).toBe(302)
    await linnet.api('PATCH', `/links/${deep.id}`, { short_code: 'mail/june' })
    await seesPixel('mail/may/track.gif')
    expect([await totalOf(deep), await totalOf(taken), await totalOf(wiki)]).toEqual([3, 1, 2])
  })

  it('is not there while the plugin is off', async () => {
    linnet = await linnet.restart(all.filter(it => it !== trackingPixel))
    await make('letter')
    expect((await linnet.visit('letter/track.gif')).status).toBe(404)
  })
})
