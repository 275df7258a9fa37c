import { afterAll, beforeAll, expect, it } from 'vitest'
import customShortCode from '../../plugins/link/custom-short-code.ts'
import editShortCode from '../../plugins/link/edit-short-code.ts'
import { boot, type Harness } from '../harness.ts'
import { aPerson } from './people.ts'

const links = [
  { short_code: 'fig', originalUrl: 'https://例え.example/ünï%20x?q=1', title: 'Das Über-Büro' },
  { short_code: 'apple', originalUrl: 'https://example.com/100%25', title: 'Ὀδός' },
  { short_code: 'pear', originalUrl: 'https://example.com/%ff', title: 'Straße' },
  { short_code: 'plum', originalUrl: 'https://example.com/', title: null },
]

let house: Harness

beforeAll(async () => {
  house = await boot([customShortCode, editShortCode])
  for (const link of links) await house.create(link)
  const quince = await house.create({ short_code: 'quince' })
  const short_code = 'new'
  const changed = await house.api('PATCH', `/links/${quince.id}`, { short_code })
  expect(changed.status).toBe(200)
  const onDomain = await house.create({ short_code: 'grape' })
  const domain = 'xn--r8jz45g.example'
  const { db } = house
  for (const table of ['links', 'short_codes'] as const) {
    const code = table === 'links' ? 'short_code' : 'code'
    await db.updateTable(table).set({ domain }).where(code, '=', onDomain.shortCode).execute()
  }
  const stranger = await (await aPerson(house)).session()
  const theirs = { original_url: 'https://example.com/theirs', short_code: 'theirs' }
  expect((await house.api('POST', '/links', theirs, stranger)).status).toBe(201)
})
afterAll(() => house.stop())

it.each([
  ['letters beyond ASCII', 'Über', 'fig'],
  ['the same in the other case', 'ÜBER-BÜRO', 'fig'],
  ['the same, put together of two characters', 'u\u0308ber', 'fig'],
  ['Greek', 'ὈΔΌΣ', 'apple'],
  ['a sharp s in capitals', 'STRASSE', 'pear'],
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
  const { status, body } = await house.api('GET', `/links?search=${encodeURIComponent(search)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const codes = body.data.map(({ shortCode }: { shortCode: string }) => shortCode)
  expect(codes.join(' ')).toBe(expected)
  expect(body.meta.total).toBe(codes.length)
})
