import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ConnectionError,
  etagOf,
  Linnet,
  LinnetError,
  NotFoundError,
  type ProblemError,
  StaleError,
  UnauthenticatedError,
  ValidationError,
} from '../../client/linnet.ts'
import type { Harness } from '../harness.ts'
import { clientOf } from './client-of.ts'
import { bootAll } from './whole-instance.ts'

let server: Harness
let token: string
let linnet: Linnet

beforeAll(async () => {
  server = await bootAll()
  const { body } = await server.api('POST', '/api-tokens', { name: 'Client', scopes: ['*'] })
  token = body.data.token
  linnet = clientOf(server, token)
})
afterAll(() => server.stop())

const original_url = 'https://example.com/'

describe('the client of the API', () => {
  it('creates, reads, changes and deletes a link', async () => {
    const made = await linnet.links.create({ original_url, short_code: 'spring' })
    expect(made).toMatchObject({ shortCode: 'spring', originalUrl: original_url })
    const link = await linnet.links.get(made.id)
    expect(await linnet.links.update(link, { title: 'Spring' })).toMatchObject({ title: 'Spring' })
    expect(await linnet.links.update(link.id, { notes: 'By id' })).toMatchObject({ notes: 'By id' })
    expect(await linnet.links.delete(made.id)).toBe(undefined)
    await expect(linnet.links.get(made.id)).rejects.toThrow(NotFoundError)
  })

  it('changes what was read only if nobody else has, and goes on from its own changes', async () => {
    const link = await linnet.links.create({ original_url })
    expect(etagOf(link)).toMatch(/^"/)
    await linnet.links.update(link, { title: 'One' })
    await linnet.links.update(link, { title: 'Two' })
    const other = clientOf(server, token)
    await other.links.update(link.id, { title: 'Three' })
    await expect(linnet.links.update(link, { title: 'Four' })).rejects.toThrow(StaleError)
    await expect(linnet.links.delete(link)).rejects.toThrow(StaleError)
    expect(await linnet.links.get(link)).toMatchObject({ title: 'Three' })
    // Whoever has read it again knows more than the object that was read before.
    await expect(linnet.links.update(link, { title: 'Five' })).rejects.toThrow(StaleError)
    await expect(linnet.links.get('..')).rejects.toThrow('".." is no id for /links/{id}.')
  })

  it('reads nothing again that has not changed', async () => {
    const link = await linnet.links.create({ original_url })
    const read = await linnet.links.get(link)
    expect(await linnet.links.get(read)).toBe(read)
    await linnet.links.update(link.id, { title: 'New' })
    expect(await linnet.links.get(read)).toMatchObject({ title: 'New' })
    // What it changed itself, it reads again: the object says what was before.
    const again = await linnet.links.get(link.id)
    await linnet.links.update(again, { title: 'Newer' })
    expect(await linnet.links.get(again)).toMatchObject({ title: 'Newer' })
  })

  it('reads a list page by page, as far as it is wanted', async () => {
    const tag = await linnet.tags.create({ name: 'Many' })
    const links = Array.from({ length: 7 }, (_, index) => ({
      original_url,
      title: `${index}`,
      tag_ids: [tag.id],
    }))
    const results = await linnet.links.bulkCreate({ links })
    expect(results.map(({ status }) => status)).toEqual(links.map(() => 201))
    const query = { tag_ids: [tag.id], per_page: 3 }
    const titles = []
    for await (const { title } of linnet.links.list(query)) titles.push(title)
    expect(titles.sort()).toEqual(links.map(({ title }) => title))
    const page = await linnet.links.list(query)
    expect(page.data).toHaveLength(3)
    expect(page.meta).toMatchObject({ total: 7, currentPage: 1 })
    const sizes = []
    for await (const { data } of linnet.links.list(query).pages()) sizes.push(data.length)
    expect(sizes).toEqual([3, 3, 1])
    for await (const { title } of linnet.links.list(query)) if (title) break
  })

  it('throws every wrong field at once', async () => {
    const wrong = { original_url: 'nowhere', short_code: 'a b' }
    const error = await linnet.links.create(wrong).catch(it => it)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', name: 'ValidationError' })
    expect(error.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'original_url',
      'short_code',
    ])
    expect(error.message).toMatch(/original_url: .*short_code: |short_code: .*original_url: /)
  })

  it('sends back what it read', async () => {
    const rules = [
      {
        name: 'Phones',
        original_url,
        conditions: [{ type: 'device', operator: 'is', value: 'mobile' }] as const,
      },
    ].map(rule => ({ ...rule, conditions: [...rule.conditions] }))
    const link = await linnet.links.create({ original_url, dynamic_routing: { rules } })
    const { dynamicRouting, title, expiresAt, maxVisits, utm } = link
    const again = {
      dynamicRouting,
      title,
      expiresAt,
      maxVisits,
      utm,
      originalUrl: link.originalUrl,
    }
    expect(await linnet.links.update(link, again)).toEqual(link)
    const copy = await linnet.links.create({ original_url, dynamicRouting })
    expect(copy.dynamicRouting).toEqual(dynamicRouting)
  })

  it('tries a request without doing anything', async () => {
    const tried = await linnet.links.create({ original_url, short_code: 'tried' }, { dryRun: true })
    expect(tried.shortCode).toBe('tried')
    await expect(linnet.links.lookup({ short_code: 'tried' })).rejects.toThrow(NotFoundError)
  })

  it('hands over files as they come', async () => {
    const link = await linnet.links.create({ original_url })
    const qr = await linnet.links.qr.get(link, { format: 'svg' })
    expect(await qr.text()).toContain('<svg')
    const csv = await linnet.links.analytics.csv(link)
    expect(csv.headers.get('Content-Type')).toContain('text/csv')
  })

  it('sends any request by its route', async () => {
    const { data, meta } = await linnet.request('GET /links', { query: { per_page: 1 } })
    expect(data).toHaveLength(1)
    const { id } = data[0] ?? { id: '' }
    const link = await linnet.request<{ data: { id: string } }>('GET /links/{id}', { path: { id } })
    expect(link.data.id).toBe(id)
    expect(meta.perPage).toBe(1)
    const newer = linnet.request('POST /of-a-newer-server', { body: {} })
    await expect(newer).rejects.toThrow('The server may be older than the program that asks')
    await expect(newer).rejects.toThrow(NotFoundError)
    await expect(linnet.request('GET /no-such/{id}', { path: { id: '..' } })).rejects.toThrow(
      '".." is no id for /no-such/{id}.',
    )
  })

  it('says who is not let in, and what does not answer', async () => {
    const stranger = clientOf(server, 'lnt_wrong')
    await expect(stranger.profile.get()).rejects.toThrow(UnauthenticatedError)
    const nowhere = new Linnet({ url: 'http://127.0.0.1:1', token, retries: 0 })
    await expect(nowhere.profile.get()).rejects.toThrow(ConnectionError)
  })

  it('says which address or option cannot be meant, before anything is sent', async () => {
    const url = 'https://go.example.org'
    for (const [options, said] of [
      [{ url: 'x' }, '"x" is not the address of a server. Give one such as https://go.example.org'],
      [{ url: 'ftp://example.org' }, '"ftp://example.org" is not the address of a server.'],
      [{ url: 'https://a:b@example.org' }, 'is not the address of a server.'],
      [{ url: 5 }, 'url must be a text.'],
      [{}, 'undefined is not the address of a server.'],
      [url, 'The client takes its options as an object: { url: … }.'],
      [{ url, token: 'a b' }, 'token must be an API token.'],
      [{ url, timeout: 5 }, 'The client has no option timeout. Those that there are: url, token,'],
      [{ url, retries: 1.5 }, 'retries must be a whole number from 0.'],
      [{ url, fetch: 'fetch' }, 'fetch must be a function.'],
    ] as const) {
      const make = () => new Linnet(options as never)
      expect(make).toThrow(LinnetError)
      expect(make).toThrow(said)
    }
    const { links } = linnet
    await expect(links.get('lnk_1', { dry: true } as never)).rejects.toThrow(
      'A call has no option dry. Those that there are: signal, timeoutMs,',
    )
    await expect(links.get('lnk_1', { timeoutMs: '5' } as never)).rejects.toThrow(LinnetError)
    await expect(links.get('..')).rejects.toThrow(LinnetError)
  })

  it('says all that is wrong with a link at once, also what only a look-up tells', async () => {
    await linnet.links.create({ original_url, short_code: 'taken' })
    const body = {
      original_url,
      short_code: 'taken',
      domain: 'nobody.example',
      tag_ids: ['tag_none'],
      campaign_id: 'cmp_none',
    }
    const errorsOf = (work: Promise<unknown>) =>
      work.then(
        () => [],
        (error: ProblemError) => error.errors.map(({ field }) => field).sort(),
      )
    const all = ['campaign_id', 'domain', 'short_code', 'tag_ids']
    const said = await errorsOf(linnet.links.create(body))
    expect(said.map(field => field.replace(/\[.*/, ''))).toEqual(all)
    const other = await linnet.links.create({ original_url })
    const { original_url: _, ...changes } = body
    const changed = await errorsOf(linnet.links.update(other.id, changes))
    expect(changed.map(field => field.replace(/\[.*/, ''))).toEqual(all)
    const put = (id: string) =>
      errorsOf(
        linnet.request('PUT /links/by-external-id/{id}', { path: { id }, body: { ...body } }),
      )
    expect((await put('new')).map(field => field.replace(/\[.*/, ''))).toEqual(all)
    const known = await linnet.links.create({ original_url, external_id: 'known' })
    expect((await put('known')).map(field => field.replace(/\[.*/, ''))).toEqual(all)
    expect(await linnet.links.get(known.id)).toEqual(known)
    for (const dryRun of [false, true]) {
      const many = await linnet.links.bulkCreate(
        { links: [body, { original_url }, body] },
        { dryRun },
      )
      expect(many.map(({ status }) => status)).toEqual([422, 201, 422])
      for (const place of [0, 2]) {
        const fields = many[place]?.problem?.errors.map(({ field }) => field.replace(/\[.*/, ''))
        expect(fields?.sort()).toEqual(all)
      }
    }
    // Nothing of what was tried is there.
    expect(await linnet.links.get(other.id)).toEqual(other)
    expect(await errorsOf(linnet.links.create({ original_url, short_code: 'taken' }))).toEqual([
      'short_code',
    ])
  })
})
