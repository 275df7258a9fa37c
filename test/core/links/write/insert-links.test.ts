import { beforeEach, describe, expect, it } from 'vitest'
import { insertLinks } from '../../../../core/links/write/insert-links.ts'
import { makeShortCode } from '../../../../core/links/write/short-code.ts'
import { takeCode } from '../../../../core/links/write/take-code.ts'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import {
  type Database,
  inOneGo,
  inTransactionUnlessRefused,
  type Steps,
} from '../../../../core/storage/database.ts'
import { addAccount, openTestDb } from '../../accounts/fixtures.ts'

let db: Database
let ada: number
let eve: number

beforeEach(async () => {
  db = await openTestDb()
  ada = (await addAccount(db)).id
  eve = (await addAccount(db)).id
})

const insertAll = (
  account_id: number,
  wanted: readonly { readonly code?: string | undefined; readonly title?: string }[],
  domain = '',
  through = <T>(steps: Steps<T>) => steps,
) =>
  inTransactionUnlessRefused(db, tx => {
    const links = wanted.map(({ code, title = null }) => {
      const texts = { original_url: 'https://example.com/', title, notes: null }
      const stored = { fields: '{}', guarded_by: '[]', archived: 0, version: 1 }
      const moments = { created_at: 0, updated_at: 0 }
      return { link: { account_id, domain, ...texts, ...stored, ...moments }, chosen: code }
    })
    return inOneGo(tx, through(insertLinks(tx, links, new Map())))
  })
async function insert(account: number, code?: string, domain = '') {
  const made = await insertAll(account, [{ code }], domain)
  return isRefusal(made) ? made : made[0]
}
/** The row number of a new link. */
async function make(account: number, code?: string): Promise<number> {
  const made = await insert(account, code)
  if (isRefusal(made)) throw new Error(made.detail)
  return made?.rowId ?? 0
}
const claim = (account_id: number, code: string, link_id: number) =>
  db
    .transaction()
    .execute(tx => takeCode(tx, { domain: '', code, account_id, link_id, created_at: 0 }))
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
    expect(await insert(ada, 'sale')).toMatchObject({ shortCode: 'sale' })
    expect(await insert(eve, 'Sale')).toMatchObject({ shortCode: 'Sale' })
    expect(await insert(eve, 'sale', 'links.example.org')).toMatchObject({ shortCode: 'sale' })
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

describe('links that are saved together', () => {
  it('keep their order, and are found by their texts', async () => {
    const made = await insertAll(ada, [{ code: 'sale' }, {}, { title: 'Autumn' }, { code: 'tea' }])
    if (isRefusal(made)) throw new Error(made.detail)
    expect(made.map(({ shortCode }) => shortCode)).toEqual([
      'sale',
      expect.stringMatching(/^\w{7}$/),
      expect.stringMatching(/^\w{7}$/),
      'tea',
    ])
    const texts = await db.selectFrom('link_texts').select(['link_id', 'text']).execute()
    expect(texts.find(({ link_id }) => link_id === made[2]?.rowId)?.text).toContain('AUTUMN')
    expect(texts).toHaveLength(4)
  })

  it('are not saved if one of them has a code that is taken', async () => {
    const id = await make(ada, 'sale')
    expect(await insertAll(ada, [{ code: 'tea' }, { code: 'sale' }])).toMatchObject(taken('sale'))
    expect(await db.selectFrom('links').select('id').execute()).toEqual([{ id }])
  })

  it('are not saved if two of them want the same code', async () => {
    await expect(insertAll(ada, [{ code: 'sale' }, { code: 'sale' }])).rejects.toThrow()
    expect(await codes()).toEqual([])
  })

  it('are stored without halves of characters, which no database takes', async () => {
    await insertAll(ada, [{ title: 'a \ud83d b' }, { title: '🙂 \u0001' }])
    const rows = await db.selectFrom('links').select('title').orderBy('id').execute()
    expect(rows.map(({ title }) => title)).toEqual(['a \ufffd b', '🙂 \u0001'])
  })
})

describe('a made-up code that is taken', () => {
  it('is replaced by another one, and only one link is left', async () => {
    const made = await insertAll(ada, [{ title: 'Autumn' }], '', withFirstCodeTaken)
    if (isRefusal(made)) throw new Error(made.detail)
    const [link] = made
    expect(await codes()).toEqual([
      { code: link?.shortCode, link_id: link?.rowId, account_id: ada },
    ])
    expect(await db.selectFrom('links').select(['id', 'short_code', 'title']).execute()).toEqual([
      { id: link?.rowId, short_code: link?.shortCode, title: 'Autumn' },
    ])
  })
})

/** The same steps, of which the first that takes codes finds all of them taken. */
function* withFirstCodeTaken<T>(steps: Steps<T>): Steps<T> {
  let isFirst = true
  let next = steps.next()
  while (!next.done) {
    const takesCodes = next.value.sql.startsWith('insert into "short_codes"')
    next = steps.next(takesCodes && isFirst ? { rows: [] } : yield next.value)
    if (takesCodes) isFirst = false
  }
  return next.value
}
