import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import customShortCode from '../../../plugins/link/custom-short-code.ts'
import externalId from '../../../plugins/link/external-id.ts'
import { boot, type Harness } from '../../harness.ts'
import { otherAccount } from '../organization/other-account.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([customShortCode, externalId])
})
afterEach(() => linnet.stop())

const url = 'https://example.com/'
const make = (external_id: unknown, more: object = {}) =>
  linnet.api('POST', '/links', { original_url: url, external_id, ...more })
const change = (id: string, external_id: string | null) =>
  linnet.api('PATCH', `/links/${id}`, { external_id })

async function found(externalId: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ external_id: externalId })
  const { body } = await linnet.api('GET', `/links?${query}`)
  return body.data.map(({ id }: { id: string }) => id)
}

describe('an external id', () => {
  it('is shown, finds its link, changes and goes', async () => {
    const made = await make(' crm/42 ü ')
    const { id } = made.body.data
    expect([made.status, made.body.data.externalId]).toEqual([201, 'crm/42 ü'])
    expect((await linnet.create()).externalId).toBe(null)
    expect([await found('crm/42 ü'), await found('crm/42'), await found('CRM/42 ü')]).toEqual([
      [id],
      [],
      [],
    ])
    const before = await linnet.api('GET', `/links/${id}`)
    const same = await change(id, 'crm/42 ü')
    expect(same.headers.etag).toBe(before.headers.etag)
    const changed = await change(id, 'crm/43')
    expect(changed.body.data.externalId).toBe('crm/43')
    expect(changed.headers.etag).not.toBe(before.headers.etag)
    expect([await found('crm/42 ü'), await found('crm/43')]).toEqual([[], [id]])
    expect((await change(id, null)).body.data.externalId).toBe(null)
    expect(await found('crm/43')).toEqual([])
  })

  it('is one link’s in an account, and another account may have the same', async () => {
    const first = await make('a')
    const second = await linnet.create()
    for (const { status, body } of [await make('a'), await change(second.id, 'a')]) {
      expect([status, body.code, body.errors]).toMatchObject([
        409,
        'external_id_taken',
        [{ field: 'external_id' }],
      ])
    }
    const other = await otherAccount(linnet)
    const body = { original_url: url, external_id: 'a' }
    expect((await other('POST', '/links', body)).status).toBe(201)
    expect(await found('a')).toEqual([first.body.data.id])
    await linnet.api('DELETE', `/links/${first.body.data.id}`)
    expect((await make('a')).status).toBe(201)
  })

  it('is given to one of many links that want it at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => make('a')))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect((await linnet.api('GET', '/links')).body.meta.total).toBe(1)
    const links = [{ original_url: url, external_id: 'b' }]
    const bulk = await linnet.api('POST', '/links/bulk', { links: [...links, ...links] })
    expect(bulk.body.data.map(({ status }: { status: number }) => status)).toEqual([201, 409])
  })

  it('comes back with a deleted link, unless another link has it by then', async () => {
    const { id } = (await make('a')).body.data
    await linnet.api('DELETE', `/links/${id}`)
    expect((await linnet.api('POST', `/links/${id}/restore`)).body.data.externalId).toBe('a')
    await linnet.api('DELETE', `/links/${id}`)
    const taken = (await make('a')).body.data.id
    expect((await linnet.api('POST', `/links/${id}/restore`)).body.data.externalId).toBe(null)
    expect(await found('a')).toEqual([taken])
  })

  it('is compared by reuse', async () => {
    const { id } = (await make('a', { reuse: true })).body.data
    expect((await make('a', { reuse: true })).body.data.id).toBe(id)
    expect((await make('b', { reuse: true })).status).toBe(201)
  })

  it.each(['', ' ', 'x'.repeat(256), 5, ['a'], 'a\u0000b', 'a\nb'])(
    'is refused as %j',
    async wrong => {
      const { status, body } = await make(wrong)
      expect([status, body.errors]).toMatchObject([422, [{ field: 'external_id' }]])
    },
  )
})
