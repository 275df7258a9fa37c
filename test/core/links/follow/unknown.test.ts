import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Context,
  definePlugin,
  follow,
  type Plugin,
  redirect,
  refuse,
  text,
  type UnknownVisit,
} from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

type Unknown = NonNullable<NonNullable<Plugin['unstable']>['unknown']>

let linnet: Harness
afterEach(() => linnet.stop())

const answering = (feature: Plugin['feature'], unknown: Unknown): Plugin =>
  definePlugin({ feature, about: 'Answers where there is no link.', unstable: { unknown } })

/** What plugins were asked about. */
let asked: UnknownVisit[]
beforeEach(() => {
  asked = []
})

const lowerCase: Unknown = visit => {
  asked.push(visit)
  return follow(visit.path.toLowerCase())
}

/** Has a host of the account, and answers where its owner says. */
const hosting = (notFoundUrl: string | null, rootUrl: string | null = null) =>
  definePlugin({
    feature: 'a.hosting',
    about: 'Has a host.',
    fields: { domain: text({ label: 'Domain', when: 'create', stored: false }) },
    prepare: ({ fields: { domain } }) => (domain ? { domain } : undefined),
    unstable: {
      hosts: (_: Context) => [{ name: 'a.example', accountId: 1, rootUrl, notFoundUrl }],
    },
  })
const onHost = (path: string) => linnet.visit(path, { headers: { host: 'a.example' } })

describe('a plugin that answers unknown codes', () => {
  it('is not asked about a code that exists, however it is followed', async () => {
    linnet = await boot(['link.customShortCode', answering('b.lower', lowerCase)])
    const link = await linnet.create()
    expect((await linnet.visit(link)).status).toBe(302)
    expect((await linnet.visit(link)).status).toBe(302)
    expect((await linnet.visit(link, { answers: { a: 'b' } })).status).toBe(405)
    expect(asked).toEqual([])
  })

  it('is told of the request, without a link', async () => {
    linnet = await boot([answering('b.lower', lowerCase)])
    const headers = { referer: 'https://example.org/', 'accept-language': 'de' }
    await linnet.visit('Spring/a%20b', { query: '?q=1', headers, ip: '203.0.113.9' })
    const [visit] = asked
    expect(visit).toMatchObject({ host: '', accountId: undefined, path: 'Spring/a%20b' })
    expect(visit).toMatchObject({ visitor: '203.0.113.9', language: 'de' })
    expect(visit?.referer).toBe('https://example.org/')
    expect(visit?.query.get('q')).toBe('1')
    expect(visit?.agent.bot).toBe(false)
    expect(visit?.place).toEqual({ country: undefined, city: undefined })
    for (const missing of ['link', 'ip']) expect(visit).not.toHaveProperty(missing)
  })

  it('leads to the link that it names, which counts the visit', async () => {
    linnet = await boot([
      'link.customShortCode',
      'analytics.visitsTracking',
      answering('b.lower', lowerCase),
    ])
    const link = await linnet.create({ shortCode: 'spring' })
    expect((await linnet.visit('SPRING')).location).toBe('https://example.com/')
    expect((await linnet.visit('Spring/', { method: 'HEAD' })).status).toBe(302)
    await linnet.app.recorder.catchUp()
    const { body } = await linnet.api('GET', `/links/${link.id}`)
    expect(body.data.visits.total).toBe(1)
  })

  it('leads past no guard: the password is asked for, and the form is answered', async () => {
    linnet = await boot([
      'link.customShortCode',
      'link.passwordProtection',
      answering('b.lower', lowerCase),
    ])
    await linnet.create({ shortCode: 'spring', password: 'open sesame' })
    const page = await linnet.visit('SPRING')
    expect(page.status).toBe(403)
    const answers = { ...page.hidden, password: 'open sesame', continue: 'yes' }
    const { status, location } = await linnet.visit('SPRING', { answers })
    expect({ status, location }).toEqual({ status: 303, location: 'https://example.com/' })
  })

  it('may name the page about a link', async () => {
    linnet = await boot([
      'link.customShortCode',
      'link.linkPreview',
      answering('b.lower', lowerCase),
    ])
    await linnet.create({ shortCode: 'spring' })
    expect((await linnet.visit('SPRING+')).text).toContain('https://example.com/')
  })

  it('redirects, or refuses with a page', async () => {
    linnet = await boot([
      answering('b.away', ({ path }) =>
        path === 'a' ? redirect('https://example.org/') : undefined,
      ),
      answering('c.gone', ({ path }) =>
        path === 'b' ? refuse('gone', { en: 'It ended.', de: 'Vorbei.' }, 410) : undefined,
      ),
    ])
    expect(await linnet.visit('a')).toMatchObject({ status: 302, location: 'https://example.org/' })
    const gone = await linnet.visit('b', { headers: { 'accept-language': 'de' } })
    expect(gone.status).toBe(410)
    expect(gone.text).toContain('Vorbei.')
    expect((await linnet.visit('c')).status).toBe(404)
  })

  it('is passed over if it names no link, and asked at most once', async () => {
    linnet = await boot([
      'link.customShortCode',
      answering('b.lower', lowerCase),
      answering('c.itself', ({ path }) => follow(path)),
      answering('d.home', visit => {
        asked.push(visit)
        return visit.path === 'Autumn' ? follow('spring') : undefined
      }),
    ])
    await linnet.create({ shortCode: 'spring' })
    expect((await linnet.visit('Autumn')).location).toBe('https://example.com/')
    expect((await linnet.visit('Winter')).status).toBe(404)
    expect(asked.map(({ path }) => path)).toEqual(['Autumn', 'Autumn', 'Winter', 'Winter'])
  })

  it('may say what to answer if there is no link either, before others are asked', async () => {
    linnet = await boot([
      'link.customShortCode',
      answering('b.lower', ({ path }) =>
        follow(path.toLowerCase(), refuse('gone', 'It ended.', 410)),
      ),
      answering('c.lower', lowerCase),
    ])
    await linnet.create({ shortCode: 'spring' })
    expect((await linnet.visit('SPRING')).status).toBe(302)
    expect((await linnet.visit('Autumn')).status).toBe(410)
    expect(asked).toEqual([])
  })

  it('that fails leaves the code to the next one, and is named', async () => {
    linnet = await boot([
      answering('b.broken', () => {
        throw new Error('boom')
      }),
      answering('c.away', () => redirect('https://example.org/')),
    ])
    expect((await linnet.visit('nowhere')).location).toBe('https://example.org/')
    expect(linnet.log.join()).toContain('b.broken unknown failed: boom')
  })

  it('is not asked about other methods than those of a link', async () => {
    linnet = await boot([answering('b.away', () => redirect('https://example.org/'))])
    expect((await linnet.visit('nowhere', { method: 'PUT' as 'GET' })).status).toBe(404)
    expect((await linnet.visit('nowhere', { method: 'HEAD' })).status).toBe(302)
  })
})

describe('on the host of an account', () => {
  it('only links of that host are found', async () => {
    linnet = await boot(['link.customShortCode', hosting(null), answering('b.lower', lowerCase)])
    await linnet.create({ shortCode: 'spring' })
    expect((await onHost('SPRING')).status).toBe(404)
    await linnet.create({ shortCode: 'summer', domain: 'a.example' })
    expect((await onHost('SUMMER')).status).toBe(302)
    expect(asked[0]).toMatchObject({ host: 'a.example', accountId: 1, path: 'SPRING' })
  })

  it('a link that a plugin finds comes before the address of its owner, and that before any other answer', async () => {
    const elsewhere = answering('c.away', () => redirect('https://example.org/plugin'))
    const plugins = ['link.customShortCode', answering('b.lower', lowerCase), elsewhere] as const
    linnet = await boot([...plugins, hosting('https://example.org/owner')])
    await linnet.create({ shortCode: 'summer', domain: 'a.example' })
    expect((await onHost('SUMMER')).location).toBe('https://example.com/')
    expect((await onHost('nowhere')).location).toBe('https://example.org/owner')
    expect((await linnet.visit('nowhere')).location).toBe('https://example.org/plugin')
  })

  it('plugins answer for / where its owner does not say where it leads', async () => {
    const front = answering('b.front', ({ path }) =>
      path === '' ? redirect('https://example.org/plugin') : undefined,
    )
    linnet = await boot([front, hosting(null)])
    expect((await onHost('?q=1')).location).toBe('https://example.org/plugin')
    await linnet.stop()
    linnet = await boot([front, hosting(null, 'https://example.org/owner')])
    expect((await onHost('?q=1')).location).toBe('https://example.org/owner')
  })
})
