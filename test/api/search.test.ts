import { afterAll, beforeAll, expect, it } from 'vitest'
import { boot, type Harness } from '../harness.ts'
import { aPerson } from './people.ts'

const links = [
  { short_code: 'fig', originalUrl: 'https://例え.example/ünï%20x?q=1', title: 'Das Über-Büro' },
  { short_code: 'apple', originalUrl: 'https://example.com/100%25', title: 'Ὀδός' },
  { short_code: 'pear', originalUrl: 'https://example.com/%ff', title: 'Straße' },
  { short_code: 'plum', originalUrl: 'https://example.com/', title: null },
  {
    short_code: 'melon',
    originalUrl: 'https://www.example.net/watch?v=x_1*[a]',
    title: 'İstanbul Podcast, autumn',
    notes: 'First seen on YouTube.\nひらがな：東京のラジオ',
  },
]

let linnet: Harness

beforeAll(async () => {
  linnet = await boot(['link.customShortCode', 'link.editShortCode'])
  for (const link of links) await linnet.create(link)
  const quince = await linnet.create({ short_code: 'quince' })
  const short_code = 'new'
  const changed = await linnet.api('PATCH', `/links/${quince.id}`, { short_code })
  expect(changed.status).toBe(200)
  const onDomain = await linnet.create({ short_code: 'grape' })
  const domain = 'xn--r8jz45g.example'
  const { db } = linnet
  for (const table of ['links', 'short_codes'] as const) {
    const code = table === 'links' ? 'short_code' : 'code'
    await db.updateTable(table).set({ domain }).where(code, '=', onDomain.shortCode).execute()
  }
  const stranger = await (await aPerson(linnet)).session()
  const theirs = { original_url: 'https://example.com/theirs', short_code: 'theirs' }
  expect((await linnet.api('POST', '/links', theirs, stranger)).status).toBe(201)
})
afterAll(() => linnet.stop())

it.each([
  ['letters beyond ASCII', 'Über', 'fig'],
  ['the same in the other case', 'ÜBER-BÜRO', 'fig'],
  ['the same, put together of two characters', 'u\u0308ber', 'fig'],
  ['Greek', 'ὈΔΌΣ', 'apple'],
  ['a sharp s in capitals', 'STRASSE', 'pear'],
  ['letters without their accents', 'uber-buro', 'fig'],
  ['words in any order, over address, title and notes', 'youtube autumn podcast www', 'melon'],
  ['words of which one is nowhere', 'youtube spring', ''],
  ['a word and a part of the code', 'elo istanbul', 'melon'],
  ['a dotless i for a dotted one', 'ıstanbul', 'melon'],
  ['words without spaces between them', '東京', 'melon'],
  ['one letter', '京', 'melon'],
  ['letters of full width, and a space of that', 'ＰＯＤＣＡＳＴ　ラジオ', 'melon'],
  ['letters of half the width', 'ﾗｼﾞｵ', 'melon'],
  ['another letter, not one with a mark', 'ﾗｼｵ', ''],
  ['signs that stand for themselves', 'v=x_1*[a]', 'melon'],
  ['a question mark, which stands for itself', 'wat?h', ''],
  ['an asterisk, which stands for itself', 'www*watch', ''],
  ['a long word with signs', 'www.example.net/watch?v=x_1*[a]', 'melon'],
  ['a long word of which the end alone is there', 'www.example.com/watch?v=x_1*[a]', ''],
  ['a long word of which all but the end is there', 'www.example.net/watch?v=x_1*[b]', ''],
  ['an underline, which stands for itself', 'v=x_1_[a]', ''],
  ['signs of a query language', '"podcast" OR NEAR(a b) -x ^y:z*', ''],
  ['a quotation mark', '"', ''],
  ['an address with another scheme', 'http://www.example.net/watch', 'melon'],
  ['a scheme that is still being typed', 'https://', 'melon new fig apple pear plum grape'],
  ['nothing but an accent', '\u0308', ''],
  ['an address as it is typed', 'ünï x', 'fig'],
  ['the same in the other case', 'ÜNÏ', 'fig'],
  ['a host as it is typed', '例え', 'fig'],
  ['a whole address as it is typed', 'https://例え.example/ünï x?q=1', 'fig'],
  ['an address as it is kept', 'xn--r8jz45g.example/%C3%BCn%c3%af', 'fig'],
  ['a percent sign, which stands for itself', '100%', 'apple'],
  ['bytes that are no text', '%FF', 'pear'],
  ['a short URL', 'https://go.example.org/fig', 'fig'],
  ['a short URL without its scheme', 'GO.example.org/apple', 'apple'],
  ['a short URL and all that may follow', 'http://go.example.org/fig/?utm_source=x#top', 'fig'],
  ['the short URL of a preview', 'go.example.org/fig+', 'fig'],
  ['a short URL on a custom domain', 'https://xn--r8jz45g.example/grape', 'grape'],
  ['the same as it is typed', '例え.example/grape', 'grape'],
  ['a code on another host', 'https://links.example.net/fig', ''],
  ['a short URL in another case, which is another', 'https://go.example.org/FIG', ''],
  ['a former code', 'quince', 'new'],
  ['a part of a former code, in any case', 'UINC', 'new'],
  ['a former short URL', 'https://go.example.org/quince', 'new'],
  ['a short URL of another account', 'https://go.example.org/theirs', ''],
  ['what only an empty title would have', 'null', ''],
])('the list of links is searched by %s', async (_, search, expected) => {
  const { status, body } = await linnet.api('GET', `/links?search=${encodeURIComponent(search)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const codes = body.data.map(({ shortCode }: { shortCode: string }) => shortCode)
  expect(new Set(codes)).toEqual(new Set(expected.split(' ').filter(code => code !== '')))
  expect(body.meta.total).toBe(codes.length)
})

it('a link is found by what it has become, and no more by what it was', async () => {
  const { id } = await linnet.create({ short_code: 'kiwi', title: 'Before', notes: 'noted' })
  const found = async (search: string) => {
    const { body } = await linnet.api('GET', `/links?search=${search}`)
    return body.data.length === 1 && body.data[0].id === id && body.meta.total === 1
  }
  expect(await Promise.all(['before', 'noted', 'kiwi'].map(found))).toEqual([true, true, true])
  const { status } = await linnet.api('PATCH', `/links/${id}`, { title: 'After', notes: null })
  expect(status).toBe(200)
  expect(await Promise.all(['before', 'noted', 'after'].map(found))).toEqual([false, false, true])
  await linnet.api('PATCH', `/links/${id}`, { short_code: 'lime', archived: true })
  expect(await Promise.all(['kiwi', 'lime'].map(found))).toEqual([true, true])
  expect(
    (await linnet.api('PATCH', `/links/${id}`, { short_code: 'fig', title: 'x' })).status,
  ).toBe(409)
  expect(await found('after')).toBe(true)
  expect((await linnet.api('DELETE', `/links/${id}`)).status).toBe(204)
  expect(await found('after')).toBe(false)
  expect(await linnet.db.selectFrom('link_texts').selectAll().execute()).toHaveLength(
    (await linnet.db.selectFrom('links').select('id').execute()).length,
  )
})

it('a search goes with filters, orders and cursors, and says how many there are in all', async () => {
  const made = []
  for (let at = 1; at <= 5; at++) {
    const fields = { title: `Cherry ${at}`, archived: at === 3 }
    made.push((await linnet.create({ short_code: `cherry-${at}`, ...fields })).shortCode)
  }
  const ask = async (rest: string) => (await linnet.api('GET', `/links?search=cherry${rest}`)).body
  const codesOf = (body: { data: readonly { shortCode: string }[] }) =>
    body.data.map(({ shortCode }) => shortCode)
  const first = await ask('&archived=false&sort=-title&per_page=2')
  const second = await ask(`&archived=false&sort=-title&per_page=2&cursor=${first.meta.nextCursor}`)
  expect([codesOf(first), codesOf(second)]).toEqual([
    ['cherry-5', 'cherry-4'],
    ['cherry-2', 'cherry-1'],
  ])
  expect([first.meta.total, second.meta.total, second.meta.nextCursor]).toEqual([4, 4, null])
  expect(codesOf(await ask('&sort=short_code'))).toEqual(made)
  expect((await ask('&page=9')).meta).toMatchObject({ total: 5, currentPage: 9 })
})
