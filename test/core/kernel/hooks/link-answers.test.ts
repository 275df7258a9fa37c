import { afterEach, beforeEach, expect, it } from 'vitest'
import { definePlugin, number, text, z } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

/** For how many links each plugin was asked. */
let asked: { quiet: number; asking: number }
let linnet: Harness

const quiet = definePlugin({
  feature: 'link.quiet',
  about: 'Says beforehand what new links show.',
  fields: { mood: text({ label: 'Mood' }) },
  computed: {
    schema: { moods: z.array(z.string()) },
    of(links) {
      asked.quiet += links.length
      return links.map(() => ({ moods: ['asked'] }))
    },
    atFirst: { moods: [] },
  },
})
const asking = definePlugin({
  feature: 'link.asking',
  about: 'Is asked for every link.',
  fields: { size: number({ label: 'Size' }) },
  computed: {
    schema: { ownId: z.string() },
    of(links) {
      asked.asking += links.length
      return links.map(({ id }) => ({ ownId: id }))
    },
  },
})

beforeEach(async () => {
  asked = { quiet: 0, asking: 0 }
  linnet = await boot([quiet, asking])
})
afterEach(() => linnet.stop())

const original_url = 'https://example.com/'
const make = async (fields: object = {}) =>
  (await linnet.api('POST', '/links', { original_url, ...fields })).body.data

it('a new link without fields of plugins shows what a plugin said beforehand; others are asked', async () => {
  const link = await make({ title: 'Mine', archived: true })
  expect(link).toMatchObject({ moods: [], ownId: link.id, status: 'archived' })
  expect(link).toMatchObject({ visits: { total: 0 }, lastVisitAt: null })
  expect(asked).toEqual({ quiet: 0, asking: 1 })
})

it('any other link shows what each plugin computes', async () => {
  expect(await make({ size: 3 })).toMatchObject({ moods: ['asked'], size: 3 })
  expect(await make({ mood: 'good' })).toMatchObject({ moods: ['asked'], mood: 'good' })
  const { id } = await make()
  expect((await linnet.api('GET', `/links/${id}`)).body.data).toMatchObject({ moods: ['asked'] })
  expect(asked).toEqual({ quiet: 3, asking: 4 })
})

it('links made by one request show the same as links made one by one', async () => {
  const links = [{ original_url }, { original_url, mood: 'good' }, { original_url }]
  const { body } = await linnet.api('POST', '/links/bulk', { links })
  const shown = body.data.map(({ link }: { link: { moods: string[] } }) => link.moods)
  expect(shown).toEqual([[], ['asked'], []])
})

it('a plugin that may not read a file of its own leaves links without what it computes, and is named', async () => {
  await linnet.stop()
  const locked = definePlugin({
    feature: 'link.locked',
    about: 'Cannot read its key.',
    computed: {
      schema: { key: z.string().nullable() },
      of() {
        throw Object.assign(new Error("EACCES: permission denied, open '/key'"), { code: 'EACCES' })
      },
    },
  })
  linnet = await boot([quiet, locked])
  const made = await linnet.api('POST', '/links', { original_url })
  expect([made.status, made.body.data.key]).toEqual([201, null])
  const { status, body } = await linnet.api('GET', '/links')
  expect([status, body.data[0]]).toMatchObject([200, { moods: ['asked'], key: null }])
  expect(linnet.log.join()).toContain('link.locked computed failed: EACCES')
})

it('a page of many links waits once for a plugin that never answers', async () => {
  await linnet.stop()
  const calls: number[] = []
  const slow = definePlugin({
    feature: 'link.slow',
    about: 'Never says what it shows.',
    computed: {
      schema: { weather: z.string().nullable() },
      of(links) {
        calls.push(links.length)
        return new Promise<never>(() => undefined)
      },
      atFirst: { weather: 'fine' },
    },
  })
  linnet = await boot([quiet, slow], { patienceMs: 500 })
  const links = Array.from({ length: 40 }, () => ({ original_url }))
  expect((await linnet.api('POST', '/links/bulk', { links })).status).toBe(200)
  const { status, body } = await linnet.api('GET', '/links?per_page=40')
  expect([status, body.data.length, calls.length]).toEqual([200, 40, 1])
  for (const link of body.data) expect(link).toMatchObject({ moods: ['asked'], weather: null })
})
