import { beforeEach, describe, expect, it } from 'vitest'
import { insertLink } from '../../../../core/links/write/insert-link.ts'
import { makeShortCode } from '../../../../core/links/write/short-code.ts'
import { takeCode } from '../../../../core/links/write/take-code.ts'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import { type Database, inOneGo } from '../../../../core/storage/database.ts'
import { addAccount, openTestDb } from '../../accounts/fixtures.ts'

let db: Database
let ada: number
let eve: number

beforeEach(async () => {
  db = await openTestDb()
  ada = (await addAccount(db)).id
  eve = (await addAccount(db)).id
})

const insert = (account_id: number, code?: string, domain = '') =>
  db.transaction().execute(tx => {
    const texts = { original_url: 'https://example.com/', title: null, notes: null }
    const stored = { fields: '{}', guarded_by: '[]', archived: 0, version: 1 }
    const moments = { created_at: 0, updated_at: 0 }
    const link = { account_id, domain, ...texts, ...stored, ...moments }
    return inOneGo(tx, insertLink(tx, link, code, new Set()))
  })
/** The row of a new link. */
async function make(account: number, code?: string): Promise<number> {
  const row = await insert(account, code)
  if (isRefusal(row)) throw new Error(row.detail)
  return row.id
}
const claim = (accountId: number, code: string, linkId: number) =>
  db.transaction().execute(tx => takeCode(tx, { domain: '', code, accountId, linkId, at: 0 }))
const codes = () => db.selectFrom('short_codes').select(['code', 'link_id', 'account_id']).execute()

const taken = (code: string) => ({
  code: 'short_code_taken',
  status: 409,
  field: 'shortCode',
  detail: `The short code ${code} is taken.`,
})

describe('a code that was asked for', () => {
  it('is given once', async () => {
    const id = await make(ada, 'sale')
    expect(await codes()).toEqual([{ code: 'sale', link_id: id, account_id: ada }])
    expect(await insert(ada, 'sale')).toMatchObject(taken('sale'))
    expect(await insert(eve, 'sale')).toMatchObject(taken('sale'))
  })

  it('is told from another by case and by domain', async () => {
    expect(await insert(ada, 'sale')).toMatchObject({ short_code: 'sale' })
    expect(await insert(eve, 'Sale')).toMatchObject({ short_code: 'Sale' })
    expect(await insert(eve, 'sale', 'links.example.org')).toMatchObject({ short_code: 'sale' })
  })

  it('is not given to a new link when another one had it before, which leaves no link behind', async () => {
    const id = await make(ada, 'sale')
    await db.updateTable('links').set({ short_code: 'autumn' }).where('id', '=', id).execute()
    for (const account of [ada, eve]) {
      expect(await insert(account, 'sale')).toMatchObject(taken('sale'))
    }
    expect(await db.selectFrom('links').select('id').execute()).toEqual([{ id }])
  })

  it('is given back to the link that had it, and to no other', async () => {
    const linkId = await make(ada, 'sale')
    const other = await make(ada)
    expect(await claim(ada, 'sale', linkId)).toBe(true)
    expect(await claim(ada, 'sale', other)).toBe(false)
    expect(await claim(eve, 'sale', linkId)).toBe(false)
  })

  it('comes back to its account when its link is gone, and to nobody else', async () => {
    const id = await make(ada, 'sale')
    await db.deleteFrom('links').where('id', '=', id).execute()
    expect(await insert(eve, 'sale')).toMatchObject(taken('sale'))
    const next = await make(ada, 'sale')
    expect(await codes()).toEqual([{ code: 'sale', link_id: next, account_id: ada }])
  })

  it('is nobody’s any more when its account is gone', async () => {
    await make(ada, 'sale')
    await db.deleteFrom('accounts').where('id', '=', ada).execute()
    expect(await insert(eve, 'sale')).toMatchObject(taken('sale'))
  })

  it.each(['api', 'Health'])('is not %s, which is ours', async code => {
    const detail = `The short code ${code} is reserved.`
    expect(await insert(ada, code)).toMatchObject({ code: 'short_code_taken', status: 409, detail })
    expect(await codes()).toEqual([])
  })
})

describe('a code that is made up', () => {
  it('is its account’s, and leads to the link', async () => {
    const id = await make(ada)
    const [row] = await codes()
    expect(row).toMatchObject({ link_id: id, account_id: ada })
    expect(row?.code).toHaveLength(makeShortCode(0).length)
  })
})
