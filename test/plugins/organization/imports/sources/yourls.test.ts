import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { yourls } from '../../../../../plugins/organization/imports/sources/yourls.ts'
import { fetch, serve } from '../api-server.ts'
import { conforms, readAll } from '../conformance.ts'
import { ofKind } from '../from-text.ts'
import { writtenFile } from '../written-file.ts'

const pathOf = (name: string) => new URL(`./yourls/${name}`, import.meta.url).pathname
const stats = readFileSync(pathOf('stats.json'), 'utf8')

const settings = { url: 'https://y.test', signature: 'abc' }

describe('with a dump of its database', () => {
  const file = pathOf('yourls.sql')
  conforms(yourls, { file })

  it('yields links that redirect with 301 if that was chosen', async () => {
    const items = await readAll(yourls, { file, settings: { keepsStatus: true } })
    const statuses = ofKind(items, 'link').map(({ fields }) => fields.redirectStatus)
    expect(new Set(statuses)).toEqual(new Set([301]))
  })

  it('yields links and visits as they would be counted here, robots apart', async () => {
    const items = await readAll(yourls, { file })
    const links = ofKind(items, 'link')
    const { createdAt, ...spring } = links.find(({ code }) => code === 'Spring') ?? {}
    expect(createdAt).toEqual(new Date('2026-11-27T05:26:19Z'))
    expect(spring).toEqual({
      ...{ kind: 'link', row: 'url Spring', id: 'Spring', host: null, code: 'Spring', visits: 3 },
      fields: {
        originalUrl: 'https://example.com/spring?a=1&b=2',
        title: `It's spring – "sale", 50 % \\ off 🌷`,
      },
      isClosed: true,
      changes: [
        'A plugin kept a password of it in a form of its own. It has ended here: set a password, and remove the end.',
      ],
    })
    expect(links.map(({ code, visits, isClosed }) => [code, visits, isClosed])).toEqual(
      expect.arrayContaining([
        ['spring', 1, undefined],
        ['mail', 0, undefined],
      ]),
    )
    expect(links.find(({ code }) => code === 'mail')?.fields).toEqual({
      originalUrl: 'mailto:ada@example.org',
    })
    expect(ofKind(items, 'counts').find(({ link }) => link === 'Spring')?.counts).toEqual([
      {
        at: new Date('2026-11-27T05:00:00Z'),
        visits: 3,
        by: {
          bots: 1,
          visitsByBrowser: { Chrome: 2, Firefox: 1 },
          visitsByDeviceType: { desktop: 3 },
          visitsByOperatingSystem: { Linux: 1, Windows: 2 },
          visitsByReferer: { 't.co': 2 },
        },
      },
    ])
  })

  it('reads dates in the time zone that people say', async () => {
    const [link] = ofKind(
      await readAll(yourls, { file, settings: { timeZone: 'Asia/Kolkata' } }),
      'link',
    )
    expect(link?.createdAt?.toISOString()).toMatch(/T23:5\d:\d\d\.000Z$/)
  })

  it('says that what plugins keep of ends does not come along', async () => {
    const dump = `${readFileSync(file)}`.replaceAll('matthew_pwprotection', 'expiry_list')
    const items = await readAll(yourls, { file: writtenFile(dump) })
    expect(ofKind(items, 'note')).toHaveLength(1)
  })

  it.each([
    ['a number of PHP', 'a:1:{i:12;s:2:"pw";}', '12'],
    ['letters that JSON escapes', String.raw`{"gr\\u00f6\\u00dfe":"pw"}`, 'größe'],
    ['a slash that JSON escapes', String.raw`{"a\\/b":"pw"}`, 'a/b'],
    ['as it is', '{"plain":"pw"}', 'plain'],
  ])('ends a link whose code is kept beside its password: %s', async (_, kept, code) => {
    const rows = [code, 'other']
      .map(it => `('${it}','https://example.com/','t','2024-01-01 00:00:00','',0)`)
      .join()
    const dump = `CREATE TABLE \`yourls_url\` (\`keyword\` text, \`url\` text, \`title\` text, \`timestamp\` text, \`ip\` text, \`clicks\` int);
      INSERT INTO \`yourls_url\` VALUES ${rows};
      CREATE TABLE \`yourls_options\` (\`option_id\` int, \`option_name\` text, \`option_value\` text);
      INSERT INTO \`yourls_options\` VALUES (1,'my_passwords','${kept}');`
    const links = ofKind(await readAll(yourls, { file: writtenFile(dump) }), 'link')
    expect(links.map(it => [it.code, it.isClosed === true])).toEqual([
      [code, true],
      ['other', false],
    ])
  })

  it('says that passwords may be missing where there are no options', async () => {
    const dump = `${readFileSync(file)}`.replaceAll('yourls_options', 'yourls_others')
    const notes = ofKind(await readAll(yourls, { file: writtenFile(dump) }), 'note')
    expect(notes.map(it => it.sentence)).toContainEqual(
      expect.stringMatching(/^The file has no table of options, in which plugins keep passwords/),
    )
  })

  it('refuses more passwords of links than it can keep, because their links would lead on without them', async () => {
    const dump = (...values: string[]) => {
      const rows = values.map(it => `(6,'my_passwords','${it}')`).join()
      return `${readFileSync(file)}\nINSERT INTO \`yourls_options\` VALUES ${rows};\n`
    }
    const locks = (chars: number) => `a:1:{s:4:"mail";s:3:"${'x'.repeat(chars)}";}`
    const read = (text: string) => readAll(yourls, { file: writtenFile(text) })
    const closed = ofKind(await read(dump(locks(30_000))), 'link').filter(it => it.isClosed)
    expect(closed.map(({ code }) => code)).toEqual(['Spring', 'mail'])
    for (const many of [[locks(40_000)], Array<string>(10).fill(locks(30_000))]) {
      await expect(read(dump(...many))).rejects.toThrow(
        /^The option my_passwords, in which a plugin keeps passwords of links, is too long to be read\./,
      )
    }
  })

  it.each(['-5', '1.5', '9'.repeat(23)])('says of the sum %s that it is none', async sum => {
    const dump = `CREATE TABLE yourls_url (keyword text, url text, title text, timestamp text, ip text, clicks int);
      INSERT INTO yourls_url VALUES ('a','https://example.com/',NULL,'2024-01-01','',${sum});`
    const [link] = ofKind(await readAll(yourls, { file: writtenFile(dump) }), 'link')
    expect([link?.visits, link?.changes]).toEqual([
      0,
      [`“${sum}” is no number of visits, and does not come along.`],
    ])
  })

  it('says of dates that are none and of sums that are too large what becomes of them', async () => {
    const table =
      'CREATE TABLE `yourls_url` (`keyword` varchar(100), `url` text, `title` text, `timestamp` timestamp, `ip` varchar(41), `clicks` int);'
    const row =
      "INSERT INTO `yourls_url` VALUES ('much','https://example.com/',NULL,'0000-00-00 00:00:00','',4294967295);"
    const dump = writtenFile(`${table}\n${row}\n`)
    const [link] = ofKind(await readAll(yourls, { file: dump }), 'link')
    expect(link).toMatchObject({ row: 'url much', visits: 1_000_000_000 })
    expect(link).not.toHaveProperty('createdAt')
    expect(link?.changes).toEqual([
      'The date “0000-00-00 00:00:00” does not come along: it is none.',
      'It had 4,294,967,295 visits there, of which 1,000,000,000 come along.',
    ])
  })
})

it('says what it needs', async () => {
  await expect(readAll(yourls, {})).rejects.toThrow(
    'There is neither a file nor the address of YOURLS with a signature.',
  )
})

describe('with the CSV file of its plugin', () => {
  it('yields links with the sums of their visits', async () => {
    const csv = 'source,target,hits\r\n/Spring/,https://example.com/,12\r\n'
    const [link] = ofKind(await readAll(yourls, { file: writtenFile(csv, 'links.csv') }), 'link')
    expect(link).toMatchObject({ code: 'Spring', host: null, visits: 12 })
    expect(link?.fields.originalUrl).toBe('https://example.com/')
  })
})

describe('with its API', () => {
  const answer = () => ({ text: stats })
  conforms(yourls, {
    settings,
    fetch: async (url, options) => {
      const { base, close } = await serve(answer)
      return fetch(url.replace('https://y.test', base), options).finally(close)
    },
  })

  it('yields links with the sums of their visits', async () => {
    const { base, got } = await serve(answer)
    const asked = { settings: { ...settings, url: `${base}/yourls-api.php` }, fetch }
    const links = ofKind(await readAll(yourls, asked), 'link')
    expect(links.map(({ code, visits }) => [code, visits])).toEqual([
      ...[
        ['2', 0],
        ['mail', 0],
        ['Spring', 4],
        ['spring', 1],
      ],
      ...[
        ['ozh', 0],
        ['yourls', 0],
        ['yourlsblog', 0],
      ],
    ])
    expect(got.map(({ path, query }) => [path, query])).toEqual([
      [
        '/yourls-api.php',
        {
          ...{ signature: 'abc', format: 'json', action: 'stats', filter: 'last' },
          limit: '10000',
          start: '0',
        },
      ],
    ])
  })

  it('brings a signature that nobody can guess, and says that a shorter one stays', async () => {
    const { base } = await serve(answer)
    const read = async (signature: string) =>
      readAll(yourls, { settings: { url: base, signature }, fetch })
    const long = 'd41d8cd98f00b204e9800998ecf8427e'
    const sha256 = hash('sha256', long)
    expect(ofKind(await read(long), 'key')).toEqual([
      { kind: 'key', row: 'signature', name: 'YOURLS, signature', sha256 },
    ])
    const items = await read('1002a612b4')
    expect(ofKind(items, 'key')).toEqual([])
    expect(ofKind(items, 'note')).toEqual([
      expect.objectContaining({ row: 'signature', sentence: expect.stringContaining('guessed') }),
    ])
  })

  it.each(['', '/s', '/s/'])(
    'takes all behind the address, here with the path "%s", as the code',
    async path => {
      const own = path.replace(/\/$/, '')
      const shown = ['b', 'a/b', 'gr%C3%B6%C3%9Fe', 's/x'].map((code, index) => [
        `link_${index}`,
        { shorturl: `https://y.test${own}/${code}`, url: 'https://example.com/' },
      ])
      const json = { links: Object.fromEntries(shown) }
      const { base } = await serve(() => ({ json }))
      const asked = { settings: { ...settings, url: `${base}${path}` }, fetch }
      const links = ofKind(await readAll(yourls, asked), 'link')
      expect(links.map(({ code }) => code)).toEqual(['b', 'a/b', 'größe', 's/x'])
    },
  )

  it('refuses a link whose code another one has', async () => {
    const shorturl = ['https://y.test/a%20b', 'https://y.test/a b']
    const links = Object.fromEntries(
      shorturl.map((it, index) => [index, { shorturl: it, url: 'https://example.com/' }]),
    )
    const { base } = await serve(() => ({ json: { links } }))
    const items = await readAll(yourls, { settings: { ...settings, url: base }, fetch })
    expect(ofKind(items, 'refused')).toContainEqual({
      ...{ kind: 'refused', row: 'link 2', reason: 'Another link there has the code “a b”.' },
    })
  })

  it('reads page by page, and yields what moved to another one once', async () => {
    const all = Array.from({ length: 10_200 }, (_, index) => ({
      shorturl: `https://y.test/${index}`,
      url: 'https://example.com/',
      clicks: '1',
    }))
    const { base, got } = await serve(({ query }) => {
      const start = Number(query.start)
      const shown = all
        .slice(start, start + Number(query.limit))
        .map((link, index) => [`link_${index}`, link])
      return { json: { links: Object.fromEntries(shown) } }
    })
    const links = ofKind(
      await readAll(yourls, { settings: { ...settings, url: base }, fetch }),
      'link',
    )
    expect(new Set(links.map(({ id }) => id)).size).toBe(10_200)
    expect(links).toHaveLength(10_200)
    expect(got).toHaveLength(2)
  })

  it('asks for fewer links where so many are too much for one answer', async () => {
    const all = Array.from({ length: 3_000 }, (_, index) => ({
      shorturl: `https://y.test/${index}`,
      url: `https://example.com/${'x'.repeat(3_000)}`,
    }))
    const { base, got } = await serve(({ query }) => {
      const start = Number(query.start)
      const shown = all.slice(start, start + Number(query.limit))
      return { json: { links: Object.fromEntries(shown.map((it, index) => [index, it])) } }
    })
    const asked = { settings: { ...settings, url: base }, fetch }
    expect(ofKind(await readAll(yourls, asked), 'link')).toHaveLength(3_000)
    expect(got.map(({ query }) => [query.limit, query.start])).toEqual([
      ['10000', '0'],
      ['2000', '0'],
      ['2000', '1500'],
    ])
  })

  it.each([
    [
      'the signature is wrong',
      { status: 403, json: { message: 'Please log in', errorCode: '403' } },
      'refuses /yourls-api.php',
    ],
    ['another server answers', { json: { hello: 1 } }, 'does not answer as the API of YOURLS does'],
  ])('says so if %s', async (_, wrong, says) => {
    const { base } = await serve(() => wrong)
    const reading = readAll(yourls, { settings: { ...settings, url: base }, fetch })
    await expect(reading).rejects.toThrow(says)
  })
})
