import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import customShortCode from '../../../plugins/link/custom-short-code.ts'
import { boot, type Harness } from '../../harness.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot(customShortCode)
})
afterEach(() => linnet.stop())

const make = (shortCode: unknown) =>
  linnet.api('POST', '/links', { original_url: 'https://example.com/', short_code: shortCode })

describe('a short code that was chosen', () => {
  it.each(['a', 'Summer-Sale_2026', 'x'.repeat(64)])('%s leads on', async code => {
    const { body } = await make(code)
    expect(body.data).toMatchObject({
      shortCode: code,
      shortUrl: `https://go.example.org/${code}`,
    })
    expect(await linnet.visit(code)).toMatchObject({ location: 'https://example.com/' })
  })

  it('is told from another by upper and lower case', async () => {
    expect((await make('sale')).status).toBe(201)
    expect((await make('SALE')).status).toBe(201)
  })

  it.each(['', 'a b', 'ä', 'a/b', '../x', 'a%2Fb', 'x'.repeat(65), 5])('is not %j', async code => {
    const { status, body } = await make(code)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field: 'short_code' }])
  })

  it('is said to be wrong with the form that it must have', async () => {
    const { body } = await make('spring sale!')
    expect(body.errors[0].message).toBe(
      'Does not have the right format: 1 to 64 letters, digits, hyphens and underscores. Upper and lower case matter.',
    )
  })

  it.each(['api', 'API', 'health', 'dashboard'])('is not %s, which is ours', async code => {
    const { status, body } = await make(code)
    expect([status, body.code]).toEqual([409, 'short_code_taken'])
  })

  it('is given out once, also when many ask at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => make('wanted')))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(49).fill(409)])
  })

  it('does not count against the quota when it is taken', async () => {
    await make('wanted')
    await make('wanted')
    const { body } = await linnet.api('GET', '/profile')
    expect(body.data.plan.usage.linksCreatedThisMonth).toBe(1)
  })

  it('comes back to its account after its link is deleted, and to nobody else', async () => {
    const { body } = await make('mine')
    await linnet.api('DELETE', `/links/${body.data.id}`)
    expect((await linnet.visit('mine')).status).toBe(404)
    expect((await make('mine')).status).toBe(201)

    await linnet.db.updateTable('short_codes').set({ account_id: null, link_id: null }).execute()
    await linnet.db.deleteFrom('links').execute()
    expect((await make('mine')).status).toBe(409)
  })
})

it('needs the plan', async () => {
  await linnet.api('PATCH', '/admin/plans/unlimited', { link: { customShortCode: false } })
  const { status, body } = await make('mine')
  expect([status, body.code]).toEqual([403, 'feature_not_in_plan'])
})
