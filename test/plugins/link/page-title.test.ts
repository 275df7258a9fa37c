import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest'
import { type Fetch, FetchFailed } from '../../../core/plugin.ts'
import pageTitle from '../../../plugins/link/page-title.ts'
import { boot, type Harness } from '../../harness.ts'
import { createGuardedFetch, openSession } from '../../inside.ts'

let site: Server
let answer: RequestListener
let originalUrl: string
let linnet: Harness

/** What was asked for in the background, to wait for. */
let asked: Promise<unknown>[] = []

const openFetch = createGuardedFetch({
  isAllowed: () => true,
  signal: new AbortController().signal,
})

const fetch: Fetch = (url, options) => {
  const work = openFetch(url, options)
  asked.push(work.catch(() => undefined))
  return work
}

beforeAll(async () => {
  site = createServer((req, res) => answer(req, res))
  await new Promise<void>(done => site.listen(0, '127.0.0.1', done))
  originalUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/page?q=1`
})
afterAll(() => {
  site.close()
})
beforeEach(async () => {
  asked = []
  linnet = await boot(pageTitle, { fetch })
})
afterEach(() => linnet.stop())

/** The title that a new link has once everything in the background is done. */
async function titleOfNew(fields: object = {}, path = ''): Promise<string | null> {
  const { id } = await linnet.create({ originalUrl: originalUrl + path, ...fields })
  await Promise.all(asked)
  await setImmediate()
  // Whoever began to write before has written.
  await linnet.db.transaction().execute(async () => undefined)
  const { body } = await linnet.api('GET', `/links/${id}`)
  return body.data.title
}

function page(html: string | Uint8Array, type = 'text/html; charset=utf-8', status = 200) {
  answer = (_, res) => res.writeHead(status, { 'content-type': type }).end(html)
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('the title of a new link', () => {
  it('is that of its page', async () => {
    page('<!doctype html><html><head><title>A fine page</title></head></html>')
    expect(await titleOfNew()).toBe('A fine page')
  })

  it('is what was given, and then the page is not asked', async () => {
    page('<title>Theirs</title>')
    expect(await titleOfNew({ title: 'Ours' })).toBe('Ours')
    expect(asked).toEqual([])
  })

  it('is none where that of its page cannot be seen', async () => {
    page('<title>\u3164</title>')
    expect(await titleOfNew()).toBeNull()
  })

  it('is not taken back when it was given meanwhile', async () => {
    let release: () => unknown = () => undefined
    answer = (_, res) => {
      release = () =>
        res.writeHead(200, { 'content-type': 'text/html' }).end('<title>Theirs</title>')
    }
    const arrived = new Promise<void>(done => site.once('request', () => done()))
    const { id } = await linnet.create({ originalUrl })
    await arrived
    await linnet.api('PATCH', `/links/${id}`, { title: 'Ours' })
    release()
    await Promise.all(asked)
    await linnet.settled()
    expect((await linnet.api('GET', `/links/${id}`)).body.data.title).toBe('Ours')
  })

  it.each([
    ['<TITLE\n lang="en">\n  Two\r\n\t lines </TITLE >', 'Two lines'],
    [
      '<title>Tom &amp; Jerry&#8217;s &quot;caf&eacute;&quot; &#x1F3A9; &nosuch;</title>',
      'Tom & Jerry’s "café" 🎩 &nosuch;',
    ],
    ['<title>It&#146;s &#8364;</title>', 'It’s €'],
    ['<title>a&#0;b&#xD800;c&#x110000;</title>', 'a\ufffdb\ufffdc\ufffd'],
    ['<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>', '<script>alert(1)</script>'],
    ['<titles>no</titles><title>yes</title><svg><title>later</title></svg>', 'yes'],
    ['<title>  </title>', null],
    ['<title>never closed', null],
    ['<p>no title</p>', null],
    [`<title>${'x'.repeat(299)}🎩</title>`, 'x'.repeat(299)],
  ])('in %j is %j', async (html, title) => {
    page(html)
    expect(await titleOfNew()).toBe(title)
  })

  it.each([
    [
      'by its media type',
      latin1('<title>caf\xe9</title>'),
      'text/html; charset=ISO-8859-1',
      'café',
    ],
    [
      'by what it says',
      latin1('<meta charset="windows-1252"><title>\x80 5</title>'),
      'text/html',
      '€ 5',
    ],
    [
      'by what it says in the old way',
      Buffer.from([
        ...latin1('<meta http-equiv=Content-Type content="text/html; charset=shift_jis"><title>'),
        0x93,
        0xfa,
        0x96,
        0x7b,
        ...latin1('</title>'),
      ]),
      'text/html',
      '日本',
    ],
    ['by its mark', Buffer.from('\ufeff<title>ü</title>', 'utf16le'), 'text/html', 'ü'],
    [
      'as UTF-8 when its encoding is unknown',
      Buffer.from('<title>ü</title>'),
      'text/html; charset=x-none',
      'ü',
    ],
  ])('is decoded %s', async (_, html, type, title) => {
    page(html, type)
    expect(await titleOfNew()).toBe(title)
  })

  it.each([
    ['no page', '<title>Not found</title>', 'text/html', 404],
    ['no HTML', '<title>A note</title>', 'text/plain', 200],
  ])('is nothing where there is %s', async (_, html, type, status) => {
    page(html, type, status)
    expect(await titleOfNew()).toBeNull()
  })

  it('is not looked for past 256 KB', async () => {
    page(`<title>Near</title>${' '.repeat(300_000)}`)
    expect(await titleOfNew()).toBe('Near')
    page(`${' '.repeat(300_000)}<title>Far</title>`)
    expect(await titleOfNew()).toBeNull()
  })

  it('is nothing in a hostile page', async () => {
    page('<title '.repeat(37_000))
    expect(await titleOfNew()).toBeNull()
  })
})

it('says nothing when the page does not answer', async () => {
  answer = req => req.socket.destroy()
  expect(await titleOfNew()).toBeNull()
  expect(linnet.log).toEqual([])
})

it('asks nobody for an account whose plan does not include it', async () => {
  page('<title>A fine page</title>')
  await linnet.api('PATCH', '/admin/plans/unlimited', { extensions: { 'link.pageTitle': false } })
  expect(await titleOfNew()).toBeNull()
  expect(asked).toEqual([])
})

it('does not wait for all slow pages of another account, of which a hundred wait at most', async () => {
  const pages: { readonly url: string; readonly end: () => void }[] = []
  const slow: Fetch = url =>
    new Promise((_, reject) => {
      pages.push({ url, end: () => reject(new FetchFailed('It does not answer')) })
    })
  const busy = await boot(pageTitle, { fetch: slow })
  onTestFinished(() => busy.stop())
  const { id } = await busy.db
    .insertInto('accounts')
    .values({
      email: 'bob@example.org',
      full_name: null,
      password_hash: null,
      is_admin: 0,
      plan: 'unlimited',
      created_at: 0,
      updated_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = await openSession(busy.db, id, () => new Date('2026-11-20T12:00:00Z'))

  for (let made = 0; made < 120; made++) {
    await busy.create({ originalUrl: `https://slow.example/${made}` })
  }
  const headers = { cookie: `__Host-linnet=${session}` }
  for (const originalUrl of ['https://other.example/1', 'https://other.example/2']) {
    const { status } = await busy.api('POST', '/links', { originalUrl }, headers)
    expect(status).toBe(201)
  }
  await busy.settled()
  // Each page ends only when the next one is awaited.
  let ended = 0
  while (ended < pages.length) {
    pages[ended]?.end()
    ended += 1
    for (let turn = 0; turn < 3; turn++) await setImmediate()
  }
  const urls = pages.map(({ url }) => url)
  expect(urls.slice(0, 5)).toEqual([
    'https://slow.example/0',
    'https://slow.example/1',
    'https://other.example/1',
    'https://slow.example/2',
    'https://other.example/2',
  ])
  // One was asked at once, and of the hundred that waited, two gave way to those of the other account.
  expect(urls).toHaveLength(101)
})
