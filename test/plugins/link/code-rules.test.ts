import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import codeRules from '../../../plugins/link/code-rules.ts'
import customShortCode from '../../../plugins/link/custom-short-code.ts'
import editShortCode from '../../../plugins/link/edit-short-code.ts'
import linkPreview from '../../../plugins/link/link-preview.ts'
import { boot, type Harness } from '../../harness.ts'
import { otherAccount } from '../organization/other-account.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([customShortCode, editShortCode, codeRules, linkPreview])
})
afterEach(() => linnet.stop())

const make = (shortCode: string) =>
  linnet.api('POST', '/links', { original_url: 'https://example.com/', short_code: shortCode })
const change = (rules: object) => linnet.api('POST', '/code-rules', rules)
const leads = async (path: string) => (await linnet.visit(path)).status === 302
const wrong = async (shortCode: string) => {
  const { status, body } = await make(shortCode)
  return [status, body.errors?.[0].field, body.errors?.[0].message]
}

const isTold = {
  host: 'go.example.org',
  isYours: true,
  grammar: 'narrow',
  codes: 'exact',
  hyphens: 'strict',
}

it('are as they always were until somebody changes them', async () => {
  expect((await linnet.api('GET', '/code-rules')).body.data).toEqual([isTold])
  expect(await wrong('guide/start')).toEqual([
    422,
    'short_code',
    'Does not have the right format: 1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.',
  ])
  await make('Spring')
  expect(await leads('Spring')).toBe(true)
  expect(await leads('spring')).toBe(false)
})

it.each([
  [{ grammar: 'all' }, 'grammar', 'Must be one of: narrow, wide.'],
  [{ codes: 'any case' }, 'codes', 'Must be one of: exact, any_case.'],
  [{ hyphens: true }, 'hyphens', 'Must be one of: strict, ignored.'],
  [{ host: 'links.example.com' }, 'host', 'Must be the host of one of your verified domains.'],
  [{ host: '' }, 'host', 'Must have at least 1 character.'],
])('cannot be %j', async (rules, field, message) => {
  const { status, body } = await change(rules)
  expect([status, body.errors]).toMatchObject([422, [{ field, message }]])
})

it('of the host of the instance are changed by admins alone', async () => {
  const other = await otherAccount(linnet)
  const { status, body } = await other('POST', '/code-rules', { grammar: 'wide' })
  expect([status, body.code]).toEqual([403, 'insufficient_scope'])
  expect((await other('GET', '/code-rules')).body.data).toEqual([{ ...isTold, isYours: false }])
})

describe('the wide grammar', () => {
  beforeEach(async () => {
    expect((await change({ grammar: 'wide' })).body.data).toEqual({ ...isTold, grammar: 'wide' })
  })

  it.each([
    ['guide/start', 'guide/start', 'guide/start/'],
    ['v1.2', 'v1.2', 'v1%2E2'],
    ['été', '%C3%A9t%C3%A9', '%c3%a9t%c3%a9'],
    ['e\u0301te\u0301', '%C3%A9t%C3%A9', 'e%CC%81te%CC%81'],
    ['🍪', '%F0%9F%8D%AA', '%F0%9F%8D%AA/'],
    [
      '❤\ufe0f/👩\u200d💻',
      '%E2%9D%A4/%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB',
      '%E2%9D%A4%EF%B8%8F/%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB',
    ],
    [
      '❤\ufe0f\u200d🔥',
      '%E2%9D%A4%E2%80%8D%F0%9F%94%A5',
      '%E2%9D%A4%EF%B8%8E%E2%80%8D%F0%9F%94%A5',
    ],
    ['👍🏽', '%F0%9F%91%8D%F0%9F%8F%BD', undefined],
    [
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
      '%F0%9F%8F%B4%F3%A0%81%A7%F3%A0%81%A2%F3%A0%81%B3%F3%A0%81%A3%F3%A0%81%B4%F3%A0%81%BF',
      undefined,
    ],
    ['می\u200cخواهم', '%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85', undefined],
    ['क्\u200dष', '%E0%A4%95%E0%A5%8D%E2%80%8D%E0%A4%B7', undefined],
    ["a(b)!$&'*+;=:@~b", "a(b)!$&'*+;=:@~b", undefined],
    ['日本語/規約', '%E6%97%A5%E6%9C%AC%E8%AA%9E/%E8%A6%8F%E7%B4%84', undefined],
    ['x'.repeat(255), 'x'.repeat(255), undefined],
  ])('has %j', async (code, path, otherwise) => {
    const { status, body } = await make(code)
    expect(status).toBe(201)
    expect(body.data.shortCode).toBe(code.normalize('NFC').replace(/[\ufe0e\ufe0f]/g, ''))
    expect(body.data.shortUrl).toBe(`https://go.example.org/${path}`)
    // Twice: the second time, the link is in memory.
    for (const it of [path, path, otherwise ?? path, body.data.shortUrl.slice(23)])
      expect(await leads(it)).toBe(true)
    expect((await make(code)).body.code).toBe('short_code_taken')
    const asked = new URLSearchParams({ short_code: code })
    expect((await linnet.api('GET', `/links/lookup?${asked}`)).body.data.id).toBe(body.data.id)
    for (const search of code.length > 200 ? [] : [body.data.shortUrl, code]) {
      const { body: found } = await linnet.api('GET', `/links?${new URLSearchParams({ search })}`)
      expect(found.data.map(({ id }: { id: string }) => id)).toEqual([body.data.id])
    }
  })

  it.each([
    [
      'a b',
      'Does not have the right format: 1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.',
    ],
    ['a"b', 'A short code cannot contain ".'],
    ['a\u200bb', 'A short code cannot contain U+200B.'],
    ['a\u202eb', 'A short code cannot contain U+202E.'],
    ['a\u200db', 'A short code cannot contain U+200D.'],
    ['a\u200cb', 'A short code cannot contain U+200C.'],
    ['🍪\u200d', 'A short code cannot contain U+200D.'],
    ['a\u{e0067}', 'A short code cannot contain U+E0067.'],
    ['\ufe0f', 'A short code has no slash at its beginning or its end, and no two in a row.'],
    ['/a', 'A short code has no slash at its beginning or its end, and no two in a row.'],
    ['a/', 'A short code has no slash at its beginning or its end, and no two in a row.'],
    ['a//b', 'A short code has no slash at its beginning or its end, and no two in a row.'],
    ['a/../b', 'No part of a short code can be . or .., because browsers take these out.'],
    ['.', 'No part of a short code can be . or .., because browsers take these out.'],
    ['1/2/3/4/5/6/7/8/9', 'A short code has at most 8 parts between slashes.'],
    ['é'.repeat(128), 'A short code has at most 255 bytes; a letter beyond ASCII has 2 to 4.'],
    ['spring+', 'A short code cannot end with +, which shows a page about a link.'],
  ])('does not have %j', async (code, message) => {
    expect(await wrong(code)).toEqual([422, 'short_code', message])
  })

  it.each(['api/v2', 'API', 'dashboard/x', '.well-known/x', 'robots.txt', 'favicon.ico'])(
    'does not have %s, which is ours',
    async code => {
      const { status, body } = await make(code)
      expect([status, body.code]).toEqual([409, 'short_code_taken'])
    },
  )

  it.each(['%', '%zz', '%ff', '%c0%af', '%C3', '%ED%A0%80', 'a%2Fb', '%00', 'a'.repeat(9_000)])(
    'takes the path %j for no code',
    async path => {
      await make('a/b')
      expect((await linnet.visit(path)).status).toBe(404)
    },
  )

  it('shows the page of a view, and no code hides it', async () => {
    await make('été')
    expect((await linnet.visit('%C3%A9t%C3%A9+')).status).toBe(200)
    await make('file.txt')
    expect(await leads('file.txt')).toBe(true)
  })

  it('keeps former codes, and says which codes are free', async () => {
    const { body } = await make('guide/old')
    const changed = await linnet.api('PATCH', `/links/${body.data.id}`, { short_code: 'guide/néw' })
    expect(changed.body.data).toMatchObject({
      shortCode: 'guide/néw',
      formerShortCodes: ['guide/old'],
    })
    expect(await leads('guide/old')).toBe(true)
    expect(await leads('guide/n%C3%A9w')).toBe(true)
    const asked = encodeURIComponent('guide/néw,guide/free,a//b')
    const states = await linnet.api('GET', `/links/short-codes?short_codes=${asked}`)
    expect(states.body.data).toMatchObject([
      { isFree: false, reason: 'taken', suggestion: 'guide/néw-2' },
      { isFree: true, reason: null },
      { isFree: false, reason: 'malformed', suggestion: null },
    ])
  })

  it('is not left while links would be lost', async () => {
    const { body } = await make('guide/start')
    const refused = await change({ grammar: 'narrow' })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'codes_collide', codes: ['guide/start'] },
    ])
    expect(await leads('guide/start')).toBe(true)
    await linnet.api('DELETE', `/links/${body.data.id}`)
    expect((await change({ grammar: 'narrow' })).status).toBe(200)
    const restored = await linnet.api('POST', `/links/${body.data.id}/restore`)
    expect([restored.status, restored.body.errors[0].field]).toEqual([422, 'short_code'])
  })
})

describe('codes in any case', () => {
  it('lead on however they are written, those from before too', async () => {
    const old = await make('Spring')
    expect((await change({ codes: 'any_case' })).status).toBe(200)
    await make('SummerSale')
    for (const path of [
      'Spring',
      'spring',
      'SPRING',
      'sPRING',
      'spring/',
      'summersale',
      'SUMMERSALE',
    ])
      expect([path, await leads(path)]).toEqual([path, true])
    expect((await linnet.visit('spring+')).status).toBe(200)
    expect((await make('SPRING')).body.code).toBe('short_code_taken')
    const found = await linnet.api('GET', '/links/lookup?short_code=sPring')
    expect(found.body.data.id).toBe(old.body.data.id)
    const states = await linnet.api('GET', '/links/short-codes?short_codes=SPRING,autumn')
    expect(states.body.data).toMatchObject([{ reason: 'taken' }, { reason: null }])
  })

  it('are refused while two links would be the same, and none is changed', async () => {
    const upper = await make('SPRING')
    await make('spring')
    const refused = await change({ codes: 'any_case' })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'codes_collide',
        codes: ['spring'],
        detail:
          'Codes of different links would be the same: spring. Change or delete one of each first.',
      },
    ])
    expect((await linnet.api('GET', '/code-rules')).body.data).toEqual([isTold])
    await linnet.api('DELETE', `/links/${upper.body.data.id}`)
    expect((await change({ codes: 'any_case' })).status).toBe(200)
    expect(await leads('SPRING')).toBe(true)
    const restored = await linnet.api('POST', `/links/${upper.body.data.id}/restore`)
    expect(restored.body.code).toBe('short_code_taken')
  })

  it('follow a link that is changed, deleted and restored', async () => {
    await change({ codes: 'any_case' })
    const { body } = await make('Spring')
    const path = `/links/${body.data.id}`
    expect(await leads('spring')).toBe(true)
    const changed = await linnet.api('PATCH', path, { short_code: 'Summer' })
    expect(changed.body.data.formerShortCodes).toEqual(['Spring'])
    for (const path of ['spring', 'summer']) expect(await leads(path)).toBe(true)
    await linnet.api('DELETE', path)
    for (const path of ['spring', 'summer', 'Summer']) expect(await leads(path)).toBe(false)
    await linnet.api('POST', `${path}/restore`)
    for (const path of ['spring', 'summer']) expect(await leads(path)).toBe(true)
    expect((await linnet.api('GET', path)).body.data.formerShortCodes).toEqual(['Spring'])
  })

  it('leave a former code to the link that has it in another case, when the link that had it is restored', async () => {
    await change({ codes: 'any_case', hyphens: 'ignored' })
    const { id } = (await make('Spring')).body.data
    await linnet.api('PATCH', `/links/${id}`, { short_code: 'other' })
    await linnet.api('DELETE', `/links/${id}`)
    const { body } = await linnet.api('POST', '/links', {
      original_url: 'https://example.com/new',
      short_code: 'SPRING',
    })
    expect((await linnet.api('POST', `/links/${id}/restore`)).status).toBe(200)
    for (const path of ['Spring', 'SPRING', 'spring', 's-pring'])
      expect((await linnet.visit(path)).location, path).toBe(body.data.originalUrl)
    expect(await leads('other')).toBe(true)
    expect((await change({ codes: 'any_case', hyphens: 'strict' })).status).toBe(200)
  })

  it('are as written again when nobody wants them', async () => {
    await change({ codes: 'any_case' })
    await make('Spring')
    expect(await leads('spring')).toBe(true)
    await change({ codes: 'exact' })
    expect(await leads('spring')).toBe(false)
    expect(await leads('Spring')).toBe(true)
    expect((await make('spring')).status).toBe(201)
  })

  it('fold all scripts', async () => {
    await change({ codes: 'any_case', grammar: 'wide' })
    for (const [code, path] of [
      ['Straße', 'STRASSE'],
      ['GROẞE', 'grosse'],
      ['ΟΔΟΣ', 'οδοσ'],
      ['Ｗide', 'wide'],
      ['Привет', 'ПРИВЕТ'],
    ]) {
      await make(code ?? '')
      expect([path, await leads(encodeURI(path ?? ''))]).toEqual([path, true])
    }
  })
})

it('are those that hold when a link is saved, whatever this server has heard', async () => {
  await change({ grammar: 'wide' })
  const { id } = (await make('spring')).body.data
  // Another server changed them a moment ago.
  const rules = JSON.stringify({ grammar: 'narrow', codes: 'exact', hyphens: 'strict' })
  await linnet.db.updateTable('code_rules').set({ rules }).execute()
  expect((await make('guide/start')).status).toBe(409)
  const changed = await linnet.api('PATCH', `/links/${id}`, { short_code: 'guide/start' })
  expect(changed.status).toBe(409)
  expect((await make('guide')).status).toBe(201)
})

it('hyphens make no difference where they are ignored', async () => {
  await change({ hyphens: 'ignored' })
  await make('spring-sale')
  for (const path of ['spring-sale', 'springsale', 's-p-ringsale'])
    expect(await leads(path)).toBe(true)
  expect(await leads('SpringSale')).toBe(false)
  expect((await make('springsale')).body.code).toBe('short_code_taken')
})

it('never lead from where browsers and programs look for something of the host', async () => {
  await change({ grammar: 'wide', codes: 'any_case', hyphens: 'ignored' })
  for (const code of ['.wellknown/acme-challenge/x', 'lo-gin', 'appletouchicon.png']) {
    expect((await make(code)).status, code).toBe(201)
    expect(await leads(code), code).toBe(true)
  }
  expect(await leads('.well-known/acme-challenge/x')).toBe(false)
  expect(await leads('login')).toBe(false)
  expect(await leads('apple-touch-icon.png')).toBe(false)
})

it('stay after a restart', async () => {
  await change({ codes: 'any_case' })
  await make('Spring')
  linnet = await linnet.restart([customShortCode, codeRules])
  expect(await leads('spring')).toBe(true)
  // Also while the plugin is off: no link is lost.
  linnet = await linnet.restart([customShortCode])
  expect(await leads('spring')).toBe(true)
})

it('give no two links the same code, whoever makes links while they change', async () => {
  const codes = Array.from({ length: 20 }, (_, at) => [`code-${at}`, `CODE-${at}`]).flat()
  const making = codes.map((code, at) => (at === 20 ? change({ codes: 'any_case' }) : make(code)))
  await Promise.all(making)
  const changed = await change({ codes: 'any_case' })
  const links = (await linnet.api('GET', '/links?per_page=100')).body.data
  const folded = links.map(({ shortCode }: { shortCode: string }) => shortCode.toLowerCase())
  const isTwice = new Set(folded).size < folded.length
  expect(changed.status).toBe(isTwice ? 409 : 200)
  for (const { shortCode } of links) expect(await leads(shortCode)).toBe(true)
})

describe('codes that nobody chose', () => {
  const set = (made: unknown) =>
    linnet.api('PATCH', '/admin/plugins/link.codeRules', { settings: { made } })

  it('are of small and capital letters and digits, none of which look alike', async () => {
    const { shortCode } = await linnet.create()
    expect(shortCode).toMatch(/^[2-9b-df-hjkmnp-tv-xzB-DF-HJ-NP-TV-XZ]{7}$/)
  })

  it('are of small ones alone, or of words, if the operator wants it', async () => {
    expect((await set('small')).status).toBe(200)
    expect((await linnet.create()).shortCode).toMatch(/^[2-9b-df-hjkmnp-tv-xz]{8}$/)
    expect((await set('words')).status).toBe(200)
    expect((await linnet.create()).shortCode).toMatch(/^[a-z]+-[a-z]+$/)
    expect((await linnet.create({ short_code: 'mine' })).shortCode).toBe('mine')
  })

  it('are made up again while they are taken', async () => {
    await set('words')
    const codes = await Promise.all(Array.from({ length: 100 }, () => linnet.create()))
    expect(new Set(codes.map(({ shortCode }) => shortCode)).size).toBe(100)
    for (const { shortCode } of codes) expect(shortCode).toMatch(/^[a-z]+-[a-z]+(-\d+)?$/)
  })

  it.each(['emojis', '', 5])('cannot be %j', async made => {
    expect((await set(made)).status).toBe(422)
  })
})
