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
