import { afterEach, expect, it } from 'vitest'
import { checkPlugin } from '../../../../core/kernel/load/check-plugin.ts'
import { definePlugin, type Filter, type Plugin, z } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet?.stop())

const filtering = (filter: Filter): Plugin =>
  definePlugin({
    feature: 'a.moods',
    about: 'Filters links by mood.',
    filter,
    migrations: {
      '1': async ({ schema }) => {
        await schema
          .createTable('a_moods')
          .addColumn('link_id', 'integer')
          .addColumn('mood', 'text')
          .execute()
      },
    },
  }) as Plugin

const list = async (query = '') => {
  const { status, body } = await linnet.api('GET', `/links${query}`)
  return { status, detail: body.detail }
}

const boom = () => {
  throw new Error('boom')
}

const failed = { status: 503, detail: 'The plugin a.moods failed. Try again later.' }

it('links are listed without the parameter of a filter that does not call it optional', async () => {
  linnet = await boot(filtering({ query: { mood: z.string() }, where: () => undefined }))
  await linnet.create()
  expect(await list()).toMatchObject({ status: 200 })
  expect(await list('?mood=calm')).toMatchObject({ status: 200 })
  expect((await list('?mood=calm&mood=cross')).status).toBe(422)
})

it('a filter is asked only if one of its parameters was sent', async () => {
  const asked: unknown[] = []
  const where: Filter['where'] = query => {
    asked.push(query)
    return undefined
  }
  linnet = await boot(filtering({ query: { mood: z.string(), calm: z.coerce.boolean() }, where }))
  await list()
  await list('?archived=false')
  expect(asked).toEqual([])
  await list('?mood=cross')
  expect(asked).toEqual([expect.objectContaining({ mood: 'cross' })])
})

/** A filter in plain JavaScript, which no compiler has seen. */
const reads =
  (columns: readonly string[]): Filter['where'] =>
  (_, { db }) =>
    db.selectFrom('a_moods').select(columns as readonly 'link_id'[])

it('the links that a filter selects are listed', async () => {
  linnet = await boot(filtering({ query: { mood: z.string() }, where: reads(['link_id']) }))
  await linnet.create()
  expect((await linnet.api('GET', '/links')).body.data).toHaveLength(1)
  expect((await linnet.api('GET', '/links?mood=calm')).body.data).toEqual([])
})

it.each<[string, Filter['where']]>([
  ['throws', boom],
  ['selects a column that its table does not have', reads(['no_column'])],
  ['selects two columns', reads(['link_id', 'mood'])],
  ['returns something else', (() => 'calm') as unknown as Filter['where']],
])(
  'Linnet refuses only the lists that use a filter that %s, and names its plugin',
  async (_, where) => {
    linnet = await boot(filtering({ query: { mood: z.string() }, where }))
    expect(await list('?mood=calm')).toEqual(failed)
    expect(await list()).toMatchObject({ status: 200 })
    expect(await list('?search=a')).toMatchObject({ status: 200 })
    expect(linnet.log.some(line => line.startsWith('a.moods filter failed: '))).toBe(true)
  },
)

it.each<[string, z.ZodType]>([
  ['has a default', z.string().default('calm')],
  ['throws by its default', z.string().default(boom)],
])('a filter cannot have a parameter that %s, because every list would have it', (_, mood) => {
  const plugin = filtering({ query: { mood }, where: () => undefined })
  expect(checkPlugin(plugin, 'a.moods')).toEqual([
    'a.moods has a filter mood that applies to lists without it. Remove its default.',
  ])
})
