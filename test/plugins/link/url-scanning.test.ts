import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../core/plugin/fields.ts'
import {
  type AddressedNotice,
  address,
  definePlugin,
  type Event,
  type Fetch,
  type Plugin,
} from '../../../core/plugin.ts'
import editOriginalUrl from '../../../plugins/link/edit-original-url.ts'
import passwordProtection from '../../../plugins/link/password-protection.ts'
import urlScanning from '../../../plugins/link/url-scanning.ts'
import { boot, type Harness, type HarnessOptions, type ShownLink } from '../../harness.ts'
import { createGuardedFetch } from '../../inside.ts'

let linnet: Harness
let folder: string
let list: string

/** Another plugin that leads elsewhere. */
const elsewhere = definePlugin({
  feature: 'a.elsewhere',
  about: 'Lead elsewhere in a test.',
  fields: { spareUrl: address({ label: 'Spare address' }) },
})

const plugins: readonly Plugin[] = [urlScanning, editOriginalUrl, elsewhere]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-lists-'))
  list = join(folder, 'harmful.txt')
  writeFileSync(list, 'evil.example\n')
})
afterEach(async () => {
  await linnet.stop()
  rmSync(folder, { recursive: true })
})

function bootWith(
  settings: Readonly<Record<string, Json>> = {},
  options: HarnessOptions = {},
  more: readonly Plugin[] = [],
) {
  const own = { lists: [list], ...settings }
  return boot([...plugins, ...more], {
    ...options,
    settings: { plugins: { settings: { 'link.urlScanning': own } } },
  })
}

/** Make a list say something else; the size tells the change also within a tick of the clock. */
function write(text: string) {
  writeFileSync(list, text)
}

const post = (fields: object) =>
  linnet.api('POST', '/links', { original_url: 'https://example.com/', ...fields })
const rescan = () => linnet.run('link.urlScanning.rescan')
const statusOf = async ({ id }: ShownLink) =>
  (await linnet.api('GET', `/links/${id}`)).body.data.status

describe('a new address', () => {
  beforeEach(async () => {
    linnet = await bootWith()
  })

  it('that is on a list is refused, and the link is not made', async () => {
    const { status, body } = await post({ original_url: 'https://www.evil.example/page' })
    expect([status, body.code]).toEqual([422, 'unsafe_url'])
    expect(body.errors).toMatchObject([
      { field: 'original_url', message: 'This URL is on the list harmful.txt.' },
    ])
    expect(await linnet.db.selectFrom('links').selectAll().execute()).toEqual([])
  })

  it('of a deleted link is refused when it is restored, until it is on no list', async () => {
    const { id } = await linnet.create({ originalUrl: 'https://turned.example/page' })
    await linnet.api('DELETE', `/links/${id}`)
    write('evil.example\nturned.example\n')
    await rescan()
    const restore = () => linnet.api('POST', `/links/${id}/restore`)
    expect(await restore()).toMatchObject({ status: 422, body: { code: 'unsafe_url' } })
    write('evil.example\n')
    await rescan()
    expect((await restore()).body.data).toMatchObject({ id, status: 'active' })
  })

  it('is refused in an edit too, and the link stays as it was', async () => {
    const link = await linnet.create()
    const { status, body } = await linnet.api('PATCH', `/links/${link.id}`, {
      original_url: 'https://evil.example/',
    })
    expect([status, body.code]).toEqual([422, 'unsafe_url'])
    expect((await linnet.visit(link)).location).toBe('https://example.com/')
  })

  it('is refused in the field of another plugin, which is named', async () => {
    const { status, body } = await post({ spare_url: 'https://evil.example/' })
    expect([status, body.code]).toEqual([422, 'unsafe_url'])
    expect(body.errors).toMatchObject([{ field: 'spare_url' }])
  })

  it.each([
    'https://xn--pypal-4ve.com/',
    'https://login.xn--80ak6aa92e.com/',
    'http://8.8.8.8/',
    'http://[2606:4700:4700::1111]/',
  ])('%s looks like something else, and is refused', async originalUrl => {
    expect((await post({ original_url: originalUrl })).body.code).toBe('unsafe_url')
  })

  it.each([
    'https://bücher.example/',
    'https://日本語ABC.example/',
    'https://россия.рф/',
    'https://εφημερίδα.gr/',
    'https://xn--nxasmq6b/',
    'http://192.168.1.1/',
    'http://localhost:3000/',
    'https://evil.example.com/',
    'https://notevil.example/',
    'https://example/evil.example',
  ])('%s is fine', async originalUrl => {
    expect((await post({ original_url: originalUrl })).status).toBe(201)
  })

  it('costs a plain link nothing', async () => {
    const link = await linnet.create()
    await linnet.visit(link)
    expect(linnet.app.cache.get(link.shortCode)?.redirect).toBeDefined()
  })

  it('is not looked at while scanning is switched off, or not in the plan', async () => {
    const evil = { original_url: 'https://evil.example/' }
    await linnet.api('PATCH', '/admin/features', { urlScanningEnabled: false })
    expect((await post(evil)).status).toBe(201)
    await rescan()
    expect((await linnet.api('GET', '/links?status=blocked')).body.data).toEqual([])

    await linnet.api('PATCH', '/admin/features', { urlScanningEnabled: true })
    expect((await post(evil)).status).toBe(422)
    await linnet.api('PATCH', '/admin/plans/unlimited', {
      extensions: { 'link.urlScanning': false },
    })
    expect((await post(evil)).status).toBe(201)
  })
})

it('takes what looks like something else when the operator says so', async () => {
  linnet = await bootWith({ lookAlikes: 'allow' })
  expect((await post({ original_url: 'http://8.8.8.8/' })).status).toBe(201)
})

describe('a list', () => {
  it('that has the address of a link is told of once, to plugins that hear of blocked links', async () => {
    const told: Event[] = []
    const listener = definePlugin({
      feature: 'a.listener',
      about: 'Hear of blocked links in a test.',
      events: { kinds: ['blockedLink'], handle: event => void told.push(event) },
    })
    linnet = await bootWith({}, {}, [listener])
    const { id } = await linnet.create({ originalUrl: 'https://turned.example/page' })
    write('evil.example\nturned.example\n')
    await rescan()
    await rescan()
    await linnet.settled()
    expect(told).toMatchObject([
      {
        type: 'blockedLink.created',
        accountId: linnet.account.rowId,
        after: { id, address: 'https://turned.example/page' },
      },
    ])
  })

  it('that is missing is logged once, and links go on', async () => {
    linnet = await bootWith({ lists: [join(folder, 'missing.txt')] })
    await rescan()
    expect((await post({ original_url: 'https://evil.example/' })).status).toBe(201)
    const warnings = linnet.log.filter(line => line.includes('missing.txt cannot be used: ENOENT'))
    expect(warnings).toHaveLength(1)
  })

  it('that is no list any more is logged, and what it said before still counts', async () => {
    linnet = await bootWith()
    write('<html>Please pay</html>\n')
    await rescan()
    expect(linnet.log.join()).toContain('harmful.txt cannot be used: it contains neither domains')
    expect((await post({ original_url: 'https://evil.example/' })).status).toBe(422)
  })

  it('is read again when it changed', async () => {
    linnet = await bootWith()
    write('worse.example\nworst.example\n')
    await rescan()
    expect((await post({ original_url: 'https://worst.example/' })).status).toBe(422)
    expect((await post({ original_url: 'https://evil.example/' })).status).toBe(201)
  })

  it.each(['/dev/zero', 'a pipe'])('is never %s: it is logged, and links go on', async what => {
    const path = what === 'a pipe' ? join(folder, 'pipe') : what
    if (what === 'a pipe') execFileSync('mkfifo', [path])
    linnet = await bootWith({ lists: [path, list] })
    expect(linnet.log.join()).toContain(`${path} cannot be used: it is not a regular file`)
    expect((await post({ original_url: 'https://evil.example/' })).status).toBe(422)
  })

  it('can be one of many in a folder, and is over when it is taken out', async () => {
    const other = join(folder, 'other.txt')
    writeFileSync(other, '||worse.example^\n')
    linnet = await bootWith({ lists: [folder] })
    expect((await post({ original_url: 'https://worse.example/' })).body.detail).toContain(
      'other.txt',
    )
    rmSync(other)
    await rescan()
    expect((await post({ original_url: 'https://worse.example/' })).status).toBe(201)
    expect((await post({ original_url: 'https://evil.example/' })).status).toBe(422)
  })
})

describe('a link whose address turns out to be harmful', () => {
  let link: ShownLink

  beforeEach(async () => {
    linnet = await bootWith()
    link = await linnet.create({ originalUrl: 'https://turned.example/secret' })
    await linnet.visit(link)
    write('evil.example\nturned.example\n')
    await rescan()
  })

  it('is blocked at once, with a page that says why and not where', async () => {
    const { status, location, text, headers } = await linnet.visit(link)
    expect([status, location]).toEqual([451, undefined])
    expect(text).toContain('blocked to protect you: its target is on the list harmful.txt.')
    expect(text + JSON.stringify(headers)).not.toContain('turned.example')
  })

  it('shows as blocked, alone and in the list', async () => {
    const fine = await linnet.create()
    expect(await statusOf(link)).toBe('blocked')
    expect(await statusOf(fine)).toBe('active')
    const { body } = await linnet.api('GET', '/links?status=blocked')
    expect(body.data.map(({ id }: ShownLink) => id)).toEqual([link.id])
  })

  it('is listed for admins', async () => {
    const { body } = await linnet.api('GET', '/admin/blocked-links')
    expect(body.data).toEqual([
      {
        id: link.id,
        shortUrl: link.shortUrl,
        address: 'https://turned.example/secret',
        reason: 'on the list harmful.txt',
        foundAt: '2026-11-20T12:00:00.000Z',
      },
    ])
    expect(body.meta.total).toBe(1)
  })

  it('can still be edited otherwise, and stays blocked', async () => {
    const { status } = await linnet.api('PATCH', `/links/${link.id}`, { title: 'Mine' })
    expect(status).toBe(200)
    expect((await linnet.visit(link)).status).toBe(451)
  })

  it('is open again once its address is another, for good', async () => {
    await linnet.api('PATCH', `/links/${link.id}`, { original_url: 'https://example.net/' })
    expect(await linnet.visit(link)).toMatchObject({
      status: 302,
      location: 'https://example.net/',
    })
    expect(await statusOf(link)).toBe('active')
    const back = { original_url: 'https://turned.example/secret' }
    expect((await linnet.api('PATCH', `/links/${link.id}`, back)).status).toBe(422)
    const off = await linnet.restart([])
    expect((await off.visit(link)).status).toBe(302)
  })

  it('is open again in the night after it is taken off the list', async () => {
    write('evil.example\n')
    await rescan()
    expect((await linnet.visit(link)).status).toBe(302)
    expect((await linnet.api('GET', '/admin/blocked-links')).body.data).toEqual([])
  })

  it('stays blocked when the list cannot be read', async () => {
    rmSync(list)
    linnet = await linnet.restart(plugins)
    await rescan()
    expect((await linnet.visit(link)).status).toBe(451)
  })

  it('stays shut while scanning is switched off, or the plugin is, also when it is edited then', async () => {
    await linnet.api('PATCH', '/admin/features', { urlScanningEnabled: false })
    expect((await linnet.visit(link)).status).toBe(451)
    await linnet.api('PATCH', '/admin/features', { urlScanningEnabled: true })

    linnet = await linnet.restart([editOriginalUrl])
    expect((await linnet.visit(link)).status).toBe(503)
    await linnet.api('PATCH', `/links/${link.id}`, { original_url: 'https://example.net/' })
    expect((await linnet.visit(link)).status).toBe(503)

    linnet = await linnet.restart(plugins)
    expect((await linnet.visit(link)).status).toBe(451)
    await rescan()
    expect((await linnet.visit(link)).location).toBe('https://example.net/')
  })

  it('is blocked before anything else asks the visitor', async () => {
    linnet = await linnet.restart([...plugins, passwordProtection])
    const guarded = await linnet.create({ password: 'open sesame' })
    write('evil.example\nturned.example\nexample.com\n')
    await rescan()
    expect((await linnet.visit(guarded)).status).toBe(451)
  })

  it('goes with what was found when it is deleted', async () => {
    await linnet.api('DELETE', `/links/${link.id}`)
    expect((await linnet.api('GET', '/admin/blocked-links')).body.data).toEqual([])
  })

  describe('and is released by an admin', () => {
    const release = () => linnet.api('POST', `/admin/blocked-links/${link.id}/release`)

    beforeEach(async () => {
      expect((await release()).status).toBe(204)
    })

    it('leads on, also after the next night and while the plugin is off', async () => {
      expect((await linnet.visit(link)).status).toBe(302)
      await rescan()
      expect((await linnet.visit(link)).status).toBe(302)
      expect(await statusOf(link)).toBe('active')
      linnet = await linnet.restart([])
      expect((await linnet.visit(link)).status).toBe(302)
    })

    it('can be edited otherwise', async () => {
      expect((await linnet.api('PATCH', `/links/${link.id}`, { title: 'Mine' })).status).toBe(200)
      expect((await linnet.visit(link)).status).toBe(302)
    })

    it('is blocked again when its address changes to another that turns out so', async () => {
      await linnet.api('PATCH', `/links/${link.id}`, { original_url: 'https://later.example/' })
      write('evil.example\nturned.example\nlater.example\n')
      await rescan()
      expect((await linnet.visit(link)).status).toBe(451)
    })

    it('cannot be released twice', async () => {
      expect((await release()).status).toBe(404)
    })
  })
})

describe('links that turn out to be harmful at night', () => {
  const told: AddressedNotice[] = []
  const channel = definePlugin({
    feature: 'a.channel',
    about: 'Deliver notices in a test.',
    unstable: {
      notice(notice) {
        told.push(notice)
        return true
      },
    },
  })

  beforeEach(async () => {
    told.length = 0
    linnet = await (await bootWith()).restart([...plugins, channel])
  })

  it('are told to admins, once', async () => {
    const { shortUrl } = await linnet.create({ originalUrl: 'https://turned.example/' })
    await linnet.create()
    await rescan()
    expect(told).toEqual([])
    write('turned.example\n')
    await rescan()
    await rescan()
    expect(told).toMatchObject([
      { title: 'A link is blocked', to: 'admins', from: 'link.urlScanning', level: 'warning' },
    ])
    expect(told[0]?.text).toBe(`Their addresses turned out to be harmful:\n${shortUrl}`)
  })

  it('are told of together, and twenty of them by name', async () => {
    for (let made = 0; made < 22; made += 1) {
      await linnet.create({ originalUrl: `https://turned.example/${made}` })
    }
    write('turned.example\n')
    await rescan()
    expect(told.map(({ title }) => title)).toEqual(['22 links are blocked'])
    expect(told[0]?.text.split('\n').slice(21)).toEqual(['… and 2 more'])
  })
})

it('blocks a link for the address in a field of another plugin', async () => {
  linnet = await bootWith()
  const link = await linnet.create({ spareUrl: 'https://turned.example/' })
  write('turned.example\n')
  await rescan()
  expect((await linnet.visit(link)).status).toBe(451)
  await linnet.api('PATCH', `/links/${link.id}`, { spare_url: null })
  expect((await linnet.visit(link)).status).toBe(302)
})

it('finds a link among more than are read at once', async () => {
  linnet = await bootWith()
  const { id } = await linnet.create({ originalUrl: 'https://example.com/first' })
  const first = await linnet.db
    .selectFrom('links')
    .selectAll()
    .orderBy('id')
    .executeTakeFirstOrThrow()
  for (let from = 0; from < 1_200; from += 100) {
    const rows = Array.from({ length: 100 }, (_, index) => {
      const { id: _id, ...row } = first
      return {
        ...row,
        short_code: `x${from + index}`,
        original_url: `https://n${from + index}.example/`,
      }
    })
    await linnet.db.insertInto('links').values(rows).execute()
  }
  write('n3.example\nn700.example\nn1199.example\n')
  await rescan()
  const { body } = await linnet.api('GET', '/admin/blocked-links?per_page=100')
  const found = body.data.map(({ address }: { address: string }) => address).sort()
  expect(found).toEqual(['https://n1199.example/', 'https://n3.example/', 'https://n700.example/'])
  expect((await linnet.visit(id)).status).toBe(404)
})

describe('Google Safe Browsing', () => {
  let service: Server
  let questions: { url: string; body: { threatInfo: { threatEntries: { url: string }[] } } }[]
  let healthy: boolean

  const guarded = createGuardedFetch({
    isAllowed: () => true,
    signal: new AbortController().signal,
  })
  // The service here has no certificate.
  const fetch: Fetch = (url, options) => guarded(url.replace(/^https:/, 'http:'), options)

  beforeEach(async () => {
    questions = []
    healthy = true
    service = createServer(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString())
      questions.push({ url: req.url ?? '', body })
      const entries: { url: string }[] = body.threatInfo.threatEntries
      const matches = entries
        .filter(({ url }) => url.includes('phishing'))
        .map(threat => ({
          threatType: 'SOCIAL_ENGINEERING',
          platformType: 'ANY_PLATFORM',
          threatEntryType: 'URL',
          threat,
          cacheDuration: '300s',
        }))
      // The service leaves the list out when it is empty.
      res.writeHead(healthy ? 200 : 500, { 'content-type': 'application/json' })
      res.end(JSON.stringify(matches.length > 0 ? { matches } : {}))
    })
    await new Promise<void>(done => service.listen(0, '127.0.0.1', done))
  })
  afterEach(() => {
    service.close()
  })

  const bootAsking = (settings: Readonly<Record<string, Json>> = {}) => {
    const { port } = service.address() as AddressInfo
    const env = {
      LINNET_SAFE_BROWSING_KEY: 'the key',
      LINNET_SAFE_BROWSING_URL: `https://127.0.0.1:${port}/`,
    }
    return bootWith(settings, { env, fetch })
  }

  it('is asked about what no list has', async () => {
    linnet = await bootAsking()
    expect((await post({ original_url: 'https://evil.example/' })).status).toBe(422)
    expect(questions).toEqual([])

    expect((await post({ original_url: 'https://fine.example/' })).status).toBe(201)
    const { status, body } = await post({ original_url: 'https://phishing.example/a?b=c' })
    expect([status, body.detail]).toEqual([
      422,
      'This URL is reported by Google Safe Browsing as phishing.',
    ])
    expect(questions.map(({ url }) => url)).toEqual(
      Array(2).fill('/v4/threatMatches:find?key=the+key'),
    )
    expect(questions[1]?.body.threatInfo).toMatchObject({
      threatEntryTypes: ['URL'],
      threatEntries: [{ url: 'https://phishing.example/a?b=c' }],
    })
  })

  it('is not asked without a key', async () => {
    linnet = await bootWith({}, { fetch })
    expect((await post({ original_url: 'https://phishing.example/' })).status).toBe(201)
  })

  it('is asked about all links at night, many at once', async () => {
    linnet = await bootAsking({ whenUnavailable: 'allow' })
    healthy = false
    const link = await linnet.create({ originalUrl: 'https://phishing.example/' })
    for (let made = 0; made < 9; made += 1)
      await linnet.create({ originalUrl: `https://n${made}.example/` })
    healthy = true
    questions = []
    await rescan()
    expect((await linnet.visit(link)).status).toBe(451)
    expect(questions.map(({ body }) => body.threatInfo.threatEntries.length)).toEqual([10])
  })

  it('does not answer: links are made, or refused, as the operator says', async () => {
    linnet = await bootAsking()
    healthy = false
    expect((await post({})).status).toBe(201)
    expect(linnet.log.join()).toMatch(/not checked by Safe Browsing: 127\.0\.0\.1:\d+ answers 500/)
    await linnet.stop()

    linnet = await bootAsking({ whenUnavailable: 'refuse' })
    const { status, body } = await post({})
    expect([status, body.code]).toEqual([503, 'unavailable'])
  })

  it('does not answer at night: what is blocked stays blocked', async () => {
    linnet = await bootAsking()
    healthy = false
    const link = await linnet.create({ originalUrl: 'https://phishing.example/' })
    healthy = true
    await rescan()
    healthy = false
    await rescan()
    expect((await linnet.visit(link)).status).toBe(451)
  })

  it('is where the environment says, which no setting can change', async () => {
    linnet = await bootAsking()
    const settings = { safeBrowsingUrl: 'https://elsewhere.example/' }
    const { status } = await linnet.api('PATCH', '/admin/plugins/link.urlScanning', { settings })
    expect(status).toBe(422)
    await linnet.stop()
    await expect(bootWith(settings)).rejects.toThrow('set LINNET_SAFE_BROWSING_URL')
    const env = { LINNET_SAFE_BROWSING_URL: 'http://elsewhere.example/' }
    await expect(bootWith({}, { env })).rejects.toThrow('begins with https://')
    linnet = await bootAsking()
  })

  it('never sees its key in the log', async () => {
    linnet = await bootAsking()
    await new Promise(done => service.close(done))
    await post({})
    expect(linnet.log.join()).toContain('not checked by Safe Browsing')
    expect(linnet.log.join()).not.toContain('key')
  })
})
