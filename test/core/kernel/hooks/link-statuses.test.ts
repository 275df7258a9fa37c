import { afterEach, expect, it } from 'vitest'
import { type Context, definePlugin, type Plugin } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let house: Harness
afterEach(() => house?.stop())

const parts = {
  feature: 'a.ends',
  about: 'Ends links.',
  migrations: {
    '1': async ({ schema }) => {
      await schema
        .createTable('a_ends')
        .addColumn('link_id', 'integer')
        .addColumn('ends_at', 'bigint')
        .execute()
    },
  },
} satisfies Partial<Plugin>

const failed = { status: 503, detail: 'The plugin a.ends failed. Try again later.' }

const list = async (query = '') => {
  const { status, body } = await house.api('GET', `/links${query}`)
  return { status, detail: body.detail }
}

/** Queries in plain JavaScript, which no compiler has seen. */
const reads = (table: string, columns: readonly string[]) => (context: Context) =>
  context.db.selectFrom(table).select(columns as readonly 'link_id'[])

it.each([
  ['selects a column that its table does not have', reads('a_ends', ['no_column'])],
  ['selects two columns', reads('a_ends', ['link_id', 'ends_at'])],
  ['reads a table that does not exist', reads('a_ends_ago', ['link_id'])],
])(
  'refuses only the lists by status when the status of a plugin %s, and names it',
  async (_, expired) => {
    house = await boot(definePlugin({ ...parts, statuses: { expired } }) as Plugin)
    const { id } = await house.create()
    for (const status of ['expired', 'active'])
      expect(await list(`?status=${status}`)).toEqual(failed)
    expect(await list()).toMatchObject({ status: 200 })
    expect((await house.api('GET', `/links/${id}`)).body.data.status).toBe('active')
    expect(house.log.some(line => line.startsWith('a.ends statuses.expired failed: '))).toBe(true)
  },
)

it.each([
  ['selects a column that its table does not have', reads('a_ends', ['no_column'])],
  ['selects two columns', reads('a_ends', ['link_id', 'ends_at'])],
])('refuses only the analytics of a group that %s, and names its plugin', async (_, rows) => {
  const group = {
    summary: 'Ends',
    links: (_id: string, _caller: unknown, context: Context) => rows(context),
  }
  house = await boot(definePlugin({ ...parts, groups: { '/ends': group } }) as Plugin)
  expect((await house.api('GET', '/ends/1/analytics')).status).toBe(500)
  expect((await house.api('GET', '/analytics')).status).toBe(200)
  expect(house.log.some(line => line.startsWith('a.ends groups /ends failed: '))).toBe(true)
})
