import { expect, it, onTestFinished } from 'vitest'
import { aPerson } from '../../../api/people.ts'
import { boot } from '../../../harness.ts'

it('an account of many links is deleted with all of them, in parts, and keeps its codes from others', async () => {
  const linnet = await boot([])
  onTestFinished(() => linnet.stop())
  const ada = await aPerson(linnet)
  await ada.moveTo('unlimited')
  const session = await ada.session()
  const as = (method: string, path: string, body?: unknown) =>
    linnet.api(method, path, body, { 'sec-fetch-site': 'same-origin', ...session })
  // Three parts of 256, the last one not full.
  for (let part = 0; part < 6; part += 1) {
    const links = Array.from({ length: 100 }, () => ({ original_url: 'https://example.com/' }))
    expect((await as('POST', '/links/bulk', { links })).status).toBe(200)
  }
  const { shortCode } = await linnet.create()
  const count = async (table: 'links' | 'link_texts' | 'short_codes') => {
    const row = await linnet.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }
  expect([await count('links'), await count('link_texts')]).toEqual([601, 601])
  const { id } = (await as('GET', '/profile')).body.data
  expect((await linnet.api('DELETE', `/admin/accounts/${id}`)).status).toBe(204)
  expect([await count('links'), await count('link_texts'), await count('short_codes')]).toEqual([
    1, 1, 601,
  ])
  const nobodys = await linnet.db
    .selectFrom('short_codes')
    .select('code')
    .where('account_id', 'is', null)
    .where('link_id', 'is', null)
    .execute()
  expect(nobodys).toHaveLength(600)
  expect((await linnet.visit(shortCode)).status).toBe(302)
})
