import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { definePlugin, field, z } from '../../../../../core/plugin.ts'
import customShortCode from '../../../../../plugins/link/custom-short-code.ts'
import editShortCode from '../../../../../plugins/link/edit-short-code.ts'
import passwordProtection from '../../../../../plugins/link/password-protection.ts'
import { type Answer, boot, type Harness, type ShownLink } from '../../../../harness.ts'
import { addAccount } from '../../../accounts/fixtures.ts'

let linnet: Harness

beforeEach(async () => {
  linnet = await boot([customShortCode, editShortCode, passwordProtection])
})
afterEach(() => linnet.stop())

const original_url = 'https://example.com/'
const fieldsOf = ({ body }: Answer) => body.errors.map(({ field }: { field: string }) => field)

/** Status by status, and what the fields in question are called. */
const summary = ({ body }: Answer) =>
  body.data.map(({ status, problem }: { status: number; problem: Problem | null }) =>
    problem === null ? `${status}` : `${status} ${problem.code} ${problem.errors[0]?.field ?? ''}`,
  )

interface Problem {
  readonly code: string
  readonly errors: readonly { readonly field: string }[]
}

const total = async () => (await linnet.api('GET', '/links')).body.meta.total

describe('POST /links/bulk', () => {
  const create = (links: unknown) => linnet.api('POST', '/links/bulk', { links })

  it('makes links, in the order in which they were sent', async () => {
    const { status, body } = await create([
      { original_url: 'https://example.com/1', title: 'One' },
      { originalUrl: 'https://example.com/2', password: 'sesame' },
    ])
    expect([status, body.meta]).toEqual([200, { created: 2, failed: 0 }])
    expect(body.data).toMatchObject([
      { index: 0, status: 201, link: { title: 'One' }, problem: null },
      { index: 1, status: 201, link: { hasPassword: true }, problem: null },
    ])
    const read = await linnet.api('GET', `/links/${body.data[0].link.id}`)
    expect(read.body.data).toEqual(body.data[0].link)
    expect(await linnet.visit(body.data[0].link)).toMatchObject({
      location: 'https://example.com/1',
    })
  })

  it('makes what is right although other links in it are wrong, and says why they are', async () => {
    await linnet.create({ shortCode: 'taken' })
    const answer = await create([
      { original_url },
      { original_url: 'javascript:alert(1)', title: '' },
      { original_url, short_code: 'taken' },
      { originalUrl: original_url, shortCode: 'taken' },
      { original_url, destination: 'x' },
      'https://example.com/',
      null,
      { original_url, short_code: 'fresh' },
      { original_url, short_code: 'fresh' },
    ])
    expect(summary(answer)).toEqual([
      '201',
      '422 validation_failed original_url',
      '409 short_code_taken short_code',
      '409 short_code_taken shortCode',
      '422 validation_failed destination',
      '422 validation_failed body',
      '422 validation_failed body',
      '201',
      '409 short_code_taken short_code',
    ])
    expect(answer.body.meta).toEqual({ created: 2, failed: 7 })
    expect(answer.body.data[1].problem.errors).toHaveLength(2)
    expect(answer.body.data[1].problem.requestId).toBe(answer.headers['x-request-id'])
    expect(await total()).toBe(3)
  })

  it('makes as many as the quota allows', async () => {
    await linnet.stop()
    linnet = await boot([], {
      settings: { plans: { free: { limits: { maxLinksCreatedPerMonth: 2 } } } },
      plan: 'free',
    })
    const answer = await create(Array.from({ length: 4 }, () => ({ original_url })))
    expect(summary(answer)).toEqual([
      '201',
      '201',
      '403 plan_limit_reached ',
      '403 plan_limit_reached ',
    ])
    expect(await total()).toBe(2)
  })

  it.each([
    ['no list', {}, ['links']],
    ['an empty list', { links: [] }, ['links']],
    ['101 links', { links: Array.from({ length: 101 }, () => ({ original_url })) }, ['links']],
    ['another field', { links: [{ original_url }], title: 'x' }, ['title']],
  ])('is refused as a whole with %s', async (_, body, fields) => {
    const answer = await linnet.api('POST', '/links/bulk', body)
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
    expect(await total()).toBe(0)
  })

  it('tells what was made also when something breaks on the way', async () => {
    let links = 0
    const breaking = definePlugin({
      feature: 'link.breaking',
      about: 'Fails the second time it is asked.',
      validate: () => {
        links += 1
        if (links === 2) throw new Error('broken')
        return undefined
      },
    })
    linnet = await linnet.restart([breaking])
    expect(summary(await create([{ original_url }, { original_url }, { original_url }]))).toEqual([
      '201',
      '503 unavailable ',
      '201',
    ])
  })
})

describe('with links that are there', () => {
  let links: readonly ShownLink[]
  let foreign: string

  beforeEach(async () => {
    links = [await linnet.create(), await linnet.create(), await linnet.create()]
    const { id } = await addAccount(linnet.db)
    const other = await linnet.create()
    await linnet.db
      .updateTable('links')
      .set({ account_id: id })
      .where('short_code', '=', other.shortCode)
      .execute()
    foreign = other.id
  })

  const idsOf = (...places: number[]) => places.map(place => links[place]?.id)
  const read = async (place: number) => linnet.api('GET', `/links/${links[place]?.id}`)

  describe('PATCH /links/bulk', () => {
    const change = (body: unknown) => linnet.api('PATCH', '/links/bulk', body)

    it('gives a short code to one link alone, and to none of several', async () => {
      const links = [await linnet.create(), await linnet.create()]
      const ids = links.map(({ id }) => id)
      for (const field of ['short_code', 'shortCode']) {
        const refused = await change({ ids, [field]: 'only', title: 'Both' })
        expect([refused.status, fieldsOf(refused)]).toEqual([422, [field]])
      }
      const { body } = await linnet.api('GET', `/links/${ids[0]}`)
      expect(body.data).toMatchObject({ shortCode: links[0]?.shortCode, title: null })
      const alone = await change({ ids: ids.slice(0, 1), short_code: 'only' })
      expect(alone.body.data[0].link.shortCode).toBe('only')
    })

    it('changes them all in the same way, and no other', async () => {
      const { status, body } = await change({ ids: idsOf(0, 1), title: 'Spring', archived: true })
      expect([status, body.meta]).toEqual([200, { updated: 2, failed: 0 }])
      expect(body.data).toMatchObject([
        { id: links[0]?.id, status: 200, link: { title: 'Spring', archived: true }, problem: null },
        { id: links[1]?.id, status: 200, link: { title: 'Spring', archived: true }, problem: null },
      ])
      expect((await read(1)).body.data).toEqual(body.data[1].link)
      expect((await read(2)).body.data.title).toBeNull()
    })

    it('does to each what can be done', async () => {
      const answer = await change({
        ids: [links[0]?.id, foreign, 'lnk_nothing', links[1]?.id],
        title: 'Whoever can',
      })
      expect(summary(answer)).toEqual(['200', '404 not_found ', '404 not_found ', '200'])
      expect(answer.body.meta).toEqual({ updated: 2, failed: 2 })
    })

    it('looks at no address of fields that are too large for a link', async () => {
      const looked = vi.fn((urls: readonly string[]) => urls)
      const urls = field<readonly string[]>(z.array(z.string()).readonly(), {
        ...{ label: 'URLs', control: 'list', addresses: looked },
      })
      const leading = definePlugin({
        feature: 'link.leading',
        about: 'Lead to many URLs.',
        fields: { urls },
      })
      await linnet.stop()
      linnet = await boot([leading])
      const { id } = await linnet.create()
      const many = Array.from({ length: 50 }, () => `https://example.com/${'x'.repeat(8_000)}`)
      const answer = await change({ ids: [id], urls: many })
      expect(answer.body.data[0].problem).toMatchObject({
        ...{ status: 422, detail: expect.stringContaining('at most 20,000 bytes') },
      })
      expect(looked).not.toHaveBeenCalled()
      const [first] = many
      expect((await change({ ids: [id], urls: [first] })).body.meta.updated).toBe(1)
      expect(looked).toHaveBeenCalled()
    })

    it('reaches visitors at once', async () => {
      const [link] = links
      if (link) await linnet.visit(link)
      await change({ ids: idsOf(0), password: 'sesame' })
      expect(link && (await linnet.visit(link)).location).toBeUndefined()
    })

    it.each([
      ['the same id twice', (id: string) => ({ ids: [id, id], title: 'x' }), ['ids[1]']],
      ['no ids', () => ({ title: 'x' }), ['ids']],
      ['101 ids', () => ({ ids: Array.from({ length: 101 }, (_, n) => `lnk_${n}`) }), ['ids']],
      ['a wrong value', (id: string) => ({ ids: [id], title: 7 }), ['title']],
      ['an unknown field', (id: string) => ({ ids: [id], name: 'x' }), ['name']],
    ])('is refused as a whole with %s', async (_, body, fields) => {
      const answer = await change(body(links[0]?.id ?? ''))
      expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
      expect((await read(0)).body.data.title).toBeNull()
    })
  })

  describe('DELETE /links/bulk', () => {
    const remove = (body: unknown) => linnet.api('DELETE', '/links/bulk', body)

    it('deletes those that are named in its body and are there', async () => {
      const { status, body } = await remove({ ids: [...idsOf(0, 2), foreign] })
      expect([status, body.meta]).toEqual([200, { deleted: 2, failed: 1 }])
      expect(body.data).toMatchObject([
        { id: links[0]?.id, status: 204, problem: null },
        { id: links[2]?.id, status: 204, problem: null },
        { id: foreign, status: 404, problem: { code: 'not_found' } },
      ])
      expect([(await read(0)).status, (await read(1)).status]).toEqual([404, 200])
      expect(await linnet.db.selectFrom('links').select('id').execute()).toHaveLength(2)
    })

    it.each([
      ['the same id twice', (id: string) => ({ ids: [id, id] }), ['ids[1]']],
      ['no body', () => undefined, ['ids']],
    ])('is refused as a whole with %s', async (_, body, fields) => {
      const answer = await remove(body(links[0]?.id ?? ''))
      expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
      expect((await read(0)).status).toBe(200)
    })
  })
})

it('the path /links/bulk names no link called "bulk"', async () => {
  const answer = await linnet.api('GET', '/links/bulk')
  expect(answer).toMatchObject({
    status: 405,
    headers: { allow: 'POST, PATCH, DELETE, OPTIONS' },
  })
})
