import { describe, expect, it } from 'vitest'
import { addLink, bootInFile } from '../../visits/fixtures.ts'

describe('the link behind a code', () => {
  it('is found of each code, however many are asked for at once', async () => {
    const { storage, db, owner } = await bootInFile()
    const links = [await addLink(db, owner), await addLink(db, owner)]
    await db
      .insertInto('short_codes')
      .values(
        [...links, undefined].map(link => ({
          domain: '',
          code: link?.view.shortCode ?? 'deleted',
          link_id: link?.id ?? null,
          account_id: owner.accountId,
          created_at: 0,
        })),
      )
      .execute()
    const codes = ['deleted', ...links.map(({ view }) => view.shortCode), 'nowhere']
    const found = await Promise.all(codes.map(code => storage.findLink('', code)))
    expect(found.map(it => it?.short_code)).toEqual([undefined, ...codes.slice(1, 3), undefined])
    expect(await storage.findLink('other.example', codes[1] ?? '')).toBeUndefined()
  })

  it('is not undefined but an error where it cannot be looked up', async () => {
    const { storage } = await bootInFile()
    await storage.close()
    const asked = ['a', 'b'].map(code => storage.findLink('', code))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
