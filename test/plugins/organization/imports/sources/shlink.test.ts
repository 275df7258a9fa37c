import { describe, expect, it } from 'vitest'
import { shlink } from '../../../../../plugins/organization/imports/sources/shlink.ts'
import { type Answer, fetch, type Got, serve } from '../api-server.ts'
import { conforms, readAll } from '../conformance.ts'
import { ofKind } from '../from-text.ts'
import { writtenFile } from '../written-file.ts'

const pathOf = (name: string) => new URL(`./shlink/${name}`, import.meta.url).pathname
const is = (type: string, value: string | readonly string[]) => ({ type, operator: 'is', value })

describe.each(['shlink.sqlite', 'shlink-mysql.sql', 'shlink-postgres.sql'])('with %s', name => {
  const file = pathOf(name)
  conforms(shlink, { file })

  it('yields domains and tags, and what of them has no place here', async () => {
    const items = await readAll(shlink, { file })
    const rules = { grammar: 'wide', codes: 'exact', hyphens: 'strict' }
    expect(items.slice(0, 6)).toEqual([
      { kind: 'host', row: 'short_urls', host: null, rules },
      {
        ...{ kind: 'host', row: 'domains id 1', host: 'go.shlink.test' },
        ...{ rootUrl: 'https://example.com/home', notFoundUrl: 'https://example.com/lost' },
        rules,
      },
      {
        ...{ kind: 'note', row: 'domains id 1' },
        sentence:
          'Visitors are not sent to https://example.com/404: there is one address for all that is not found.',
      },
      { kind: 'host', row: 'domains id 2', host: 'other.shlink.test' },
      { kind: 'tag', row: 'tags id 1', name: 'games' },
      { kind: 'tag', row: 'tags id 2', name: 'Été & tech' },
    ])
  })

  it('yields links with their rules, dates and limits', async () => {
    expect(ofKind(await readAll(shlink, { file }), 'link')).toEqual([
      {
        ...{ kind: 'link', row: 'short_urls id 1', id: '/Spring', host: null, code: 'Spring' },
        fields: {
          originalUrl: 'https://example.com/?utm_source=news',
          title: `It's "spring" \\ 50 % 🌷`,
          ...{ crawlable: true, forwardQuery: true },
          dynamicRouting: {
            rules: [
              {
                ...{ name: '1: device ios, query-param utm_source=x' },
                originalUrl: 'https://example.com/ios',
                conditions: [is('os', 'iOS'), { ...is('query_param', 'x'), key: 'utm_source' }],
              },
              {
                ...{ name: '2: language en-GB', originalUrl: 'https://example.com/en' },
                conditions: [is('language', 'en-GB')],
              },
            ],
          },
        },
        tags: ['games', 'Été & tech'],
        createdAt: new Date('2024-05-01T10:20:30Z'),
        visits: 7,
        changes: [
          'The rule that leads to https://example.com/inside is left out: nothing here is as its condition ip-address 10.*.1.2.',
        ],
      },
      {
        ...{ kind: 'link', row: 'short_urls id 2', id: 'go.shlink.test/guide/start' },
        ...{ host: 'go.shlink.test', code: 'guide/start' },
        fields: {
          originalUrl: 'https://example.org/café',
          startsAt: '2024-06-01T00:00:00.000Z',
          expiresAt: '2030-01-01T00:00:00.000Z',
          maxVisits: 100,
        },
        tags: ['games'],
        createdAt: new Date('2024-05-02T10:20:30Z'),
        visits: 0,
      },
      {
        ...{ kind: 'link', row: 'short_urls id 3', id: '/été-🍪', host: null, code: 'été-🍪' },
        fields: { originalUrl: 'https://example.net/', forwardQuery: true },
        createdAt: new Date('2024-05-03T10:20:30Z'),
        visits: 0,
      },
    ])
  })

  it('yields visits by hour, as they would be counted here, robots apart', async () => {
    expect(ofKind(await readAll(shlink, { file }), 'counts')).toEqual([
      {
        ...{ kind: 'counts', row: 'short_urls id 1', link: '/Spring', part: '2024-05' },
        counts: [
          {
            at: new Date('2024-05-03T10:00:00Z'),
            visits: 2,
            by: {
              utmMedium: { mail: 1 },
              utmSource: { news: 2 },
              visitsByBrowser: { Chrome: 1, Safari: 1 },
              visitsByCity: { 'US|California|Cupertino': 1 },
              visitsByCountry: { US: 1 },
              visitsByDeviceType: { desktop: 1, mobile: 1 },
              visitsByOperatingSystem: { Windows: 1, iOS: 1 },
              visitsByReferer: { 't.co': 1 },
            },
          },
          { at: new Date('2024-05-03T11:00:00Z'), visits: 0, by: { bots: 1 } },
        ],
      },
    ])
  })

  it('yields keys, unless they may do less than any key here', async () => {
    const items = await readAll(shlink, { file })
    expect(items.slice(-4)).toEqual([
      {
        ...{ kind: 'key', row: 'api_keys id 1', name: 'Shlink, Backup script' },
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      },
      {
        ...{ kind: 'key', row: 'api_keys id 2', name: 'Shlink, App' },
        sha256: 'cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34',
        expiresAt: new Date('2027-01-01T00:00:00Z'),
      },
      { kind: 'note', row: 'api_keys id 3', sentence: 'The API key “Old” is disabled there.' },
      {
        ...{ kind: 'note', row: 'api_keys id 4' },
        sentence:
          'The API key “Guest” is only for some of the links. No key here is, so make another one for whoever has it.',
      },
    ])
  })
})

it('reads dates in the time zone that people say', async () => {
  const settings = { timeZone: 'Europe/Berlin' }
  const [link] = ofKind(await readAll(shlink, { file: pathOf('shlink.sqlite'), settings }), 'link')
  expect(link?.createdAt).toEqual(new Date('2024-05-01T08:20:30Z'))
})

it('reads keys that an older version kept as they are, and its URLs for devices', async () => {
  const dump = `
    INSERT INTO short_urls (id, original_url, short_code, date_created) VALUES (1, 'https://example.com/', 'a', '2020-01-01 00:00:00');
    INSERT INTO device_long_urls (id, device_type, long_url, short_url_id) VALUES (1, 'android', 'https://example.com/app', 1);
    INSERT INTO api_keys (id, \`key\`, enabled, expiration_date) VALUES (1, 'abc', 1, NULL);`
  const items = await readAll(shlink, { file: writtenFile(dump) })
  expect(ofKind(items, 'link')[0]?.fields).toEqual({
    ...{ originalUrl: 'https://example.com/', forwardQuery: true },
    dynamicRouting: {
      rules: [
        {
          ...{ name: '1: device android', originalUrl: 'https://example.com/app' },
          conditions: [is('os', 'Android')],
        },
      ],
    },
  })
  expect(ofKind(items, 'key')).toEqual([
    {
      ...{ kind: 'key', row: 'api_keys id 1', name: 'Shlink, key 1' },
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    },
  ])
})

it('says of dates that nobody can read, closes links that would lead on for ever, and brings no key without its end', async () => {
  const columns = 'id, original_url, short_code, date_created, valid_since, valid_until'
  const dump = `
    INSERT INTO short_urls (${columns}) VALUES (1, 'https://example.com/', 'a', '0000-00-00 00:00:00', NULL, '');
    INSERT INTO short_urls (${columns}) VALUES (2, 'https://example.com/', 'b', '2020-01-01', '0000-00-00 00:00:00', NULL);
    INSERT INTO short_urls (${columns}) VALUES (3, 'https://example.com/', 'c', '2020-01-01', NULL, '2030-13-01');
    INSERT INTO visits (short_url_id, date, referer, user_agent) VALUES (1, '0000-00-00 00:00:00', '', 'curl');
    INSERT INTO visits (short_url_id, date, referer, user_agent) VALUES (1, '2020-02-01', '', 'Mozilla/5.0 Firefox/120.0');
    INSERT INTO visits (short_url_id, date, referer, user_agent) VALUES (1, '2199-02-01', '', 'Mozilla/5.0 Firefox/120.0');
    INSERT INTO api_keys (id, \`key\`, enabled, expiration_date) VALUES (1, 'abc', 1, 'tomorrow');`
  const items = await readAll(shlink, {
    file: writtenFile(dump.replaceAll("'curl'", "'Firefox/9'")),
  })
  expect(
    ofKind(items, 'link').map(({ isClosed, visits, changes }) => [isClosed, visits, changes]),
  ).toEqual([
    [
      ...[undefined, 3],
      [
        'The date “0000-00-00 00:00:00” does not come along: it is none.',
        '2 of its visits have a date that cannot be, and come without one.',
      ],
    ],
    [true, 0, ['It has ended here, because its beginning, “0000-00-00 00:00:00”, is no date.']],
    [true, 0, ['It has ended here, because its end, “2030-13-01”, is no date.']],
  ])
  expect(ofKind(items, 'key')).toEqual([])
  expect(ofKind(items, 'note')).toEqual([
    {
      ...{ kind: 'note', row: 'api_keys id 1' },
      sentence: 'The API key expires at “tomorrow”, which is no date.',
    },
  ])
})

it('reads the CSV file of its web client', async () => {
  const csv = `createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits
2024-05-01T10:20:30+02:00,,Spring,https://s.test/Spring,https://example.com/,Spring,games|tech,12
`
  const items = await readAll(shlink, { file: writtenFile(csv, 'links.csv') })
  expect(ofKind(items, 'link')).toMatchObject([
    {
      ...{ code: 'Spring', tags: ['games', 'tech'], visits: 12 },
      createdAt: new Date('2024-05-01T08:20:30Z'),
      fields: { originalUrl: 'https://example.com/', title: 'Spring' },
    },
  ])
})

it.each([
  ['is neither file nor server', {}, 'There is neither a file nor the address of Shlink'],
  [
    'is another database',
    { file: new URL('./yourls/yourls.sql', import.meta.url).pathname },
    'The file is no database of Shlink: it has no table short_urls with the columns of one. It has yourls_log',
  ],
])('says so if there %s', async (_, tried, says) => {
  await expect(readAll(shlink, tried)).rejects.toThrow(says)
})

describe('with some of its tables', () => {
  const read = (sql: string) =>
    readAll(shlink, {
      file: writtenFile(
        `CREATE TABLE short_urls (id int, original_url text, short_code text, date_created text, domain_id int);
        INSERT INTO short_urls VALUES (1,'https://example.com/1','one','2024-01-01 00:00:00',NULL),(2,'https://example.com/2','two','2024-01-01 00:00:00',5);
        CREATE TABLE short_url_redirect_rules (id int, priority int, long_url text, short_url_id int);
        INSERT INTO short_url_redirect_rules VALUES (1,1,'https://example.com/elsewhere',1);${sql}`,
      ),
    })

  it('brings no link on another host, and none with a rule for everybody', async () => {
    const items = await read('')
    const [link] = ofKind(items, 'link')
    expect(link).toMatchObject({
      code: 'one',
      changes: [
        'The rule that leads to https://example.com/elsewhere is left out: it has no conditions.',
      ],
    })
    expect(link?.fields).not.toHaveProperty('dynamicRouting')
    expect(ofKind(items, 'refused')).toEqual([
      {
        ...{ kind: 'refused', row: 'short_urls id 2' },
        reason:
          'Its domain has the id “5”, and the file has none of that id. Make it with all tables.',
      },
    ])
  })

  it('leaves a rule out of which a condition is missing, and says that of tags', async () => {
    const [link] = ofKind(
      await read(`CREATE TABLE redirect_conditions_in_short_url_redirect_rules (redirect_condition_id int, short_url_redirect_rule_id int);
        INSERT INTO redirect_conditions_in_short_url_redirect_rules VALUES (7,1);
        CREATE TABLE short_urls_in_tags (short_url_id int, tag_id int); INSERT INTO short_urls_in_tags VALUES (1,3);`),
      'link',
    )
    expect(link?.fields).not.toHaveProperty('dynamicRouting')
    expect(link?.changes).toEqual([
      'The file has not all of its tags.',
      'The rule that leads to https://example.com/elsewhere is left out: nothing here is as its condition that is not in the file.',
    ])
  })

  it('refuses a link whose rules or tags multiply', async () => {
    const long = 'ж'.repeat(30_000)
    const many = (count: number, row: string) => Array.from({ length: count }, () => row).join()
    for (const sql of [
      `CREATE TABLE tags (id int, name text); INSERT INTO tags VALUES (1,'${long}');
        CREATE TABLE short_urls_in_tags (short_url_id int, tag_id int); INSERT INTO short_urls_in_tags VALUES ${many(900, '(1,1)')};`,
      `CREATE TABLE redirect_conditions (id int, type text, match_key text, match_value text); INSERT INTO redirect_conditions VALUES (1,'device','${long}','ios');
        CREATE TABLE redirect_conditions_in_short_url_redirect_rules (redirect_condition_id int, short_url_redirect_rule_id int);
        INSERT INTO redirect_conditions_in_short_url_redirect_rules VALUES ${many(900, '(1,1)')};`,
    ]) {
      const items = await read(sql)
      expect(ofKind(items, 'link')).toEqual([])
      expect(ofKind(items, 'refused')[0]).toEqual({
        ...{ kind: 'refused', row: 'short_urls id 1' },
        reason: 'It is larger than anything that can come.',
      })
    }
  })
})

describe('with its API', () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0'
  const visit = (date: string, potentialBot = false) => ({
    ...{ referer: 'https://t.co/', date, userAgent: agent, potentialBot },
    visitLocation: { cityName: '', countryCode: 'DE', countryName: 'Germany', regionName: '' },
    ...{ visitedUrl: 'https://s.test/a', redirectUrl: 'https://example.com/' },
  })
  const link = (shortCode: string, more: object = {}) => ({
    ...{ shortCode, shortUrl: `https://s.test/${shortCode}`, longUrl: 'https://example.com/' },
    ...{ dateCreated: '2024-05-01T10:20:30+02:00', tags: [], domain: null, title: null },
    visitsSummary: { total: 0, nonBots: 0, bots: 0 },
    meta: { validSince: null, validUntil: null, maxVisits: null },
    ...{ crawlable: false, forwardQuery: true, hasRedirectRules: false },
    ...more,
  })
  const visits = [
    ...Array.from({ length: 400 }, (_, minute) =>
      visit(
        new Date(Date.UTC(2024, 4, 3, 12, 400 - minute)).toISOString().replace('.000Z', '+00:00'),
      ),
    ),
    visit('2024-05-03T04:05:03+02:00', true),
  ]
  const links = [
    link('old', {
      hasRedirectRules: undefined,
      visitsSummary: undefined,
      visitsCount: 3,
      deviceLongUrls: { ios: 'https://example.com/ios', android: null, desktop: null },
    }),
    link('a/b', { tags: ['x'], domain: 'go.s.test', hasRedirectRules: true }),
    ...Array.from({ length: 51 }, (_, index) => link(`n${index}`)),
    link('visited', { visitsSummary: { total: 402, nonBots: 401, bots: 1 } }),
  ]
  const page = (member: string, all: readonly unknown[], { query }: Got) => {
    const [number, size] = [Number(query.page ?? 1), Number(query.itemsPerPage)]
    const pagination = { currentPage: number, pagesCount: Math.ceil(all.length / size) }
    return {
      json: { [member]: { data: all.slice((number - 1) * size, number * size), pagination } },
    }
  }
  const answerTo = (got: Got): Answer => {
    if (got.headers['x-api-key'] !== 'abc') return { status: 401, json: { status: 401 } }
    const redirects = {
      ...{ baseUrlRedirect: null, regular404Redirect: null },
      invalidShortUrlRedirect: 'https://example.com/?from={ORIGINAL_PATH}',
    }
    const domains = { data: [{ domain: 's.test', isDefault: true, redirects }] }
    if (got.path === '/rest/v3/domains') return { json: { domains } }
    if (got.path === '/rest/v3/short-urls') return page('shortUrls', links.toReversed(), got)
    if (got.path === '/rest/v3/short-urls/visited/visits') return page('visits', visits, got)
    if (got.path === '/rest/v3/short-urls/a/b/redirect-rules') {
      const conditions = [{ type: 'device', matchKey: null, matchValue: 'mobile' }]
      const redirectRules = [
        { longUrl: 'https://example.com/2', priority: 2, conditions: [] },
        { longUrl: 'https://example.com/1', priority: 1, conditions },
      ]
      return { json: { defaultLongUrl: 'https://example.com', redirectRules } }
    }
    return { status: 404, json: { status: 404 } }
  }
  const settings = (base: string) => ({ url: base, key: 'abc' })

  conforms(shlink, {
    settings: settings('https://s.test'),
    fetch: async (url, options) => {
      const { base, close } = await serve(answerTo)
      return fetch(url.replace('https://s.test', base), options).finally(close)
    },
  })

  it('yields domains, links, rules and visits, the oldest link first', async () => {
    const { base, got } = await serve(answerTo)
    const items = await readAll(shlink, { settings: settings(base), fetch })
    expect(items.slice(0, 2)).toEqual([
      { kind: 'host', row: 'domain s.test', host: null },
      {
        ...{ kind: 'note', row: 'domain s.test' },
        sentence:
          'Visitors are not sent to https://example.com/?from={ORIGINAL_PATH}, because it has words in braces that nothing here fills in.',
      },
    ])
    const found = ofKind(items, 'link')
    expect(found.map(({ code }) => code)).toEqual(links.map(({ shortCode }) => shortCode))
    const [old, routed] = found
    expect(old?.visits).toBe(3)
    expect(old?.fields.dynamicRouting).toMatchObject({ rules: [{ conditions: [is('os', 'iOS')] }] })
    expect(routed).toMatchObject({ id: 'go.s.test/a/b', host: 'go.s.test', tags: ['x'] })
    expect(routed?.fields.dynamicRouting).toEqual({
      rules: [
        {
          ...{ name: '1: device mobile', originalUrl: 'https://example.com/1' },
          conditions: [is('os', ['Android', 'iOS'])],
        },
      ],
    })
    expect(routed?.changes).toEqual([
      'The rule that leads to https://example.com/2 is left out: it has no conditions.',
    ])
    expect(found.at(-1)?.visits).toBe(401)
    const [counts] = ofKind(items, 'counts')
    expect(counts).toMatchObject({ link: '/visited', part: '2024-05' })
    const hours = counts?.counts ?? []
    expect(hours.reduce((sum, hour) => sum + hour.visits, 0)).toBe(400)
    expect(hours[0]).toEqual({ at: new Date('2024-05-03T02:00:00Z'), visits: 0, by: { bots: 1 } })
    expect(hours[2]).toEqual({
      at: new Date('2024-05-03T13:00:00Z'),
      visits: 60,
      by: {
        visitsByBrowser: { Firefox: 60 },
        visitsByCountry: { DE: 60 },
        visitsByDeviceType: { desktop: 60 },
        visitsByOperatingSystem: { Linux: 60 },
        visitsByReferer: { 't.co': 60 },
      },
    })
    const pages = got.filter(({ path }) => path === '/rest/v3/short-urls').map(it => it.query.page)
    expect(pages).toEqual(['1', '2', '1'])
    for (const { query, path } of got) {
      if (/visits$|short-urls$/.test(path)) expect(query.endDate).toBe('2026-11-27T12:00:00.000Z')
    }
  })

  it.each<[what: string, answer: Answer, says: string]>([
    ['the key is wrong', { status: 401, json: {} }, 'does not accept the key'],
    [
      'nothing is there',
      { status: 404, json: {} },
      'has no /short-urls. Is it the address of Shlink?',
    ],
    [
      'another server answers',
      { json: { hello: 1 } },
      '/domains does not answer as the API of Shlink does. Is its address right?',
    ],
  ])('says so if %s', async (_, answer, says) => {
    const { base } = await serve(() => answer)
    await expect(readAll(shlink, { settings: settings(base), fetch })).rejects.toThrow(says)
  })

  it('says what it cannot read of one link, and reads the others', async () => {
    const { base } = await serve(got =>
      got.path.endsWith('/short-urls')
        ? page('shortUrls', [link('a'), { shortCode: 'b' }], got)
        : { status: 404, json: {} },
    )
    const items = await readAll(shlink, { settings: settings(base), fetch })
    expect(items).toMatchObject([
      { kind: 'refused', row: '/b', reason: 'Its longUrl is not what the API should have there.' },
      { kind: 'link', code: 'a' },
    ])
  })
})
