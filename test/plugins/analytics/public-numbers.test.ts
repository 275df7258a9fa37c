import { PNG } from 'pngjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, publicId } from '../../../core/plugin.ts'
import publicNumbers from '../../../plugins/analytics/public-numbers.ts'
import utmTracking from '../../../plugins/analytics/utm-tracking.ts'
import visitsByReferer from '../../../plugins/analytics/visits-by-referer.ts'
import visitsByRoutingRule from '../../../plugins/analytics/visits-by-routing-rule.ts'
import visitsOverTime from '../../../plugins/analytics/visits-over-time.ts'
import visitsTracking from '../../../plugins/analytics/visits-tracking.ts'
import dynamicRouting from '../../../plugins/link/dynamic-routing.ts'
import campaigns from '../../../plugins/organization/campaigns.ts'
import tags from '../../../plugins/organization/tags.ts'
import { aPerson } from '../../api/people.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'

const plugins = [
  ...[dynamicRouting, tags, campaigns, visitsTracking, visitsOverTime],
  ...[visitsByRoutingRule, visitsByReferer, publicNumbers],
]

let linnet: Harness
let link: ShownLink
beforeEach(async () => {
  linnet = await boot(plugins, { at: '2026-11-20T12:00:00Z' })
  link = await linnet.create({ title: 'Secret plans' })
})
afterEach(() => linnet.stop())

async function publish(of: string, body: object = {}) {
  const { status, body: answer } = await linnet.api('POST', '/public-numbers', { of, ...body })
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.data
}

const open = ({ url }: { readonly url: string }, query = '') =>
  linnet.visit(`${new URL(url).pathname.slice(1)}${query}`)

const dynamicRules = {
  rules: [
    {
      name: 'Letter',
      originalUrl: 'https://example.com/letter',
      conditions: [{ type: 'query_param', operator: 'is', key: 'ref', value: 'letter' }],
    },
  ],
}

describe('a public page of numbers', () => {
  it('says beside the visits of the period how many came from elsewhere without a date', async () => {
    const brings = definePlugin({
      feature: 'a.brings',
      about: 'Brings visits.',
      jobs: {
        bring: {
          every: '0 0 1 1 *',
          run: async ({ links }) =>
            void (await links.addVisits(linnet.account.rowId, link.id, 'key', { undated: 1_200 })),
        },
      },
    })
    linnet = await linnet.restart([...plugins, brings])
    await linnet.visit(link)
    const page = await publish(link.id)
    expect((await open(page)).text).not.toContain('without a date')
    await linnet.run('a.brings.bring')
    expect((await open(page, '?interval=7d')).text).toContain(
      '<dd>1</dd><dd class="note">previously 0, and 1,200 without a date</dd>',
    )
    const german = await linnet.visit(new URL(page.url).pathname.slice(1), {
      headers: { 'accept-language': 'de' },
    })
    expect(german.text).toContain('dazu 1.200 ohne Datum')
  })

  it('shows everybody what was counted, and no name that its owner did not give', async () => {
    await linnet.visit(link, { headers: { referer: 'https://news.example.org/' } })
    await linnet.visit(link)
    const page = await publish(link.id)
    const { status, text, headers } = await open(page)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    for (const shown of ['<dd>2</dd>', 'news.example.org', 'Direct / unknown', '50%']) {
      expect(text).toContain(shown)
    }
    expect(text).toContain(String(link.shortUrl))
    for (const kept of ['Secret plans', 'Ada', String(link.originalUrl)]) {
      expect(text).not.toContain(kept)
    }
    const named = await linnet.api('PATCH', `/public-numbers/${page.id}`, { title: 'Spring <b>' })
    expect(named.body.data.title).toBe('Spring <b>')
    expect((await open(page)).text).toContain('<h1>Spring &#60;b&#62;</h1>')
  })

  it('names neither a tag nor a campaign, and no routing rule', async () => {
    const tag = (await linnet.api('POST', '/tags', { name: 'Confidential' })).body.data.id
    const routed = await linnet.create({ tag_ids: [tag], dynamicRouting: dynamicRules })
    await linnet.visit(routed, { query: '?ref=letter' })
    const { text } = await open(await publish(tag))
    expect(text).toContain('<dd>1</dd>')
    for (const kept of ['Confidential', 'Letter', 'Routing rule', routed.shortCode]) {
      expect(text).not.toContain(kept)
    }
  })

  it('speaks the language of the visitor, and English to who has none of ours', async () => {
    await linnet.visit(link, { headers: { referer: 'https://news.example.org/' } })
    await linnet.visit(link)
    const { url } = await publish(link.id)
    const readIn = async (language: string) =>
      (
        await linnet.visit(new URL(url).pathname.slice(1), {
          headers: { 'accept-language': language },
        })
      ).text
    const german = await readIn('fr;q=0.5, de-AT')
    for (const said of [
      '<html lang="de">',
      'zuvor 0',
      'Direkt / unbekannt',
      '30 Tage',
      '20.11.2026',
    ]) {
      expect(german).toContain(said)
    }
    expect(german).not.toMatch(/Visits|previously|Share|days of/)
    expect(await readIn('fr-CA')).toContain('Site d’origine')
    expect(await readIn('es')).toContain('lang="es"')
    for (const other of ['', 'ja', '"><script>', 'constructor']) {
      expect(await readIn(other)).toContain('<html lang="en">')
    }
  })

  it('has the brand of the instance', async () => {
    const page = await publish(link.id)
    expect((await open(page)).text).not.toContain('class="brand"')
    await linnet.api('PATCH', '/admin/brand', { name: 'Ada & Co', color: '#0b5394' })
    const { text } = await open(page)
    expect(text).toContain('<p class="brand">Ada &#38; Co</p>')
    expect(text).toContain('· Ada &#38; Co</title>')
    expect(text).toMatch(/:root\{--accent:#[\da-f]{6};--bar:#[\da-f]{6}22\}@media/)
    const png = PNG.sync.write(new PNG({ width: 2, height: 2 }))
    const logo = `data:image/png;base64,${png.toString('base64')}`
    expect((await linnet.api('PATCH', '/admin/brand', { logo })).status).toBe(200)
    expect((await open(page)).text).toContain(`<img src="${logo}" alt="Ada &#38; Co">`)
  })

  it('is of the last 30 days, or of another span', async () => {
    await linnet.visit(link)
    linnet.at('2026-12-10T12:00:00Z')
    const page = await publish(link.id)
    expect((await open(page)).text).toContain('<dd>1</dd>')
    expect((await open(page, '?interval=7d')).text).toContain('<dd>0</dd>')
    expect((await open(page, '?interval=7d')).text).toContain('aria-current="true">7 days')
    expect((await open(page, '?interval=forever')).text).toContain('<dd>1</dd>')
  })

  it('asks robots, browsers and other sites to keep away', async () => {
    const { headers, text } = await open(await publish(link.id))
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('private, max-age=60')
    expect(headers).not.toHaveProperty('set-cookie')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(text).not.toContain('<script')
  })

  it('opens while it is switched on, and never again once it is revoked', async () => {
    const page = await publish(link.id)
    const path = `/public-numbers/${page.id}`
    await linnet.api('PATCH', path, { open: false })
    expect((await open(page)).status).toBe(404)
    await linnet.api('PATCH', path, { open: true })
    expect((await open(page)).status).toBe(200)
    expect((await linnet.api('DELETE', path)).status).toBe(204)
    expect((await open(page)).status).toBe(404)
    const again = await publish(link.id)
    expect(again.url).not.toBe(page.url)
    expect((await open(page)).status).toBe(404)
  })

  it('ends with its link, with its plan and with its plugin', async () => {
    const page = await publish(link.id)
    const inPlan = (included: boolean) =>
      linnet.api('PATCH', '/admin/plans/unlimited', {
        extensions: { 'analytics.publicNumbers': included },
      })
    await inPlan(false)
    expect((await open(page)).status).toBe(404)
    await inPlan(true)
    expect((await open(page)).status).toBe(200)
    await linnet.api('DELETE', `/links/${link.id}`)
    expect((await open(page)).status).toBe(404)
    await linnet.settled()
    expect((await linnet.api('GET', '/public-numbers')).body.data).toEqual([])
    linnet = await linnet.restart(plugins.filter(plugin => plugin !== publicNumbers))
    expect((await open(page)).status).toBe(404)
  })

  it('ends with its link while it is switched off', async () => {
    const [page] = [await publish(link.id), await publish((await linnet.create()).id)]
    linnet = await linnet.restart(plugins.filter(plugin => plugin !== publicNumbers))
    expect((await linnet.api('DELETE', `/links/${link.id}`)).status).toBe(204)
    linnet = await linnet.restart(plugins)
    expect((await linnet.api('GET', '/public-numbers')).body).toMatchObject({
      data: [{ of: expect.not.stringMatching(page.of) }],
      meta: { total: 1 },
    })
    expect((await linnet.api('GET', `/public-numbers/${page.id}`)).status).toBe(404)
  })

  it.each([
    ['tag', '/tags'],
    ['campaign', '/campaigns'],
  ])('ends with its %s, and not while the plugin of that is off', async (_, kind) => {
    const of = (await linnet.api('POST', kind, { name: 'Spring' })).body.data.id
    const page = await publish(of)
    const path = `/public-numbers/${page.id}`
    const listed = async () => (await linnet.api('GET', '/public-numbers')).body

    linnet = await linnet.restart([visitsTracking, publicNumbers])
    expect((await open(page)).status).toBe(404)
    expect((await listed()).data).toEqual([page])
    linnet = await linnet.restart(plugins)
    expect((await open(page)).status).toBe(200)

    expect((await linnet.api('DELETE', `${kind}/${of}`)).status).toBe(204)
    expect((await open(page)).status).toBe(404)
    expect((await linnet.api('GET', path)).status).toBe(404)
    expect((await linnet.api('PATCH', path, { title: 'Gone' })).status).toBe(404)
    expect(await listed()).toMatchObject({ data: [], meta: { total: 0 } })
    expect((await linnet.api('GET', `/public-numbers?of=${of}`)).body.data).toEqual([])
  })

  it('is a page for people where it is not there, and a problem for programs', async () => {
    const asked = (accept: string) => linnet.visit('public-numbers/guess', { headers: { accept } })
    const browser = await asked('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([browser.status, browser.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    expect(browser.text).toContain('<!doctype html>')
    expect((await asked('*/*')).headers['content-type']).toBe('application/problem+json')
    expect((await asked('application/json')).headers['content-type']).toBe(
      'application/problem+json',
    )
  })

  it('shows no mark that turns the text after it around, nor other hidden characters', async () => {
    linnet = await linnet.restart([...plugins, utmTracking])
    const hidden = ['\u202e', '\u2066', '\u2028', '\u061c', '\u0085', '\u0000', '\u001b']
    const query = `?utm_source=${encodeURIComponent(`gpj${hidden.join('x')}exe`)}`
    await linnet.visit(link.shortCode, { query })
    const { text } = await open(await publish(link.id))
    for (const it of hidden) expect(text.includes(it), JSON.stringify(it)).toBe(false)
    expect(text).toContain('gpj\ufffdx')
    const { body } = await linnet.api('GET', `/links/${link.id}/analytics?dimensions=utmSource`)
    expect(JSON.stringify(body)).toContain('gpj\ufffdx')
  })

  it('is not there at any other address', async () => {
    await publish(link.id)
    expect((await linnet.visit('public-numbers/guess')).status).toBe(404)
    expect((await linnet.visit('public-numbers')).status).toBe(404)
  })
})

describe('public pages of an account', () => {
  it('are listed, the newest first, or that of one thing', async () => {
    const campaign = (await linnet.api('POST', '/campaigns', { name: 'Spring' })).body.data.id
    const first = await publish(link.id)
    linnet.at('2026-11-20T12:01:00Z')
    const second = await publish(campaign, { title: 'Spring' })
    expect((await linnet.api('GET', '/public-numbers')).body.data).toEqual([second, first])
    expect((await linnet.api('GET', `/public-numbers?of=${link.id}`)).body.data).toEqual([first])
    expect((await linnet.api('GET', `/public-numbers/${first.id}`)).body.data).toEqual(first)
  })

  it('are looked for behind none but those that are shown', async () => {
    const asked: string[] = []
    const tags = definePlugin({
      feature: 'organization.tags',
      label: 'Tags',
      about: 'Notes which tags are looked for.',
      groups: {
        '/tags': {
          summary: 'Every tag is there',
          links: (id, _caller, { db }) => {
            asked.push(id)
            return db.selectFrom('organization_tags_links').select('link_id')
          },
        },
      },
      migrations: {
        '001-tags': async ({ schema }) => {
          await schema
            .createTable('organization_tags_links')
            .addColumn('link_id', 'bigint', c => c.primaryKey())
            .execute()
        },
      },
    })
    const other = await boot([tags, visitsTracking, publicNumbers])
    const published = async (of: string) =>
      (await other.api('POST', '/public-numbers', { of })).body.data
    const [page] = [await published(publicId('tag', 1)), await published(publicId('tag', 2))]
    asked.length = 0
    const { body } = await other.api('GET', '/public-numbers?per_page=1')
    expect([body.data.length, body.meta.total, asked]).toEqual([1, 2, [body.data[0].of]])
    await other.api('GET', `/public-numbers/${page.id}`)
    expect(asked.slice(1)).toEqual([page.of])
    await other.stop()
  })

  it('are one for each thing', async () => {
    await publish(link.id)
    expect(await linnet.api('POST', '/public-numbers', { of: link.id })).toMatchObject({
      status: 409,
      body: { code: 'already_public' },
    })
  })

  it.each(['lnk_nothing', 'tag_', 'usr_1', '', '../links'])('are not of %j', async of => {
    expect(await linnet.api('POST', '/public-numbers', { of })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ field: 'of' }] },
    })
  })

  it('are nobody else’s, and of nobody else’s things', async () => {
    const page = await publish(link.id)
    const stranger = await (await aPerson(linnet)).session()
    const path = `/public-numbers/${page.id}`
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await linnet.api(method, path, undefined, stranger)).status).toBe(404)
    }
    expect((await linnet.api('PATCH', path, { open: false }, stranger)).status).toBe(404)
    expect((await linnet.api('GET', '/public-numbers', undefined, stranger)).body.data).toEqual([])
    const stolen = await linnet.api('POST', '/public-numbers', { of: link.id }, stranger)
    expect(stolen.status).toBe(422)
    expect((await open(page)).status).toBe(200)
  })
})
