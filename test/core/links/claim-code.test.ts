import { beforeEach, describe, expect, it } from 'vitest'
import { claimCode, pointCode } from '../../../core/links/claim-code.ts'
import { makeShortCode } from '../../../core/links/short-code.ts'
import type { Database } from '../../../core/storage/database.ts'
import { addAccount, openTestDb } from '../accounts/fixtures.ts'

let db: Database
let ada: number
let eve: number

beforeEach(async () => {
  db = await openTestDb()
  ada = (await addAccount(db)).id
  eve = (await addAccount(db)).id
})

const claim = (accountId: number, code?: string, { domain = '', linkId = 0 } = {}) =>
  db.transaction().execute(tx => claimCode(tx, { domain, code, accountId, linkId, at: 0 }))

/** The code leads to a new link. */
async function lead(accountId: number, code: string): Promise<number> {
  const { id } = await db
    .insertInto('links')
    .values({
      account_id: accountId,
      domain: '',
      short_code: code,
      original_url: 'https://example.com/',
      title: null,
      notes: null,
      archived: 0,
      fields: '{}',
      guarded_by: '[]',
      version: 1,
      created_at: 0,
      updated_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.transaction().execute(tx => pointCode(tx, { domain: '', code, linkId: id }))
  return id
}

const taken = (code: string) => ({
  code: 'short_code_taken',
  status: 409,
  field: 'shortCode',
  detail: `The short code ${code} is taken.`,
})

describe('a code that was asked for', () => {
  it('is given once', async () => {
    expect(await claim(ada, 'sale')).toBe('sale')
    await lead(ada, 'sale')
    expect(await claim(ada, 'sale')).toMatchObject(taken('sale'))
    expect(await claim(eve, 'sale')).toMatchObject(taken('sale'))
  })

  it('is told from another by case and by domain', async () => {
    expect(await claim(ada, 'sale')).toBe('sale')
    expect(await claim(eve, 'Sale')).toBe('Sale')
    expect(await claim(eve, 'sale', { domain: 'links.example.org' })).toBe('sale')
  })

  it('is given back to the link that had it, and to no other', async () => {
    await claim(ada, 'sale')
    const linkId = await lead(ada, 'sale')
    expect(await claim(ada, 'sale', { linkId })).toBe('sale')
    expect(await claim(ada, 'sale', { linkId: linkId + 1 })).toMatchObject(taken('sale'))
    expect(await claim(eve, 'sale', { linkId })).toMatchObject(taken('sale'))
  })

  it('comes back to its account when its link is gone, and to nobody else', async () => {
    await claim(ada, 'sale')
    const id = await lead(ada, 'sale')
    await db.deleteFrom('links').where('id', '=', id).execute()
    expect(await claim(eve, 'sale')).toMatchObject(taken('sale'))
    expect(await claim(ada, 'sale')).toBe('sale')
  })

  it('is nobody’s any more when its account is gone', async () => {
    await claim(ada, 'sale')
    await lead(ada, 'sale')
    await db.deleteFrom('accounts').where('id', '=', ada).execute()
    expect(await claim(eve, 'sale')).toMatchObject(taken('sale'))
  })

  it('is free again when the transaction that took it fails', async () => {
    const failing = db.transaction().execute(async tx => {
      await claimCode(tx, { domain: '', code: 'sale', accountId: ada, at: 0 })
      throw new Error('boom')
    })
    await expect(failing).rejects.toThrow('boom')
    expect(await claim(eve, 'sale')).toBe('sale')
  })

  it.each(['api', 'Health'])('is not %s, which is ours', async code => {
    const detail = `The short code ${code} is reserved.`
    expect(await claim(ada, code)).toMatchObject({ code: 'short_code_taken', status: 409, detail })
    expect(await db.selectFrom('short_codes').selectAll().execute()).toEqual([])
  })
})

describe('a code that is made up', () => {
  it('is noted as its account’s, and leads nowhere yet', async () => {
    const code = await claim(ada)
    expect(code).toHaveLength(makeShortCode(0).length)
    expect(await db.selectFrom('short_codes').selectAll().execute()).toEqual([
      { domain: '', code, link_id: null, account_id: ada, created_at: 0 },
    ])
  })
})
