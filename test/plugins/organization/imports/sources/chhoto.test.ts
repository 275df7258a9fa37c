import { describe, expect, it } from 'vitest'
import { chhoto } from '../../../../../plugins/organization/imports/sources/chhoto.ts'
import { type Answer, fetch, serve } from '../api-server.ts'
import { conforms, readAll } from '../conformance.ts'
import { writtenFile } from '../written-file.ts'

const file = new URL('./chhoto/chhoto.sqlite', import.meta.url).pathname
const link = (row: string, code: string) => ({ kind: 'link', row, id: code, host: null, code })
const ends = { originalUrl: 'https://example.org/café', expiresAt: '2030-01-01T00:00:00.000Z' }

describe('with its SQLite file', () => {
  conforms(chhoto, { file })

  it('yields links with their ends, notes and sums of visits, without dates that nobody knows', async () => {
    expect(await readAll(chhoto, { file })).toEqual([
      {
        ...{ ...link('urls id 1', 'spring'), visits: 12 },
        fields: { originalUrl: 'https://example.com/', notes: 'First\nsecond' },
      },
      { ...link('urls id 2', 'ends'), fields: ends, visits: 0 },
      { ...link('urls id 3', 'never'), fields: { originalUrl: 'magnet:?xt=urn:x' }, visits: 3 },
    ])
  })
})

it('yields the same of what the shell of SQLite writes of it', async () => {
  const dump = String.raw`PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE urls (id INTEGER PRIMARY KEY, short_url TEXT UNIQUE, long_url TEXT, hits INTEGER, expiry_time INTEGER, notes TEXT);
INSERT INTO urls VALUES(1,'spring','https://example.com/',12,0,replace('First\nsecond','\n',char(10)));
INSERT INTO urls VALUES(2,'ends','https://example.org/café',0,1893456000,unistr('a\u000d\u000ab'));
COMMIT;
`
  expect(await readAll(chhoto, { file: writtenFile(dump) })).toMatchObject([
    { code: 'spring', visits: 12, fields: { notes: 'First\nsecond' } },
    { code: 'ends', fields: { ...ends, notes: 'a\r\nb' } },
  ])
})

describe('with its API', () => {
  const all = [
    { shortlink: 'spring', longlink: 'https://example.com/', hits: 12, expiry_time: 0, notes: 'a' },
    {
      shortlink: 'ends',
      longlink: ends.originalUrl,
      hits: 0,
      expiry_time: 1_893_456_000,
      notes: '',
    },
    { shortlink: 'wrong' },
  ]
  const settings = (url: string) => ({ url, key: 'abc' })
  conforms(chhoto, {
    settings: settings('https://c.test'),
    fetch: async (url, options) => {
      const { base, close } = await serve(() => ({ json: all }))
      return fetch(url.replace('https://c.test', base), options).finally(close)
    },
  })

  it('yields the same, and says what it cannot read', async () => {
    const { base, got } = await serve(() => ({ json: all }))
    expect(await readAll(chhoto, { settings: settings(base), fetch })).toEqual([
      {
        ...{ ...link('link spring', 'spring'), visits: 12 },
        fields: { originalUrl: 'https://example.com/', notes: 'a' },
      },
      { ...link('link ends', 'ends'), fields: ends, visits: 0 },
      {
        ...{ kind: 'refused', row: 'link 3' },
        reason: 'Its longlink is not what the API should have there.',
      },
    ])
    expect(got.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
      ['/api/all', 'abc'],
    ])
  })

  it.each<[what: string, answer: Answer, says: string]>([
    ['the key is wrong', { status: 401, json: {} }, 'does not accept the key'],
    ['another server answers', { json: { hello: 1 } }, '/api/all does not answer with a list'],
  ])('says so if %s', async (_, answer, says) => {
    const { base } = await serve(() => answer)
    await expect(readAll(chhoto, { settings: settings(base), fetch })).rejects.toThrow(says)
  })
})

it('says what it needs', async () => {
  await expect(readAll(chhoto, {})).rejects.toThrow('There is neither a file nor the address')
})
