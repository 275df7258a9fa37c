import { describe, expect, it } from 'vitest'
import type { Source } from '../../../../../plugins/organization/imports/source.ts'
import { bitly } from '../../../../../plugins/organization/imports/sources/bitly.ts'
import { chhoto } from '../../../../../plugins/organization/imports/sources/chhoto.ts'
import { dub } from '../../../../../plugins/organization/imports/sources/dub.ts'
import { kutt } from '../../../../../plugins/organization/imports/sources/kutt.ts'
import { rebrandly } from '../../../../../plugins/organization/imports/sources/rebrandly.ts'
import { shlink } from '../../../../../plugins/organization/imports/sources/shlink.ts'
import { shortIo } from '../../../../../plugins/organization/imports/sources/short-io.ts'
import { sink } from '../../../../../plugins/organization/imports/sources/sink.ts'
import { yourls } from '../../../../../plugins/organization/imports/sources/yourls.ts'
import { type Answer, fetch, serve } from '../api-server.ts'
import { readAll } from '../conformance.ts'
import { ofKind } from '../from-text.ts'

const to = 'https://example.com/'

/** A service whose API lists one link. */
interface Service {
  readonly source: Source
  /** The link as it has to be, and as little of it as can be. */
  readonly link: Readonly<Record<string, unknown>>
  /** Its answers by path, when it has this link. */
  answers(link: unknown): Readonly<Record<string, unknown>>
  /** Members without which the link comes, and the report says so. */
  readonly optional: readonly string[]
  /** Members without which it would lead people on whom it should not: it does not come. */
  readonly guarding: readonly string[]
  /** Dates of when something was. */
  readonly dates: readonly string[]
}

const services: readonly Service[] = [
  {
    source: bitly,
    link: { id: 'go.example.com/a', long_url: to },
    answers: link => ({
      '/groups': { groups: [{ guid: 'g' }] },
      '/groups/g/bitlinks': { links: [link], pagination: {} },
    }),
    optional: ['title', 'archived', 'tags', 'custom_bitlinks'],
    guarding: [],
    dates: ['created_at'],
  },
  {
    source: chhoto,
    link: { shortlink: 'a', longlink: to },
    answers: link => ({ '/api/all': [link] }),
    optional: ['notes', 'hits'],
    guarding: ['expiry_time'],
    dates: [],
  },
  {
    source: dub,
    link: { id: '1', domain: 'go.example.com', key: 'a', url: to },
    answers: link => ({ '/links': [link], '/domains': [], '/tags': [] }),
    optional: ['title', 'comments', 'clicks', 'geo', 'ios', 'utm_source', 'testVariants'],
    guarding: ['password', 'expiresAt', 'disabledAt'],
    dates: ['createdAt', 'updatedAt', 'lastClicked'],
  },
  {
    source: kutt,
    link: { address: 'a', target: to, id: '1', banned: false, password: false },
    answers: link => ({
      '/api/v2/users': { email: 'a@example.org', domains: [] },
      '/api/v2/links': { data: [link] },
    }),
    optional: ['description', 'visit_count'],
    guarding: ['expire_in'],
    dates: ['created_at', 'updated_at'],
  },
  {
    source: rebrandly,
    link: { id: '1', slashtag: 'a', destination: to, domain: { fullName: 'go.example.com' } },
    answers: link => ({ '/links': [link] }),
    optional: ['title', 'description', 'clicks', 'tags', 'forwardParameters'],
    guarding: [],
    dates: ['createdAt', 'updatedAt', 'lastClickAt'],
  },
  {
    source: shlink,
    link: { shortCode: 'a', longUrl: to, hasRedirectRules: false },
    answers: link => ({
      '/rest/v3/domains': { domains: { data: [] } },
      '/rest/v3/short-urls': { shortUrls: { data: [link], pagination: { pagesCount: 1 } } },
    }),
    optional: ['title', 'tags', 'crawlable', 'forwardQuery', 'visitsSummary', 'deviceLongUrls'],
    guarding: ['meta'],
    dates: ['dateCreated'],
  },
  {
    source: shortIo,
    link: { id: '1', path: 'a', originalURL: to },
    answers: link => ({
      '/api/domains': [{ id: 1, hostname: 'go.example.com' }],
      '/api/links': { links: [link] },
      '/links/expand': {},
      '/link_country/1': [],
    }),
    optional: ['title', 'tags', 'androidURL', 'splitURL', 'redirectType'],
    guarding: ['hasPassword', 'expiresAt', 'clicksLimit'],
    dates: ['createdAt'],
  },
  {
    source: sink,
    link: { id: '1', slug: 'a', url: to },
    answers: link => ({ '/api/link/export': { links: [link], list_complete: true } }),
    optional: ['comment', 'title', 'apple', 'geo', 'tags', 'createdAt'],
    guarding: ['password', 'expiration'],
    dates: [],
  },
  {
    source: yourls,
    link: { shorturl: 'https://y.test/a', url: to },
    answers: link => ({ '/yourls-api.php': { links: { link_1: link } } }),
    optional: ['title', 'clicks'],
    guarding: [],
    dates: ['timestamp'],
  },
]

async function read({ source, link, answers }: Service, more: Readonly<Record<string, unknown>>) {
  const all = answers({ ...link, ...more })
  let times = 0
  const { base } = await serve(({ path }): Answer => {
    times += 1
    // Lists that have no end otherwise have one.
    const isAgain = times > 1 && ['/links', '/api/v2/links'].includes(path)
    if (!(path in all)) return { status: 404, json: {} }
    return { json: isAgain && Array.isArray(all[path]) && times > 3 ? [] : all[path] }
  })
  const settings = {
    ...{ api: base, url: base, server: base, key: 'abc', signature: 'abc' },
    visits: false,
  }
  return readAll(source, { settings, fetch })
}

describe.each(services)('an answer of $source.name', service => {
  const wrong = [{ neither: 'text nor number' }]

  it('is read where it is as it has to be', async () => {
    const [link, ...others] = ofKind(await read(service, {}), 'link')
    expect([link?.fields.originalUrl, link?.changes, others]).toEqual([to, undefined, []])
  })

  it('is read with half a letter in its names, too', async () => {
    const names = ['id', 'shortCode', 'slug', 'key', 'path', 'address'].filter(
      it => it in service.link,
    )
    const items = await read(service, Object.fromEntries(names.map(name => [name, 'a\ud800'])))
    expect(ofKind(items, 'link')).toHaveLength(1)
  })

  it.each(service.optional)(
    'with something else as its %s comes without, and says so',
    async name => {
      const [link] = ofKind(await read(service, { [name]: wrong }), 'link')
      expect(link?.changes).toContain(
        `Its ${name} does not come along: it is not what the API should have there.`,
      )
    },
  )

  if (service.guarding.length > 0)
    it.each(service.guarding)('with something else as its %s does not come', async name => {
      const items = await read(service, { [name]: wrong })
      expect(ofKind(items, 'link')).toEqual([])
      expect(ofKind(items, 'refused')).toMatchObject([
        { reason: expect.stringMatching(/is not what the API should have there\.$/) },
      ])
    })

  if (service.dates.length > 0)
    it.each(service.dates)('with no date as its %s comes without, and says so', async name => {
      const [link] = ofKind(await read(service, { [name]: '0000-00-00 00:00:00' }), 'link')
      expect(link?.changes).toEqual([
        'The date “0000-00-00 00:00:00” does not come along: it is none.',
      ])
    })
})
