import { expect, it } from 'vitest'
import { searchLinks } from '../../../../core/links/read/search-links.ts'
import { addAccount, openTestDb } from '../../accounts/fixtures.ts'

it('an account with very many links is searched to the end, and no other account', async () => {
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
})
