import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin } from '../../../../../core/plugin.ts'
import customShortCode from '../../../../../plugins/link/custom-short-code.ts'
import { boot, type Harness } from '../../../../harness.ts'
import { addAccount } from '../../../accounts/fixtures.ts'

/** One of the first account, which is that of the harness, and one of somebody else. */
const twoHosts = definePlugin({
  feature: 'organization.customDomains',
  about: 'Answers for two hosts.',
  unstable: {
    hosts: () =>
      ['mine', 'other'].map((name, index) => ({
        name: `${name}.example.org`,
        accountId: index + 1,
        rootUrl: null,
        notFoundUrl: null,
      })),
  },
})

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([customShortCode])
})
afterEach(() => linnet.stop())

const ask = (query: string) => linnet.api('GET', `/links/short-codes?${query}`)
const free = (shortCode: string) => ({ shortCode, isFree: true, reason: null, suggestion: null })

describe('GET /links/short-codes', () => {
  it('tells free codes from taken and reserved ones, in the order they were asked for', async () => {
    await linnet.create({ shortCode: 'spring' })
    const { status, body } = await ask('short_codes=summer,spring,API,Spring')
    expect(status).toBe(200)
    expect(body.data).toEqual([
      free('summer'),
      { shortCode: 'spring', isFree: false, reason: 'taken', suggestion: 'spring-2' },
      { shortCode: 'API', isFree: false, reason: 'reserved', suggestion: 'API-2' },
      free('Spring'),
    ])
  })

  it('suggests what is free itself, and as long as a code may be', async () => {
    const long = 'x'.repeat(64)
    for (const shortCode of ['spring', 'spring-2', long]) await linnet.create({ shortCode })
    const { body } = await ask(`short_codes=spring,${long}`)
    expect(body.data[0].suggestion).toBe('spring-3')
    expect(body.data[1].suggestion).toBe(`${'x'.repeat(62)}-2`)
  })

  it('suggests nothing where all that are like it are taken too', async () => {
    await linnet.create({ shortCode: 'spring' })
    for (let n = 2; n <= 9; n++) await linnet.create({ shortCode: `spring-${n}` })
    const { body } = await ask('short_codes=spring')
    expect(body.data[0]).toMatchObject({ isFree: false, suggestion: null })
  })

  it('says what making the link says: a code of a deleted link is free for its account alone', async () => {
    const { id } = await linnet.create({ shortCode: 'spring' })
    await linnet.create({ shortCode: 'summer' })
    await linnet.api('DELETE', `/links/${id}`)
    expect((await ask('short_codes=spring')).body.data).toEqual([free('spring')])
    const other = await addAccount(linnet.db)
    await linnet.db.updateTable('short_codes').set({ account_id: other.id }).execute()
    const { body } = await ask('short_codes=spring,summer')
    expect(body.data).toMatchObject([{ reason: 'taken' }, { reason: 'taken' }])
    const again = { original_url: 'https://example.com/', short_code: 'spring' }
    expect(await linnet.api('POST', '/links', again)).toMatchObject({ status: 409 })
  })

  it('says that a code of an account that is gone is taken, as it is for everybody', async () => {
    await linnet.create({ shortCode: 'spring' })
    const gone = { account_id: null, link_id: null }
    await linnet.db.updateTable('short_codes').set(gone).execute()
    expect((await ask('short_codes=spring')).body.data).toMatchObject([{ reason: 'taken' }])
    const again = { original_url: 'https://example.com/', short_code: 'spring' }
    expect(await linnet.api('POST', '/links', again)).toMatchObject({ status: 409 })
  })

  it('suggests nothing twice, nor what is asked about', async () => {
    await linnet.create({ shortCode: 'spring' })
    const { body } = await ask('short_codes=spring,spring-2,spring')
    const suggestions = body.data.map(({ suggestion }: { suggestion: unknown }) => suggestion)
    expect(suggestions).toEqual(['spring-3', null, 'spring-4'])
  })

  it('asks the host that is named, where links of the account can be', async () => {
    await linnet.stop()
    linnet = await boot([customShortCode, twoHosts])
    await linnet.create({ shortCode: 'spring' })
    const { body } = await ask('short_codes=spring,api&domain=mine.example.org')
    expect(body.data).toEqual([free('spring'), free('api')])
    for (const domain of ['other.example.org', 'nobody.example.org']) {
      const { status, body } = await ask(`short_codes=spring&domain=${domain}`)
      expect([status, body.errors]).toMatchObject([422, [{ field: 'domain' }]])
    }
  })

  it.each(['x'.repeat(65), 'a/b', 'é'])(
    'says of %s that this host has no such codes',
    async code => {
      const { body } = await ask(`short_codes=${encodeURIComponent(code)}`)
      const state = { shortCode: code, isFree: false, reason: 'malformed', suggestion: null }
      expect(body.data).toEqual([state])
    },
  )

  it.each([
    '',
    'short_codes=',
    'short_codes=spring,',
    'short_codes=spring+sale',
    `short_codes=${'x'.repeat(256)}`,
    'short_codes=a%252Fb',
    `short_codes=${Array.from({ length: 101 }, (_, n) => n).join()}`,
  ])('refuses %j', async query => {
    const field = 'short_codes'
    expect(await ask(query)).toMatchObject({ status: 422, body: { errors: [{ field }] } })
  })
})
