import type { KyselyPlugin } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { type HandOverDeps, handOverWith } from '../../../../core/links/write/hand-over.ts'
import { definePlugin, type Event } from '../../../../core/plugin.ts'
import type { Database } from '../../../../core/storage/database.ts'
import { aPerson } from '../../../api/people.ts'
import { boot } from '../../../harness.ts'

const heard: Event[] = []
const listening = definePlugin({
  feature: 'acme.listening',
  about: 'Hear of links.',
  events: { kinds: ['link'], handle: event => void heard.push(event) },
})

const deps: Omit<HandOverDeps, 'hooks'> = {
  shortUrls: { of: ({ shortCode }) => `https://go.example.org/${shortCode}`, hostOf: () => '' },
  now: () => new Date('2026-11-21T12:00:00Z'),
}

/** The database, with the kind of each statement noted that is run with it. */
function noted(db: Database): { readonly db: Database; readonly kinds: string[] } {
  const kinds: string[] = []
  const note: KyselyPlugin = {
    transformQuery({ node }) {
      kinds.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { db: db.withPlugin(note), kinds }
}

it('an account of many links gives them away in parts, with their codes, texts and events, and a trial writes nothing of them', async () => {
  const linnet = await boot([listening, 'link.externalId'])
  onTestFinished(() => linnet.stop())
  const { account } = await aPerson(linnet)
  const ada = (await linnet.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id
  // Three parts of 256, and two of 500 external ids.
  for (let part = 0; part < 6; part += 1) {
    const links = Array.from({ length: 100 }, (_, n) => ({
      ...{ original_url: 'https://example.com/', external_id: `${part}-${n}` },
    }))
    expect((await linnet.api('POST', '/links/bulk', { links })).status).toBe(200)
  }
  const { id } = await linnet.create()
  expect((await linnet.api('DELETE', `/links/${id}`)).status).toBe(204)
  await linnet.settled()
  heard.length = 0
  const owned = async () => {
    const counts: number[] = []
    const tables = ['links', 'link_texts', 'short_codes', 'deleted_links'] as const
    for (const table of [...tables, 'link_external_id' as 'links']) {
      const rows = await linnet.db
        .selectFrom(table)
        .select('account_id')
        .where('account_id', '=', account.id)
        .execute()
      counts.push(rows.length)
    }
    return counts
  }

  const { db, kinds } = noted(linnet.db)
  const hooks: HandOverDeps['hooks'] = { show: () => ({}), handOver: async () => undefined }
  const what = { from: ada, to: account.id }
  const given = await handOverWith({ ...deps, hooks, db }, what, () => undefined, true)
  expect(given).toBe(600)
  expect(new Set(kinds)).toEqual(new Set(['SelectQueryNode']))

  const from = linnet.account.id
  const to = (await linnet.api('GET', `/admin/accounts?search=${account.email}`)).body.data[0].id
  const handOver = (query = '') =>
    linnet.api('POST', `/admin/accounts/${from}/hand-over${query}`, { to })
  expect((await handOver('?dry_run=true')).body.data).toEqual({ links: 600 })
  expect(await owned()).toEqual([0, 0, 0, 0, 0])

  expect((await handOver()).body.data).toEqual({ links: 600 })
  expect(await owned()).toEqual([600, 600, 601, 1, 600])
  await linnet.settled()
  expect(heard).toHaveLength(600)
  expect(new Set(heard.map(it => [it.type, it.accountId, ...it.changed].join(' ')))).toEqual(
    new Set([`link.updated ${account.id} account`]),
  )
})
