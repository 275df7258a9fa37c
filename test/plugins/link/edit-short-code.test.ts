import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import customShortCode from '../../../plugins/link/custom-short-code.ts'
import editShortCode from '../../../plugins/link/edit-short-code.ts'
import { boot, type Harness, type ShownLink } from '../../harness.ts'

let linnet: Harness
let link: ShownLink

beforeEach(async () => {
  linnet = await boot([customShortCode, editShortCode])
  link = await linnet.create({ shortCode: 'first' })
})
afterEach(() => linnet.stop())

const rename = (shortCode: unknown, id = link.id) =>
  linnet.api('PATCH', `/links/${id}`, { short_code: shortCode })

const locationOf = async (code: string) => (await linnet.visit(code)).location

describe('a link with a new short code', () => {
  it('is followed by both, and shows both', async () => {
    const { body } = await rename('second')
    expect(body.data).toMatchObject({
      shortCode: 'second',
      shortUrl: 'https://go.example.org/second',
      formerShortCodes: ['first'],
    })
    expect(await locationOf('first')).toBe('https://example.com/')
    expect(await locationOf('second')).toBe('https://example.com/')
  })

  it('lists its former codes, oldest first', async () => {
    linnet.at('2026-11-20T13:00:00Z')
    await rename('second')
    linnet.at('2026-11-20T14:00:00Z')
    await rename('a-third')
    const { body } = await linnet.api('GET', '/links')
    expect(body.data[0].formerShortCodes).toEqual(['first', 'second'])
  })

  it('can go back to a code that it had', async () => {
    await rename('second')
    const { body, status } = await rename('first')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ shortCode: 'first', formerShortCodes: ['second'] })
    expect(await locationOf('second')).toBe('https://example.com/')
  })

  it('keeps a hundred former codes, and then only goes back to one of them', async () => {
    for (let turn = 1; turn <= 100; turn += 1)
      expect((await rename(`code-${turn}`)).status).toBe(200)
    expect(await rename('one-more')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'short_code' }] },
    })
    expect((await linnet.visit('one-more')).status).toBe(404)
    expect((await rename('first')).status).toBe(200)
  })

  it('follows a change under all of its codes at once', async () => {
    await rename('second')
    await linnet.visit('first')
    await linnet.visit('second')
    expect(linnet.app.cache.get('first')).toBeDefined()
    await linnet.api('PATCH', `/links/${link.id}`, { title: 'Changed' })
    expect(linnet.app.cache.get('first')).toBeUndefined()
    expect(linnet.app.cache.get('second')).toBeUndefined()
  })

  it('stays plain under both', async () => {
    await rename('second')
    await linnet.visit('first')
    expect(linnet.app.cache.get('first')?.redirect).toBeDefined()
  })

  it('leads nowhere by any code once it is deleted', async () => {
    await rename('second')
    await linnet.api('DELETE', `/links/${link.id}`)
    expect((await linnet.visit('first')).status).toBe(404)
    expect((await linnet.visit('second')).status).toBe(404)
  })
})

describe('a short code', () => {
  it.each(['', 'a b', 'ä', '../x', 'x'.repeat(65), 5, {}])('cannot become %j', async code => {
    const { status, body } = await rename(code)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field: 'short_code' }])
  })

  it.each(['api', 'DASHBOARD'])('cannot become %s, which is ours', async code => {
    const { status, body } = await rename(code)
    expect([status, body.code]).toEqual([409, 'short_code_taken'])
  })

  it('stays when the request says the same, or nothing', async () => {
    expect((await rename('first')).body.data).toMatchObject({
      shortCode: 'first',
      formerShortCodes: [],
    })
    expect((await rename(null)).status).toBe(422)
  })

  it('of another link cannot be taken, not even a former one', async () => {
    await rename('second')
    const other = await linnet.create({ shortCode: 'other' })
    for (const code of ['first', 'second']) {
      const { status, body } = await rename(code, other.id)
      expect([status, body.code]).toEqual([409, 'short_code_taken'])
      expect(body.errors).toMatchObject([{ field: 'short_code' }])
    }
    expect((await linnet.api('GET', `/links/${other.id}`)).body.data).toMatchObject({
      shortCode: 'other',
      formerShortCodes: [],
    })
  })

  it('that a link had is never given to another account, not even when the link is gone', async () => {
    await rename('second')
    const { id } = await linnet.db
      .insertInto('accounts')
      .values({
        email: 'grace@example.org',
        is_admin: 0,
        plan: 'unlimited',
        created_at: 0,
        updated_at: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await linnet.db.updateTable('links').set({ account_id: id }).execute()
    await linnet.db.updateTable('short_codes').set({ account_id: id }).execute()

    const mine = await linnet.create()
    expect((await rename('first', mine.id)).status).toBe(409)
    await linnet.db.deleteFrom('links').where('account_id', '=', id).execute()
    expect((await rename('first', mine.id)).status).toBe(409)
    await linnet.db.deleteFrom('accounts').where('id', '=', id).execute()
    expect((await rename('first', mine.id)).status).toBe(409)
  })

  it('goes to one of many links that ask for it at the same moment', async () => {
    const links = await Promise.all(Array.from({ length: 20 }, () => linnet.create()))
    const answers = await Promise.all(links.map(({ id }) => rename('wanted', id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })
})

it('needs the plan', async () => {
  await linnet.db.updateTable('accounts').set({ plan: 'free' }).execute()
  const { status, body } = await rename('second')
  expect([status, body.code]).toEqual([403, 'feature_not_in_plan'])
})
