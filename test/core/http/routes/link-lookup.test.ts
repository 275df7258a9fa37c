import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import editShortCode from '../../../../plugins/link/edit-short-code.ts'
import { boot, type Harness } from '../../../harness.ts'
import { addAccount } from '../../accounts/fixtures.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([customShortCode, editShortCode])
})
afterEach(() => linnet.stop())

describe('GET /links/lookup', () => {
  const lookUp = (query: string) => linnet.api('GET', `/links/lookup?${query}`)

  it('finds a link by its short code, as GET /links/:id shows it', async () => {
    const link = await linnet.create({ shortCode: 'spring' })
    const found = await lookUp('short_code=spring')
    const read = await linnet.api('GET', `/links/${link.id}`)
    expect([found.status, found.body]).toEqual([200, read.body])
    expect(found.headers.etag).toBe(read.headers.etag)
  })

  it('finds it by a code that it had before', async () => {
    const link = await linnet.create({ shortCode: 'spring' })
    await linnet.api('PATCH', `/links/${link.id}`, { short_code: 'summer' })
    for (const code of ['spring', 'summer']) {
      const { body } = await lookUp(`short_code=${code}`)
      expect(body.data).toMatchObject({ id: link.id, shortCode: 'summer' })
    }
  })

  it.each([
    ['domain=', 200],
    ['domain=go.example.org', 200],
    ['domain=other.example.org', 404],
  ])('with %s answers %d', async (domain, status) => {
    await linnet.create({ shortCode: 'spring' })
    expect(await lookUp(`short_code=spring&${domain}`)).toMatchObject({ status })
  })

  it('tells upper from lower case, and nothing of a deleted link', async () => {
    const link = await linnet.create({ shortCode: 'spring' })
    expect(await lookUp('short_code=Spring')).toMatchObject({ status: 404 })
    await linnet.api('DELETE', `/links/${link.id}`)
    expect(await lookUp('short_code=spring')).toMatchObject({ status: 404 })
  })

  it('tells nothing of the links of others', async () => {
    const { id } = await addAccount(linnet.db)
    await linnet.create({ shortCode: 'spring' })
    await linnet.db.updateTable('links').set({ account_id: id }).execute()
    expect(await lookUp('short_code=spring')).toMatchObject({ status: 404 })
  })

  it.each([
    ['', 'short_code'],
    ['short_code=', 'short_code'],
    ['short_code=a&code=b', 'code'],
  ])('with "%s" names %s as wrong', async (query, field) => {
    expect(await lookUp(query)).toMatchObject({ status: 422, body: { errors: [{ field }] } })
  })

  it('is no link called "lookup"', async () => {
    expect(await linnet.api('PATCH', '/links/lookup', {})).toMatchObject({ status: 405 })
  })
})
