import { afterEach, describe, expect, it } from 'vitest'
import {
  ask,
  definePlugin,
  type Page,
  type Plugin,
  page,
  type Routed,
  redirect,
  refuse,
  type Target,
} from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const plugin = (hooks: Partial<Plugin>, feature: Plugin['feature'] = 'a.outcomes') =>
  definePlugin({ feature, about: 'A plugin for a test.', ...hooks })

const led = 'https://example.com/'
const welcome = page({
  heading: { en: 'Welcome', de: 'Willkommen' },
  text: 'A <b>word</b> first.',
  rows: [{ label: 'Leads to', value: led }],
  link: { label: 'Go on', url: 'https://example.com/?a=1&b=2' },
})

const totalOf = async (id: string) => {
  await linnet.app.recorder.catchUp()
  return (await linnet.api('GET', `/links/${id}`)).body.data.visits.total
}

/** What a visitor of a link with this guard gets. */
async function guarded(shown: Page, headers = {}) {
  linnet = await boot(plugin({ guard: () => () => shown }))
  return linnet.visit(await linnet.create(), { headers })
}

describe('a page of a plugin', () => {
  it('says its texts and nothing else, in the language of the visitor', async () => {
    const { status, text, headers } = await guarded(welcome, { 'accept-language': 'de' })
    expect(status).toBe(200)
    expect(text).toContain('<h1>Willkommen</h1>\n<p>A &lt;b&gt;word&lt;/b&gt; first.</p>')
    expect(text).toContain(`<div><dt>Leads to</dt><dd>${led}</dd></div>`)
    expect(text).toContain(
      '<a class="on" href="https://example.com/?a=1&amp;b=2" rel="noreferrer">Go on</a>',
    )
    expect(text).not.toContain('http-equiv')
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*img-src data:;/),
    })
  })

  it('has a status and headers of its own', async () => {
    const gone = page({ heading: 'Gone', status: 410, headers: { 'Retry-After': '60' } })
    const { status, headers } = await guarded(gone)
    expect(status).toBe(410)
    expect(headers).toMatchObject({ 'retry-after': '60', 'referrer-policy': 'no-referrer' })
  })

  it('sends the visitor on after a while, if it says so', async () => {
    const { text } = await guarded({ ...welcome, wait: 5 })
    expect(text).toContain(
      '<meta http-equiv="refresh" content="5; url=https://example.com/?a=1&amp;b=2">',
    )
  })

  it('has what cards are made of in its head, as text', async () => {
    const { text } = await guarded({ ...welcome, meta: { 'og:title': 'Spring "<sale>"' } })
    expect(text).toMatch(
      /<meta name="og:title" property="og:title" content="Spring &quot;&lt;sale&gt;&quot;">\n<\/head>/,
    )
  })

  it.each([
    ['data:image/png;base64,AAAA', /img-src data:;/],
    ['/cards/a.png', /img-src 'self' data:;/],
  ])('shows the picture %s, and loads none from elsewhere', async (src, policy) => {
    const { text, headers } = await guarded({ ...welcome, image: { src, alt: 'A "spring"' } })
    expect(text).toContain(`<img class="image" src="${src}" alt="A &quot;spring&quot;">`)
    expect(headers['content-security-policy']).toMatch(policy)
  })

  it('is data for a program', async () => {
    const { status, text } = await guarded(welcome, { accept: 'application/json' })
    expect(status).toBe(200)
    expect(JSON.parse(text).data).toEqual({
      heading: 'Welcome',
      text: 'A <b>word</b> first.',
      rows: welcome.rows,
      link: welcome.link,
    })
  })
})

describe('a guard', () => {
  it('asks on a page that says more, and shows a picture of its own', async () => {
    const more = { text: 'Not <ours>.', rows: [{ label: 'Leads to', value: led }] }
    const image = { src: '/door.png', alt: 'A door' }
    const asking: Plugin['guard'] = () => visit =>
      visit.answers.continue ? undefined : ask('Sure?', [], undefined, { ...more, image })
    linnet = await boot(plugin({ guard: asking }))
    const link = await linnet.create()
    const { text, headers, hidden } = await linnet.visit(link)
    expect(text).toContain('<p>Not &lt;ours&gt;.</p>\n<dl>\n<div><dt>Leads to</dt>')
    expect(text).toContain('<img class="image" src="/door.png" alt="A door">')
    expect(headers['content-security-policy']).toContain("img-src 'self' data:")
    const answers = { ...hidden, continue: 'yes' }
    expect((await linnet.visit(link, { answers })).location).toBe(led)
  })

  it('that shows a page lets nobody through, and counts nothing', async () => {
    linnet = await boot(['analytics.visitsTracking', plugin({ guard: () => () => welcome })])
    const link = await linnet.create()
    expect((await linnet.visit(link)).status).toBe(200)
    expect(await totalOf(link.id)).toBe(0)
  })

  it('redirects with a status and headers of its own', async () => {
    const moved = redirect('https://example.org/', 301, { 'Cache-Control': 'max-age=60' })
    linnet = await boot(plugin({ guard: () => () => moved }))
    const { status, location, headers } = await linnet.visit(await linnet.create())
    expect([status, location]).toEqual([301, 'https://example.org/'])
    expect(headers['cache-control']).toBe('max-age=60')
  })
})

describe('a target', () => {
  const route =
    (answer: string | Routed | Page): Target =>
    () =>
      answer

  it('says with which status and headers the visitor is sent on', async () => {
    const routed = {
      url: `${led}there`,
      status: 307,
      headers: { 'Referrer-Policy': 'no-referrer' },
    } as const
    linnet = await boot(plugin({ target: () => route(routed) }))
    const { status, location, headers } = await linnet.visit(await linnet.create())
    expect([status, location]).toEqual([307, `${led}there`])
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    })
  })

  it('keeps what the one before it said of them', async () => {
    const first = { url: led, status: 308, headers: { 'Referrer-Policy': 'no-referrer' } } as const
    const second = { url: `${led}b`, headers: { Link: '<https://a.example>; rel="x"' } }
    linnet = await boot([
      plugin({ target: () => route(first) }),
      plugin({ target: () => route(second) }, 'b.outcomes'),
      plugin({ target: () => (_, url) => `${url}c` }, 'c.outcomes'),
    ])
    const { status, location, headers } = await linnet.visit(await linnet.create())
    expect([status, location]).toEqual([308, `${led}bc`])
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', link: second.headers.Link })
  })

  it('asks by a button before the visitor leaves, about the address that is final', async () => {
    linnet = await boot([
      plugin({ target: () => (_, url) => ask(`To ${url}`, []) }),
      plugin({ target: () => (_, url) => ask(`Also to ${url}`, []) }, 'b.outcomes'),
      plugin({ target: () => (_, url) => ({ url: `${url}c`, variant: 'c' }) }, 'c.outcomes'),
    ])
    const link = await linnet.create()
    const asked = await linnet.visit(link)
    expect([asked.status, asked.location]).toEqual([403, undefined])
    expect(asked.text).toContain(`<h1>To ${led}c</h1>`)
    expect(await totalOf(link.id)).toBe(0)
    const answers = { ...asked.hidden, continue: 'yes' }
    expect(await linnet.visit(link, { answers })).toMatchObject({
      status: 303,
      location: `${led}c`,
    })
  })

  it('is skipped if it asks for more than a button', async () => {
    const inputs = [{ name: 'word', label: 'Word', type: 'text' }] as const
    linnet = await boot(plugin({ target: () => () => ask('Word', inputs) }))
    expect((await linnet.visit(await linnet.create())).location).toBe(led)
    expect(linnet.log.join()).toContain('must be empty, because a target asks with a button alone')
  })

  it('never sends on the answers that a guard asked for', async () => {
    const asking = plugin(
      { guard: () => visit => (visit.answers.word ? undefined : ask('Word', [])) },
      'b.asking',
    )
    linnet = await boot([asking, plugin({ target: () => route({ url: led, status: 308 }) })])
    const link = await linnet.create()
    const { status, location } = await linnet.visit(link, { answers: { word: 'x' } })
    expect([status, location]).toEqual([303, led])
  })

  it('shows a page in place of the redirect, behind the guards, and the visit counts', async () => {
    const shut = plugin(
      {
        guard: () => visit => (visit.query.has('shut') ? refuse('shut', 'Shut.', 403) : undefined),
      },
      'b.shut',
    )
    const others: string[] = []
    const next: Target = (_, url) => {
      others.push(url)
      return url
    }
    linnet = await boot([
      'analytics.visitsTracking',
      'link.linkPreview',
      shut,
      plugin({ target: () => route(welcome) }),
      plugin({ target: () => next }, 'c.next'),
    ])
    const link = await linnet.create()
    expect((await linnet.visit(link, { query: '?shut' })).status).toBe(403)
    const seen = await linnet.visit(link)
    expect([seen.status, seen.location]).toEqual([200, undefined])
    expect(seen.text).toContain('<h1>Welcome</h1>')
    expect(await totalOf(link.id)).toBe(1)
    const head = await linnet.visit(link, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await linnet.visit(`${link.shortCode}+`)).text).toContain('Where this link leads')
    expect(await totalOf(link.id)).toBe(1)
    expect(others).toEqual([])
  })
})

it('a view and an answer to an unknown code may be a page, a refusal or a redirect', async () => {
  const away = redirect('https://example.org/', 307)
  const outcomes = { page: welcome, no: refuse('no', 'No.', 410), away }
  const outcomeOf = (name: string | null) => outcomes[name as keyof typeof outcomes] ?? welcome
  linnet = await boot(
    plugin({
      views: { '~': visit => outcomeOf(visit.query.get('as')) },
      unstable: { unknown: ({ path }) => outcomeOf(path) },
    }),
  )
  const { shortCode } = await linnet.create()
  for (const [name, status] of [
    ['page', 200],
    ['no', 410],
    ['away', 307],
  ] as const) {
    expect((await linnet.visit(`${shortCode}~`, { query: `?as=${name}` })).status).toBe(status)
    expect((await linnet.visit(name)).status).toBe(status)
  }
})
