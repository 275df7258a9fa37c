import { expressionBuilder } from 'kysely'
import { expect, it } from 'vitest'
import {
  conditionOf,
  type LinkSearch,
  searchLinks,
} from '../../../../core/links/read/search-links.ts'
import type { Database } from '../../../../core/storage/database.ts'
import type { Schema } from '../../../../core/storage/schema.ts'
import { isOnServer } from '../../../open-storage.ts'
import { addAccount, openTestDb } from '../../accounts/fixtures.ts'

/** As each of the databases is asked. */
async function search(db: Database, asked: LinkSearch): Promise<readonly number[]> {
  if (!isOnServer) return searchLinks(db, asked)
  const { isFound, count } = await conditionOf(db, asked)
  const rows = await db
    .selectFrom('links')
    .select('id')
    .where(isFound)
    .where(eb => eb.and(asked.conditions ?? []))
    .orderBy('id')
    .execute()
  expect(await count()).toBe(rows.length)
  return rows.map(({ id }) => id)
}

it.skipIf(isOnServer)(
  'an account with very many links is searched to the end, and no other account',
  async () => {
    const db = await openTestDb()
    const { id: accountId } = await addAccount(db)
    const { id: other } = await addAccount(db)
    const ids = [7, 8, 16_390, 16_391, 16_392, 60_000, 90_000]
    const texts = ids.map(link_id => ({ link_id, text: link_id === 8 ? 'ELSE' : 'SPRING SALE' }))
    await db
      .insertInto('link_texts')
      .values(texts.map(it => ({ ...it, account_id: it.link_id === 16_391 ? other : accountId })))
      .execute()
    const search = 'sale spring'
    const found = ids.filter(id => id !== 8 && id !== 16_391)
    expect(await searchLinks(db, { accountId, search })).toEqual(found)
    expect(await searchLinks(db, { accountId: other, search })).toEqual([16_391])
    expect(await searchLinks(db, { accountId: 99, search })).toEqual([])
  },
)

/** Links with long texts, and how long it takes to search them. */
async function withLongTexts(links: number) {
  const db = await openTestDb()
  const { id: accountId } = await addAccount(db)
  const text = 'A'.repeat(10_000)
  const texts = Array.from({ length: links }, (_, link_id) => ({ link_id, text }))
  const rows = texts.map(it => ({ ...it, account_id: accountId }))
  await db.insertInto('link_texts').values(rows).execute()
  return async (search: string) => {
    const began = performance.now()
    expect(await searchLinks(db, { accountId, search })).toEqual([])
    return performance.now() - began
  }
}

it.skipIf(isOnServer)('redirects have their turn while long texts are searched', async () => {
  const search = await withLongTexts(300)
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await search('zebra')
  clearImmediate(next)
  expect(turns).toBeGreaterThan(1)
})

it.skipIf(isOnServer)(
  'a long word that almost fits takes hardly longer to look for than a short one',
  async () => {
    const search = await withLongTexts(20)
    const least = async (word: string) =>
      Math.min(await search(word), await search(word), await search(word))
    const short = await least(`${'a'.repeat(7)}b`)
    expect(await least(`${'a'.repeat(199)}b`)).toBeLessThan(8 * short)
  },
)

it('what else must be true of links is asked of those with the words and of the one at the short URL', async () => {
  const db = await openTestDb()
  const { id: accountId } = await addAccount(db)
  const at = { created_at: 0, updated_at: 0 }
  const codes = ['first', 'second', 'third']
  for (const [index, code] of codes.entries()) {
    const id = index + 1
    const link = { id, account_id: accountId, domain: '', short_code: code, ...at }
    const rest = { original_url: 'https://a.example/', fields: '{}', guarded_by: '[]', version: 1 }
    await db
      .insertInto('links')
      .values({ ...link, ...rest, archived: index % 2 })
      .execute()
    const owner = { link_id: id, account_id: accountId }
    await db
      .insertInto('short_codes')
      .values({ domain: '', code, ...owner, created_at: 0 })
      .execute()
    await db
      .insertInto('link_texts')
      .values({ ...owner, text: id === 3 ? 'ELSE' : 'SALE' })
      .execute()
  }
  const found = (code: string, archived?: number) =>
    search(db, {
      accountId,
      search: 'sale',
      shortUrl: [{ domain: '', code }],
      conditions:
        archived === undefined
          ? []
          : [expressionBuilder<Schema, 'links'>()('links.archived', '=', archived)],
    })
  expect(await found('third')).toEqual([1, 2, 3])
  expect(await found('third', 0)).toEqual([1, 3])
  expect(await found('third', 1)).toEqual([2])
  expect(await found('nowhere', 1)).toEqual([2])
  const shortUrl = [{ domain: '', code: 'third' }]
  expect(await search(db, { accountId, search: 'https://', shortUrl })).toEqual([3])
  expect(await search(db, { accountId, search: ' ' })).toEqual([])
  expect(await search(db, { accountId: accountId + 1, search: 'sale', shortUrl })).toEqual([])
})
