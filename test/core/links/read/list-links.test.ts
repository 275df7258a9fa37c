import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { expect, it } from 'vitest'
import { type LinkQuery, listLinks } from '../../../../core/links/read/list-links.ts'
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
