import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { targets } from '../../../../../plugins/organization/imports/reading/column-names.ts'
import { SourceError } from '../../../../../plugins/organization/imports/source.ts'
import { csv } from '../../../../../plugins/organization/imports/sources/csv.ts'
import { conforms } from '../conformance.ts'
import { all, asked, fileOf, itemsOf, ofKind } from '../from-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'linnet-csv-'))
afterAll(() => rmSync(folder, { recursive: true }))

const example = join(folder, 'links.csv')
writeFileSync(
  example,
  [
    'Short link,Destination URL,Clicks,Created at,Tags,Colour',
    'https://go.example.com/a,https://example.com/1,12,2024-03-01T10:20:30Z,"news, spring",red',
    'go.example.com/b,https://example.com/2,0,2024-03-02T10:20:30Z,news,',
    ',https://example.com/3,,yesterday,,',
    'go.example.com/d,,,,,',
  ].join('\r\n'),
)
conforms(csv, { file: example })

const linksOf = async (content: string | Uint8Array, settings = {}) =>
  ofKind(await itemsOf(csv, content, settings), 'link')

const utf8Rows = Array.from({ length: 20 }, (_, index) =>
  Buffer.from(`größe${index},https://example.com/${index}\n`),
)
const latin1Row = Buffer.from('café,https://example.com/\n', 'latin1')

describe('a table of links', () => {
  it('has hosts and tags before its links, and says what of it does not come along', async () => {
    const items = await all(
      csv.read(asked({ file: fileOf('url,code,colour\nhttps://example.com/,a,red\n,b,\n') })),
    )
    expect(items).toEqual([
      {
        ...{ kind: 'note', row: 'line 1' },
        sentence: 'Of these columns nothing comes along: “colour”.',
      },
      {
        ...{ kind: 'link', row: 'line 2', host: null, code: 'a' },
        ...{
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          fields: { originalUrl: 'https://example.com/' },
        },
      },
      { kind: 'refused', row: 'line 3', reason: 'The row has no original URL.' },
    ])
  })

  it('has sums of visits that are larger than any here cut, and says so', async () => {
    const [link] = await linksOf('url,code,clicks\nhttps://example.com/,a,4294967295\n')
    expect(link).toMatchObject({ row: 'line 2', visits: 1_000_000_000, undated: 1_000_000_000 })
    expect(link?.changes).toEqual([
      'It had 4,294,967,295 visits there, of which 1,000,000,000 come along.',
    ])
  })

  it.each([
    ['commas', 'url,code\nhttps://example.com/,a'],
    ['semicolons', 'url;code\nhttps://example.com/;a'],
    ['tabs', 'url\tcode\nhttps://example.com/\ta'],
    ['bars', 'url|code\nhttps://example.com/|a'],
    ['a separator that it names', 'sep=;\r\nurl;code\r\nhttps://example.com/;a\r\n'],
    ['a byte order mark', '\ufeffurl,code\nhttps://example.com/,a'],
    ['line breaks of Windows', 'url,code\r\nhttps://example.com/,a\r\n'],
    ['line breaks of old Macs', 'url,code\rhttps://example.com/,a\r'],
    ['empty lines', '\n\nurl,code\n\nhttps://example.com/,a\n\n'],
    ['quotation marks', '"url","code"\n"https://example.com/","a"'],
    ['names of Kutt', 'address,target\na,https://example.com/'],
    ['names of Bitly', 'Link,long_url\nhttps://bit.ly/a,https://example.com/'],
    ['names of YOURLS', 'source,target,hits\r\n/a/,https://example.com/,7\r\n'],
    ['other names of the same', 'LONG-URL,Back Half\nhttps://example.com/,a'],
    ['no names', 'https://example.com/,a'],
    ['no names and the code first', 'a;https://example.com/'],
  ])('is read with %s', async (_, content) => {
    for (const atOnce of [1, 1_000]) {
      const items = await all(csv.read(asked({ file: fileOf(content, 'it.csv', atOnce) })))
      const [link, ...others] = ofKind(items, 'link')
      expect(others).toEqual([])
      expect(link).toMatchObject({ code: 'a', fields: { originalUrl: 'https://example.com/' } })
    }
  })

  it.each([
    ['utf-8', Buffer.from('url,title\nhttps://example.com/,Łódź ✓', 'utf8'), 'Łódź ✓'],
    ['UTF-16', Buffer.from('\ufeffurl,title\nhttps://example.com/,Łódź ✓', 'utf16le'), 'Łódź ✓'],
    [
      'UTF-16 without a mark',
      Buffer.from('url,title\nhttps://example.com/,Łódź ✓', 'utf16le'),
      'Łódź ✓',
    ],
    [
      'big-endian UTF-16',
      Buffer.from('\ufeffurl,title\nhttps://example.com/,Łódź', 'utf16le').swap16(),
      'Łódź',
    ],
    ['Latin-1', Buffer.from('url,title\nhttps://example.com/,Köln', 'latin1'), 'Köln'],
    ['Windows-1252', Buffer.from('url,title\nhttps://example.com/,\x80 5', 'latin1'), '€ 5'],
  ])('is read in %s', async (_, content, title) => {
    expect((await linksOf(content))[0]?.fields).toEqual({
      originalUrl: 'https://example.com/',
      title,
    })
  })

  it('says that it was read as Windows-1252, and not of UTF-8', async () => {
    const content = 'url,title\nhttps://example.com/,Café\nhttps://example.com/2,Café'
    const [said, ...links] = await itemsOf(csv, Buffer.from(content, 'latin1'))
    expect(said).toEqual({
      ...{ kind: 'note', row: 'links.csv' },
      sentence:
        'It is not in UTF-8, and is read as Windows-1252. If letters come wrong, save it as UTF-8 and import it again.',
    })
    expect(links).toMatchObject([{ fields: { title: 'Café' } }, { fields: { title: 'Café' } }])
    expect(await itemsOf(csv, content)).toEqual(links)
  })

  it('leaves out a last row that is cut off, and takes one that is whole', async () => {
    const content = 'code,url,visits\na,https://a.example.com/\nb,https://b.example.com/lo'
    for (const atOnce of [1, 1_000]) {
      const read = (text: string) => all(csv.read(asked({ file: fileOf(text, 'it.csv', atOnce) })))
      expect((await read(content)).at(-1)).toEqual({
        ...{ kind: 'refused', row: 'line 3' },
        reason:
          'The file ends in this row, before its last cells, as if it was cut off. If the row is whole, put a line break after it.',
      })
      for (const end of ['\n', '\r\n', ',0'])
        expect(ofKind(await read(`${content}${end}`), 'link').map(it => it.code)).toEqual([
          'a',
          'b',
        ])
    }
  })

  it.each([
    ['$2b$10$8u3HxkZ0Yd3T2m1yS0tB4OCzmmX7cJr2b3G1n6nQ0o2Yk7wQ5uZ1a', true],
    ['$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$aGFzaGhhc2g', true],
    ['pbkdf2_sha256$600000$c29tZXNhbHQ$aGFzaGhhc2g=', true],
    ['scrypt:8192:8:10:c29tZXNhbHQ:aGFzaGhhc2g', true],
    ['$ecret$tory', false],
    ['scrypt: what a word', false],
  ])('with the password %s says that it looks like a hash: %s', async (password, isSaid) => {
    const [link] = await linksOf(`url,password\nhttps://example.com/,"${password}"`)
    expect(link?.password).toEqual({ text: password })
    expect(link?.changes?.some(it => it.includes('looks like the hash of one')) ?? false).toBe(
      isSaid,
    )
  })

  it.each([
    ['', 'https://go.example.com/Ab', 'go.example.com', 'Ab'],
    ['', 'go.example.com/Ab/', 'go.example.com', 'Ab'],
    ['https://GO.example.com/docs/caf%C3%A9?x=1', '', 'go.example.com', 'docs/café'],
    ['docs/v1.2', '', null, 'docs/v1.2'],
    ['file.pdf/x', '', null, 'file.pdf/x'],
    ['Ab', 'https://go.example.com/Ab', 'go.example.com', 'Ab'],
    ['', '', null, null],
    ['%zz', '', null, '%zz'],
  ])(
    'has with the code %j and the short URL %j a link on %j with %j',
    async (code, short, host, of) => {
      const [link] = await linksOf(`url,code,short_url\nhttps://example.com/,${code},${short}`)
      expect(link).toMatchObject({ host, code: of })
      expect(link?.changes).toBeUndefined()
    },
  )

  it('takes a host of its own column before that of a URL', async () => {
    const content =
      'domain,shortCode,shortUrl,longUrl\nGo.example.com,a,https://x.example.com/a,https://example.com/'
    expect((await linksOf(content))[0]).toMatchObject({ host: 'go.example.com', code: 'a' })
  })

  it('keeps a second code on the same host, and says which on others do not come along', async () => {
    const content =
      'Link,Custom Link,Destination URL\nbit.ly/3mo,go.example.com/spring,https://example.com/\ngo.example.com/x1,go.example.com/x,https://example.com/x'
    expect(await linksOf(content)).toMatchObject([
      {
        ...{ host: 'go.example.com', code: 'spring' },
        changes: ['“bit.ly/3mo” leads to the same link, and does not come along.'],
      },
      { host: 'go.example.com', code: 'x', formerCodes: ['x1'] },
    ])
  })

  it('has each column in the documentation', () => {
    const docs = readFileSync('docs/moving-from/other-services.md', 'utf8')
    expect(targets.filter(it => !docs.includes(`\`${it}\``))).toEqual([])
  })

  it('takes columns that people name, by their name or number', async () => {
    const named = { columns: ['code=Kürzel', 'originalUrl=Wohin'] }
    expect((await linksOf('Kürzel;Wohin\na;https://example.com/', named))[0]).toMatchObject({
      ...{ code: 'a', fields: { originalUrl: 'https://example.com/' } },
    })
    const numbered = { columns: ['code=#3', 'originalUrl=#2'] }
    const content = 'https://other.example.com/,https://example.com/,a'
    expect((await linksOf(content, numbered))[0]).toMatchObject({
      ...{ code: 'a', fields: { originalUrl: 'https://example.com/' } },
    })
  })

  it('refuses mappings that name nothing', () => {
    const { schema } = csv.settings.columns ?? {}
    expect(schema?.safeParse(['code=Back half', 'originalUrl=#2']).success).toBe(true)
    for (const wrong of [
      ['Back half'],
      ['colour=Red'],
      ['code='],
      ['__proto__=x'],
      'code=x',
      [7],
    ]) {
      expect(schema?.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
    }
  })

  it.each([
    ['2024-05-31T18:00:00+02:00', '2024-05-31T16:00:00.000Z'],
    ['2024-05-31T18:00:00+0200', '2024-05-31T16:00:00.000Z'],
    ['2024-05-31T16:00:00.000Z', '2024-05-31T16:00:00.000Z'],
    ['2024-05-31 18:00', '2024-05-31T16:00:00.000Z'],
    ['2024-01-31 18:00:00', '2024-01-31T17:00:00.000Z'],
    ['1717171200', '2024-05-31T16:00:00.000Z'],
    ['1717171200000', '2024-05-31T16:00:00.000Z'],
    ['May 31, 2024 6:00 PM', '2024-05-31T16:00:00.000Z'],
    ['31.05.2024', '2024-05-30T22:00:00.000Z'],
  ])('reads the date %s in its time zone', async (text, moment) => {
    const content = `url,created\nhttps://example.com/,"${text}"`
    const [link] = await linksOf(content, { timeZone: 'Europe/Berlin' })
    expect(link?.createdAt?.toISOString()).toBe(moment)
  })

  it('brings no link without its end, if nobody can tell when that is', async () => {
    const content =
      'url,code,created,expires\nhttps://example.com/,a,05/06/2024,\nhttps://example.com/,b,,05/06/2024'
    expect(await itemsOf(csv, content)).toMatchObject([
      {
        ...{ kind: 'link', code: 'a' },
        changes: ['The date “05/06/2024” does not come along. Write it as 2024-05-31 18:00.'],
      },
      {
        ...{ kind: 'refused', row: 'line 3' },
        reason:
          '“05/06/2024” is no date and time that everybody reads alike. Write it as 2024-05-31 18:00.',
      },
    ])
  })

  it('takes only time zones that there are', () => {
    const { schema } = csv.settings.timeZone ?? {}
    for (const zone of ['UTC', 'Europe/Berlin']) expect(schema?.safeParse(zone).success).toBe(true)
    for (const zone of ['+02:00', 'Berlin', '', 7])
      expect(schema?.safeParse(zone).success).toBe(false)
  })

  it('takes out one apostrophe before what a spreadsheet would compute, and keeps formulas as text', async () => {
    const content =
      "url,title\nhttps://a.example.com/,'=1+1\nhttps://b.example.com/,''=1+1\nhttps://c.example.com/,=1+1\nhttps://d.example.com/,'tis"
    const titles = (await linksOf(content)).map(it => it.fields.title)
    expect(titles).toEqual(['=1+1', "''=1+1", '=1+1', "'tis"])
  })

  it('has all that a link can have', async () => {
    const head =
      'original_url,short_code,title,notes,tags,campaign,visits,last_visit_at,created_at,updated_at,expires_at,expired_url,max_visits,password,archived,owner,utm_source,redirect_status,paths,external_id,ios,android'
    const row =
      'https://example.com/,a,Fox,"One\nTwo",news|spring,Easter,"1,234",2024-05-01T00:00:00Z,2024-03-01T00:00:00Z,2024-02-01T00:00:00Z,2030-01-01,https://example.com/over,2000,secret,yes,ann@example.com,letter,301,append,x-1,https://apps.example.com/,'
    const [tag, other, campaign, link] = await itemsOf(csv, `${head}\n${row}`)
    expect([tag, other]).toMatchObject([{ name: 'news' }, { name: 'spring' }])
    expect(campaign).toEqual({ kind: 'campaign', row: 'line 2', name: 'Easter' })
    expect(link).toEqual({
      ...{ kind: 'link', row: 'line 2', host: null, code: 'a', id: expect.any(String) },
      fields: {
        ...{ originalUrl: 'https://example.com/', title: 'Fox', notes: 'One\nTwo' },
        ...{ expiresAt: '2030-01-01T00:00:00.000Z', expiredUrl: 'https://example.com/over' },
        ...{ maxVisits: 2000, redirectStatus: 301, paths: 'append', externalId: 'x-1' },
        utm: { source: 'letter', medium: null, campaign: null, term: null, content: null },
        dynamicRouting: {
          rules: [
            {
              ...{ name: 'iOS', originalUrl: 'https://apps.example.com/' },
              conditions: [{ type: 'os', operator: 'is', value: 'iOS' }],
            },
          ],
        },
      },
      ...{
        tags: ['news', 'spring'],
        campaign: 'Easter',
        password: { text: 'secret' },
        owner: 'ann@example.com',
      },
      createdAt: new Date('2024-03-01T00:00:00Z'),
      // Earlier than it was made, it cannot have been changed.
      updatedAt: new Date('2024-03-01T00:00:00Z'),
      lastVisitAt: new Date('2024-05-01T00:00:00Z'),
      ...{ isArchived: true, visits: 1234, undated: 1234 },
    })
  })

  it('takes links that were disabled as ended, and archived ones as archived', async () => {
    const found = await linksOf('url,code,status\nexample.com,a,disabled\nexample.com,b,archived')
    expect(found.map(({ isClosed, isArchived }) => [isClosed, isArchived])).toEqual([
      [true, undefined],
      [undefined, true],
    ])
    expect(found[0]?.changes).toContain('It was disabled there, and has ended here.')
  })

  it('refuses a row in which a dot may part the thousands of its visits', async () => {
    const counts = ['12', '12.0', '12.00', '1,000', '1.000', '12.000', '0x10', '1e3']
    const rows = counts.map((count, index) => `example.com/x;c${index};${count}`)
    const items = await itemsOf(csv, ['url;code;max visits', ...rows].join('\n'))
    expect(items.map(it => (it.kind === 'link' ? it.fields.maxVisits : it.kind))).toEqual([
      ...[12, 12, 12, 1_000],
      ...Array(4).fill('refused'),
    ])
  })

  it('says of rows what of them does not come along', async () => {
    const content = `url,code,title,clicks,created,redirect type,tags,redirect_cache_seconds\nexample.com/x,a,${'x'.repeat(301)},many,2030-01-01,303,${'t'.repeat(101)},long`
    const [link] = await linksOf(content)
    expect(link?.fields.originalUrl).toBe('https://example.com/x')
    expect(link?.changes).toEqual([
      '“long” is no number of seconds, and does not come along.',
      '“many” is no number of visits, and does not come along.',
      '“303” is no redirect status here, and does not come along.',
      'The title is longer than 300 characters, of which the first 300 come along.',
      'The name of a tag is longer than 100 characters, of which the first 100 come along.',
      'When it was made does not come along: 2030-01-01T00:00:00.000Z cannot be.',
      'The original URL has no scheme there. It gets https:// before it.',
    ])
  })

  it('refuses a row that says the same as one before it, and yields one code with two URLs twice', async () => {
    const content =
      'url,code\nhttps://a.example.com/,a\nhttps://a.example.com/,a\nhttps://b.example.com/,a'
    const items = await itemsOf(csv, content)
    expect(items.map(it => [it.kind, it.row])).toEqual([
      ...[
        ['link', 'line 2'],
        ['refused', 'line 3'],
        ['link', 'line 4'],
      ],
    ])
    const [one, two] = ofKind(items, 'link')
    expect(one?.id).not.toBe(two?.id)
  })

  it.each([
    ['short code', 'http://go/xa1', 'go', 'xa1'],
    ['short code', 'http://localhost:9301/wh1', 'localhost:9301', 'wh1'],
    ['short url', 'http://go/xb1', 'go', 'xb1'],
    ['short url', 'localhost:9301/wi4', 'localhost:9301', 'wi4'],
    ['short url', 'go.example.com/xc1', 'go.example.com', 'xc1'],
    ['short url', 'xa6', null, 'xa6'],
    ['short url', '/xa7', null, 'xa7'],
    ['short url', 'go/xa8', null, 'go/xa8'],
  ])('reads in the column %s of %s its host and code', async (column, text, host, code) => {
    const found = await linksOf(`${column},original url\n${text},https://example.com/`)
    expect(found).toMatchObject([{ host, code }])
  })

  it.each([
    ['short code', '/'],
    ['short code', 'https://s.example.com/'],
    ['short url', 'https://s.example.com/'],
    ['short url', 'https:///x'],
    ['custom link', 'go/x'],
  ])('brings no link with another code, where the column %s has %s', async (column, text) => {
    const items = await itemsOf(csv, `${column},original url\n${text},https://example.com/`)
    const reason = `“${text}” has no short code.`
    expect(items).toEqual([{ kind: 'refused', row: 'line 2', reason }])
  })

  it('brings no link without the password that the table says it has, and says of rules that they do not come', async () => {
    const content =
      'url,code,has_password,has_rules,forward_query,confirm,crawlable,tags,password\nhttps://example.com/,a,true,,,,,,\nhttps://example.com/,b,,true,true,true,true,"t,1|",\nhttps://example.com/,c,true,,,,,,secret'
    const items = await itemsOf(csv, content)
    expect(ofKind(items, 'refused')).toEqual([
      {
        ...{ kind: 'refused', row: 'line 2' },
        reason:
          'It has a password, which the table does not say. Make the link anew, with a password.',
      },
    ])
    expect(ofKind(items, 'link')).toMatchObject([
      {
        ...{ code: 'b', tags: ['t,1'], changes: ['Its routing rules are not in the table.'] },
        fields: { forwardQuery: true, confirm: true, crawlable: true },
      },
      { code: 'c', password: { text: 'secret' } },
    ])
  })

  it('brings a link of which the table says that it has no password, and none of which it says what nobody can tell', async () => {
    const cells = ['', 'false', 'FALSE', 'no', '0', 'ja', 'x', 'yes']
    const rows = cells.map((cell, index) => `https://example.com/,c${index},${cell}`)
    const items = await itemsOf(csv, ['url,code,has_password', ...rows].join('\n'))
    expect(items.map(({ kind }) => kind)).toEqual([
      ...['link', 'link', 'link', 'link', 'link'],
      ...['refused', 'refused', 'refused'],
    ])
  })

  it('says which other short URLs it cannot read', async () => {
    const content = 'code,custom link,short url,url\na,go/x,a,https://example.com/'
    const changes = ['“go/x” is no short URL, and does not come along.']
    expect(await linksOf(content)).toMatchObject([{ code: 'a', changes }])
  })

  it('refuses a row with more cells than the first, unless these are empty', async () => {
    const rows = 'a,https://example.com/1,2,Title\nb,https://example.com/,,\nc,https://example.com/'
    for (const head of ['code,url\n', 'x,https://example.com/x\n']) {
      const items = await itemsOf(csv, head + rows)
      expect(items.slice(-3)).toMatchObject([
        {
          ...{ kind: 'refused', row: 'line 2' },
          reason:
            'The row has 4 cells, and the first row has 2: put cells with commas in them into quotation marks.',
        },
        { kind: 'link', code: 'b' },
        { kind: 'link', code: 'c' },
      ])
    }
  })

  it('knows rows without a code by their URL, whatever is above them', async () => {
    const idsOf = async (...urls: string[]) => {
      const found = await linksOf(
        `url,clicks\n${urls.map(url => `https://example.com/${url},1\n`).join('')}`,
      )
      expect(new Set(found.map(({ id }) => id)).size).toBe(urls.length)
      return found.map(({ id }) => id)
    }
    const [a, b, again] = await idsOf('a', 'b', 'a')
    expect((await idsOf('new', 'a', 'b', 'a')).slice(1)).toEqual([a, b, again])
  })

  it('keeps the spaces of a password', async () => {
    const content =
      'code,url,password\na,https://example.com/,"  pass word  "\nb,https://example.com/,"  "'
    const found = await linksOf(content)
    expect(found.map(({ password }) => password)).toEqual([{ text: '  pass word  ' }, undefined])
  })

  it('lets others have their turn, however many rows a part of the file has', async () => {
    let turns = 0
    let goesOn = true
    const count = () => {
      turns += 1
      if (goesOn) setImmediate(count)
    }
    setImmediate(count)
    const file = fileOf(`url\n${'a\n'.repeat(60_000)}`, 'rows.csv', 120_004)
    const items = await all(csv.read(asked({ file })))
    goesOn = false
    expect(items).toHaveLength(60_000)
    expect(turns).toBeGreaterThan(25)
  })

  it('says the line in which a row begins', async () => {
    const content = 'url,notes\nhttps://a.example.com/,"1\n2\n3"\n\n,x\n'
    expect((await itemsOf(csv, content)).map(it => it.row)).toEqual(['line 2', 'line 6'])
  })
})

describe('what is no table of links', () => {
  const refusal = async (content: string | Uint8Array, settings = {}) => {
    const error: unknown = await itemsOf(csv, content, settings).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(SourceError)
    return (error as SourceError).message
  }

  it.each([
    ['nothing', '', /^links\.csv is empty\.$/],
    [
      'a spreadsheet',
      Buffer.from('PK\x03\x04…'),
      /spreadsheet or a zip file\. Save the table as CSV/,
    ],
    ['an old spreadsheet', Buffer.from('\xd0\xcf\x11\xe0', 'latin1'), /is a spreadsheet\./],
    ['a database', 'SQLite format 3\0', /is a database\. Choose the program/],
    [
      'zeros',
      'url,code\nhttps://example.com/,a\0',
      /^links\.csv is no text: line 2 has bytes that are zero\. Choose a text file\.$/,
    ],
    ['half of a letter of UTF-16', Buffer.from([0xff, 0xfe, 0x61, 0, 0x62]), /Save it as UTF-8\.$/],
    ['no known columns', 'Kürzel,Wohin\na,b', /Line 1 has: Kürzel, Wohin\. Name the column/],
    [
      'a quotation mark without end',
      'url,code\nhttps://a.example.com/,a\nhttps://b.example.com/,"a\n',
      /begins in line 3 has a quotation mark without an end\. Close it/,
    ],
    [
      '10,000 columns',
      `url${',x'.repeat(9_999)}\n`,
      /^Line 1 has 10,000 columns, and a table of links has at most 1,000\./,
    ],
  ])('is refused with a sentence: %s', async (_, content, sentence) => {
    expect(await refusal(content)).toMatch(sentence)
  })

  it.each([
    ['after letters of UTF-8', [...utf8Rows, latin1Row], 21, 1],
    ['before letters of UTF-8', [latin1Row, ...utf8Rows], 1, 2],
    ['in one row with them', [Buffer.concat([Buffer.from('größe,'), latin1Row])], 1, 1],
    ['after a mark of UTF-8', [Buffer.from('\ufeffcode,url\n'), latin1Row], 2, 1],
  ])('is refused with its line: a letter of Latin-1 %s', async (_, rows, other, utf8) => {
    for (const atOnce of [1, 7, 1_000_000]) {
      const reading = all(csv.read(asked({ file: fileOf(Buffer.concat(rows), 'it.csv', atOnce) })))
      await expect(reading).rejects.toThrow(
        `it.csv is not in one encoding: line ${other} has a letter that is not in UTF-8, and line ${utf8} has one that is. Save all of it as UTF-8.`,
      )
    }
  })

  it.each([
    ['with others before it', 'größe,https://example.com/\ncafé'],
    ['without others', 'groesse,https://example.com/\ncafé'],
    ['of four bytes', 'groesse,https://example.com/\n🦜'],
  ])('is refused with its line: a last letter of UTF-8 that is cut, %s', async (_, text) => {
    const content = Buffer.from(text).subarray(0, -1)
    for (const atOnce of [1, 1_000]) {
      const reading = all(csv.read(asked({ file: fileOf(content, 'it.csv', atOnce) })))
      await expect(reading).rejects.toThrow(/^it\.csv ends in line 2 in the middle of a letter/)
    }
  })

  it('is refused with the columns that there are, if a named one is not', async () => {
    const columns = ['code=Kurz']
    expect(await refusal('url,kürzel\nhttps://example.com/,a', { columns })).toBe(
      'The file has no column “Kurz”. Its columns are: url, kürzel.',
    )
    expect(await refusal('https://example.com/,a', { columns: ['code=#3'] })).toBe(
      'The file has no column “#3”: it has 2, without names. Name them as #1 to #2.',
    )
  })

  it.each([
    ['one cell', 'x'],
    ['many cells', ',x'],
    ['empty cells', ',,'],
  ])('is refused without keeping a row that never ends: %s', async (_, part) => {
    let read = 0
    const piece = Buffer.from(part.repeat(30_000))
    const file = {
      ...fileOf('', 'long.csv'),
      async *read() {
        yield Buffer.from('url,code\n')
        for (let sent = 0; sent < 20e6; sent += piece.length) {
          read += piece.length
          yield piece
        }
      },
    }
    const reading = all(csv.read(asked({ file })))
    await expect(reading).rejects.toThrow(/begins in line 2 is longer than 1,000,000 bytes/)
    // The check of what it is written in reads all of it, and keeps nothing.
    expect(read).toBeLessThan(22e6)
  })

  it('yields the rows before the one that is wrong', async () => {
    const content = 'url,code\nhttps://a.example.com/,a\nhttps://b.example.com/,"b\n'
    const codes: unknown[] = []
    const read = async () => {
      for await (const it of csv.read(asked({ file: fileOf(content) }))) {
        if (it.kind === 'link') codes.push(it.code)
      }
    }
    await expect(read()).rejects.toThrow(/begins in line 3 has a quotation mark without an end/)
    expect(codes).toEqual(['a'])
  })

  it('ends a quotation that goes on over many lines after a megabyte', async () => {
    const content = `url,code\nhttps://example.com/,"${'x\n'.repeat(600_000)}`
    expect(await refusal(content)).toMatch(/begins in line 2 is longer than 1,000,000 bytes/)
  })
})
