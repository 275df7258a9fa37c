import { afterEach, describe, expect, it } from 'vitest'
import { checkPlugin } from '../../../../core/kernel/load/check-plugin.ts'
import { type Context, definePlugin, type Plugin, toggle } from '../../../../core/plugin.ts'
import linkExpiration from '../../../../plugins/link/link-expiration.ts'
import { operationsOf, readDocument } from '../../../api/document.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet?.stop())

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

const shown = { label: 'Expired', rank: 700 }

const failed = { status: 503, detail: 'The plugin a.ends failed. Try again later.' }

const list = async (query = '') => {
  const { status, body } = await linnet.api('GET', `/links${query}`)
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
  'Linnet refuses only the lists by status when the status of a plugin %s, and names it',
  async (_, expired) => {
    linnet = await boot(
      definePlugin({ ...parts, statuses: { expired: { ...shown, links: expired } } }) as Plugin,
    )
    const { id } = await linnet.create()
    for (const status of ['expired', 'active'])
      expect(await list(`?status=${status}`)).toEqual(failed)
    expect(await list()).toMatchObject({ status: 200 })
    expect((await linnet.api('GET', `/links/${id}`)).body.data.status).toBe('active')
    expect(linnet.log.some(line => line.startsWith('a.ends statuses.expired failed: '))).toBe(true)
  },
)

describe('a status of a plugin', () => {
  /** What somebody else could bring: links that rest, which only an archived or blocked link hides. */
  const paused = definePlugin({
    feature: 'a.pauses',
    about: 'Let links rest.',
    translations: { de: { Paused: 'Pausiert' } },
    migrations: {
      '1': async ({ schema }) => {
        await schema
          .createTable('a_pauses')
          .addColumn('link_id', 'bigint', c => c.references('links.id').onDelete('cascade'))
          .execute()
      },
    },
    fields: { paused: toggle({ label: 'Paused', stored: false }) },
    async save({ rowId }, { paused: isPaused }, { db }) {
      if (isPaused) await db.insertInto('a_pauses').values({ link_id: rowId }).execute()
      return undefined
    },
    statuses: {
      paused: {
        label: 'Paused',
        rank: 750,
        links: ({ db }) => db.selectFrom('a_pauses').select('link_id'),
      },
    },
  })

  const listed = async (status: string) => {
    const { body } = await linnet.api('GET', `/links?status=${status}`)
    return body.data.map(({ id }: { readonly id: string }) => id)
  }
  const statusOf = async (id: string) => (await linnet.api('GET', `/links/${id}`)).body.data.status
  const described = async () => {
    const operations = operationsOf(await readDocument(linnet))
    const list = operations.find(({ operation }) => operation.operationId === 'links.list')
    const { parameters = [] } = list?.operation ?? {}
    return parameters.find(({ name }) => name === 'status')?.schema.enum
  }

  it('is shown, listed and described by its rank among those of other plugins', async () => {
    linnet = await boot([paused, linkExpiration])
    const ended = { expiresAt: '2026-11-20T12:00:01Z' }
    const resting = await linnet.create({ paused: true, ...ended })
    const over = await linnet.create(ended)
    linnet.at('2026-11-20T12:00:02Z')
    expect(await statusOf(resting.id)).toBe('paused')
    expect(await statusOf(over.id)).toBe('expired')
    expect(await listed('paused')).toEqual([resting.id])
    expect(await listed('expired')).toEqual([over.id])
    await linnet.api('PATCH', `/links/${resting.id}`, { archived: true })
    expect(await statusOf(resting.id)).toBe('archived')
    expect(await listed('paused')).toEqual([])
    const all = ['archived', 'paused', 'expired', 'exhausted', 'scheduled', 'active']
    expect(await described()).toEqual(all)
  })

  it('is in what plugins bring, in the language of the reader', async () => {
    linnet = await boot(paused)
    const { body } = await linnet.api('GET', '/plugins', undefined, { 'accept-language': 'de' })
    const own = body.data.find(({ feature }: Plugin) => feature === 'a.pauses')
    expect(own.statuses).toEqual([{ name: 'paused', label: 'Pausiert', tone: null }])
  })

  it('is no status, and no filter, while the plugin is off', async () => {
    linnet = await boot(paused)
    const { id } = await linnet.create({ paused: true })
    linnet = await linnet.restart([])
    expect(await statusOf(id)).toBe('active')
    expect(await described()).toEqual(['archived', 'active'])
    const { status, body } = await linnet.api('GET', '/links?status=paused')
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          field: 'status',
          code: 'invalid_value',
          message: 'Must be one of: archived, active.',
        },
      ],
    ])
  })

  it.each([
    [{ Paused: shown }, 'has a status "Paused". Use small letters'],
    [{ archived: shown }, 'has a status "archived". Use small letters'],
    [{ paused: { ...shown, rank: 'high' } }, 'without a whole number as its rank'],
    [{ paused: { rank: 1 } }, 'has a wrong statuses.paused.label'],
  ])('is refused when it is declared wrongly: %o', (statuses, message) => {
    const links = () => undefined
    const wrong = Object.fromEntries(
      Object.entries(statuses).map(([name, it]) => [name, { links, ...it }]),
    )
    const plugin = {
      ...definePlugin({ feature: 'a.wrong', about: 'It is wrong.' }),
      statuses: wrong,
    }
    expect(checkPlugin(plugin, 'a.wrong').join()).toContain(message)
  })
})

it.each([
  ['selects a column that its table does not have', reads('a_ends', ['no_column'])],
  ['selects two columns', reads('a_ends', ['link_id', 'ends_at'])],
])('refuses only the analytics of a group that %s, and names its plugin', async (_, rows) => {
  const group = {
    summary: 'Ends',
    links: (_id: string, _caller: unknown, context: Context) => rows(context),
  }
  linnet = await boot(definePlugin({ ...parts, groups: { '/ends': group } }) as Plugin)
  expect((await linnet.api('GET', '/ends/1/analytics')).status).toBe(500)
  expect((await linnet.api('GET', '/analytics')).status).toBe(200)
  expect(linnet.log.some(line => line.startsWith('a.ends groups /ends failed: '))).toBe(true)
})
