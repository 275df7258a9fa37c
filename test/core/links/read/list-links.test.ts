import {
  CompiledQuery,
  createQueryId,
  type Kysely,
  type KyselyPlugin,
  type RootOperationNode,
  sql,
} from 'kysely'
import { expect, it } from 'vitest'
import { type LinkQuery, listLinks } from '../../../../core/links/read/list-links.ts'
import type { LinkRows, Tables } from '../../../../core/plugin.ts'
import type { Database } from '../../../../core/storage/database.ts'
import { isOnServer } from '../../../open-storage.ts'
import { addAccount, openTestDb } from '../../accounts/fixtures.ts'

/** How SQLite would find the rows of a page. */
async function planOf(db: Database, query: LinkQuery): Promise<string> {
  const nodes: RootOperationNode[] = []
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await listLinks(db.withPlugin(watch), query)
  const queries = nodes.map(node => db.getExecutor().compileQuery(node, createQueryId()))
  const page = queries.find(({ sql }) => sql.includes('key_0'))
  if (!page) throw new Error('No page was asked for.')
  const { sql, parameters } = page
  const plan = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  )
  return plan.rows.map(({ detail }) => detail).join('\n')
}

it.skipIf(isOnServer).each([
  ['created_at', 1_700_000_000_000],
  ['short_code', 'spring'],
  ['title', 'Spring'],
] as const)(
  'a page by %s begins at its cursor in an index, and sorts nothing',
  async (key, value) => {
    const db = await openTestDb()
    const { id: accountId } = await addAccount(db)
    const link = {
      account_id: accountId,
      domain: '',
      short_code: 'x',
      original_url: 'https://a.example/',
    }
    const rest = { fields: '{}', guarded_by: '[]', version: 1, created_at: 0, updated_at: 0 }
    await db
      .insertInto('links')
      .values({ ...link, ...rest, archived: 0 })
      .execute()
    for (const descending of [true, false]) {
      const page = { accountId, within: [], offset: 0, limit: 25, after: [value, 7] }
      const plan = await planOf(db, { ...page, sort: { key, descending } })
      expect(plan).toMatch(
        /SEARCH links USING (COVERING )?INDEX links_account\S* \(account_id=\? AND/,
      )
      expect(plan).not.toContain('TEMP B-TREE')
    }
  },
)

it.skipIf(isOnServer)(
  'links to an address are found by an index, whatever they are sorted by',
  async () => {
    const db = await openTestDb()
    const { id: accountId } = await addAccount(db)
    const page = { accountId, originalUrl: 'https://a.example/', within: [], offset: 0, limit: 25 }
    for (const key of ['created_at', 'title', 'short_code', 'visits'] as const) {
      const plan = await planOf(db, { ...page, sort: { key, descending: false } })
      expect(plan).toContain('INDEX links_account_address (account_id=? AND <expr>=?)')
    }
  },
)

it('a list of links has the same pages from the end as from the beginning', async () => {
  const db = await openTestDb()
  const { id: accountId } = await addAccount(db)
  const count = 2_003
  const rest = {
    domain: '',
    fields: '{}',
    guarded_by: '[]',
    version: 1,
    archived: 0,
    updated_at: 0,
  }
  for (let from = 0; from < count; from += 500) {
    const indexes = Array.from({ length: Math.min(500, count - from) }, (_, it) => from + it)
    await db
      .insertInto('links')
      .values(
        indexes.map(it => ({
          ...rest,
          account_id: accountId,
          short_code: `code-${it}`,
          original_url: 'https://a.example/',
          title: it % 3 === 0 ? null : `Title ${it % 7}`,
          created_at: (it * 7919) % 1_000,
        })),
      )
      .execute()
  }
  for (const key of ['created_at', 'title'] as const) {
    for (const descending of [true, false]) {
      const query = { accountId, within: [], sort: { key, descending } }
      const all = await listLinks(db, { ...query, offset: 0, limit: count })
      expect(all.next).toBeNull()
      for (const offset of [1_000, 1_025, 1_975, 2_000, 2_003]) {
        const page = await listLinks(db, { ...query, offset, limit: 25 })
        expect(page.total).toBe(count)
        expect(page.rows).toEqual(all.rows.slice(offset, offset + 25))
        const after =
          page.next && (await listLinks(db, { ...query, offset: 0, limit: 25, after: page.next }))
        expect(after?.rows ?? []).toEqual(all.rows.slice(offset + 25, offset + 50))
      }
    }
  }
})

it('links of filters with many rows are found some at a time, as those of few are', async () => {
  const db = await openTestDb()
  const { id: accountId } = await addAccount(db)
  const { id: other } = await addAccount(db, { email: 'eve@example.org' })
  const rest = { domain: '', fields: '{}', guarded_by: '[]', version: 1, archived: 0 }
  for (let from = 0; from < 600; from += 300) {
    await db
      .insertInto('links')
      .values(
        Array.from({ length: 300 }, (_, it) => ({
          ...{
            ...rest,
            account_id: from + it === 7 ? other : accountId,
            short_code: `c${from + it}`,
          },
          ...{ original_url: 'https://a.example/', created_at: from + it, updated_at: 0 },
        })),
      )
      .execute()
  }
  const first = await db.selectFrom('links').select('id').orderBy('id').executeTakeFirstOrThrow()
  await db.schema
    .createTable('acme_moods')
    .addColumn('mood', 'integer', c => c.notNull())
    .addColumn('link_id', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('acme_moods_key', ['mood', 'link_id'])
    .execute()
  // Every second link, every third, and so on; and, of the last mood, thousands that are nowhere.
  const moods = (mood: number, count: number, step: number) =>
    sql`
    insert into acme_moods
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
    select ${mood}, ${first.id} + i * ${step} from n`.execute(db)
  await moods(1, 300, 2)
  await moods(2, 200, 3)
  await moods(3, 11_000, 1)
  const rows = (...which: readonly number[]) =>
    (db as unknown as Kysely<Tables>)
      .selectFrom('acme_moods')
      .select('link_id')
      .where('mood', 'in', which) as unknown as LinkRows
  const ask = (within: readonly LinkRows[]) =>
    listLinks(db, {
      ...{ accountId, within, offset: 2, limit: 3, createdTo: new Date(550) },
      sort: { key: 'created_at', descending: false },
    })
  const [few, many] = [await ask([rows(1), rows(2)]), await ask([rows(1), rows(2), rows(3)])]
  expect(few.total).toBe(92)
  expect(many).toEqual(few)
  expect((await ask([rows(3)])).total).toBe(549)
  expect((await ask([rows(1, 2, 3)])).total).toBe(549)
  if (isOnServer) return
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await ask([rows(1, 2, 3)])
  clearImmediate(next)
  expect(turns).toBeGreaterThan(1)
})
