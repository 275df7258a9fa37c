import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  featuresWithRemains,
  findRemains,
  purgePlugin,
} from '../../../../core/kernel/run/purge-plugin.ts'
import {
  type Context,
  definePlugin,
  endpoint,
  type Plugin,
  refuse,
  type Store,
  text,
  z,
} from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

const stores = new Map<string, Store>()

/** A plugin that stores what a link's field says, and then refuses a word. */
const storing = (feature: Plugin['feature'], name: string) =>
  definePlugin({
    feature,
    about: 'A plugin for a test.',
    setup: (context: Context) => void stores.set(feature, context.store),
    fields: { [name]: text({ label: 'Word', stored: false }) },
    async save(link, given, { store }) {
      await store.set(link.id, given[name] as string)
      return given[name] === 'bad' ? refuse('bad_word', 'Not this one.') : undefined
    },
    limits: { [`max${name}`]: { label: 'Words', used: `${name}Count` } },
    usage: { [`${name}Count`]: async (_, { store }) => (await store.list()).length },
    endpoints: {
      [`POST /${name}`]: endpoint({
        summary: 'Store a word',
        scope: 'links:write',
        limit: `max${name}`,
        body: z.strictObject({ word: z.string() }),
        answer: z.strictObject({ data: z.int() }),
        async handle({ body: { word } }, { store }) {
          await store.set(word, true)
          const { length } = await store.list()
          return word === 'bad' ? refuse('bad_word', 'Not this one.') : { data: length }
        },
      }),
    },
  })

let linnet: Harness
let store: Store

beforeEach(async () => {
  linnet = await boot([storing('a.words', 'word'), storing('a.others', 'other')])
  store = stores.get('a.words') as Store
})
afterEach(() => linnet.stop())

describe('the store of a plugin', () => {
  it('keeps what JSON can say, and replaces it', async () => {
    expect(await store.get('mood')).toBeUndefined()
    await store.set('mood', { of: ['calm', 7, true, null] })
    expect(await store.get('mood')).toEqual({ of: ['calm', 7, true, null] })
    await store.set('mood', null)
    expect(await store.get('mood')).toBeNull()
    expect([await store.delete('mood'), await store.delete('mood')]).toEqual([true, false])
    expect(await store.get('mood')).toBeUndefined()
  })

  it('lists by the beginning of the key, a hundred at a time', async () => {
    for (let at = 0; at < 120; at += 1) await store.set(`n/${100 + at}`, at)
    for (const key of ['m', 'n', 'n%', 'n/', 'N/1', 'ñ/1', 'o']) await store.set(key, key)
    const first = await store.list('n/')
    expect(first.map(({ key }) => key).slice(0, 3)).toEqual(['n/', 'n/100', 'n/101'])
    expect(first).toHaveLength(100)
    const rest = await store.list('n/', first.at(-1)?.key)
    expect([rest.length, rest.at(-1)]).toEqual([21, { key: 'n/219', value: 119 }])
    expect(await store.list('ñ')).toEqual([{ key: 'ñ/1', value: 'ñ/1' }])
    expect((await store.list()).at(0)).toEqual({ key: 'N/1', value: 'N/1' })
  })

  it('is nobody else’s', async () => {
    await store.set('mood', 'calm')
    const other = stores.get('a.others')
    expect([await other?.get('mood'), await other?.list()]).toEqual([undefined, []])
    await other?.delete('mood')
    expect(await store.get('mood')).toBe('calm')
  })

  it('is in the transaction that saves a link', async () => {
    const { id } = await linnet.create({ word: 'good' })
    const draft = { originalUrl: 'https://example.com/', word: 'bad' }
    expect((await linnet.api('POST', '/links', draft)).status).toBe(422)
    expect(await store.list()).toEqual([{ key: id, value: 'good' }])
  })

  it('is in the transaction of an endpoint that has one', async () => {
    expect((await linnet.api('POST', '/word', { word: 'good' })).body).toEqual({ data: 1 })
    expect((await linnet.api('POST', '/word', { word: 'bad' })).status).toBe(422)
    expect((await store.list()).map(({ key }) => key)).toEqual(['good'])
  })

  it.each([
    ['an empty key', '', 1, '1 to 200 characters'],
    ['a long key', 'x'.repeat(201), 1, '1 to 200 characters'],
    ['a large value', 'x', 'x'.repeat(65_535), 'is larger than 64 KiB'],
    ['what is no JSON', 'x', undefined, 'must be JSON'],
  ])('refuses %s', async (_, key, value, sentence) => {
    await expect(store.set(key, value as string)).rejects.toThrow(sentence)
    expect(await store.list()).toEqual([])
  })

  it('takes 10,000 values, and then only others for those', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ key: `k${at}`, value: '1' }))
    for (let at = 0; at < rows.length; at += 1_000) {
      const some = rows.slice(at, at + 1_000).map(row => ({ feature: 'a.words', ...row }))
      await linnet.db.insertInto('plugin_store').values(some).execute()
    }
    await expect(store.set('one more', 1)).rejects.toThrow('a.words already stores 10000 values.')
    await store.set('k7', 2)
    await store.delete('k8')
    await store.set('one more', 1)
    expect([await store.get('k7'), await store.get('one more')]).toEqual([2, 1])
  })

  it('stays while the plugin is off, and goes when it is purged', async () => {
    await store.set('mood', 'calm')
    await stores.get('a.others')?.set('mood', 'glad')
    const off = await linnet.restart([])
    expect(await featuresWithRemains(off.db)).toEqual(['a.others', 'a.words'])
    const remains = { tables: [], links: 0, values: 1 }
    expect(await findRemains(off.db, 'a.words')).toEqual(remains)
    expect(await purgePlugin(off.db, 'a.words')).toEqual(remains)
    expect(await off.db.selectFrom('plugin_store').selectAll().execute()).toEqual([
      { feature: 'a.others', key: 'mood', value: '"glad"' },
    ])
    await off.app.close()
  })
})
