import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sink } from '../../../../../plugins/organization/imports/sources/sink.ts'
import { type Answer, fetch, type Got, serve } from '../api-server.ts'
import { conforms } from '../conformance.ts'
import { all, asked, fileOf, itemsOf, ofKind } from '../from-text.ts'

const hash = 'sink-pwd:v1:10000:c2FsdA:aGFzaA:dGFpbA'

const link = (more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id: 'abc', slug: 'spring', url: 'https://example.com/', comment: 'For the letter' },
  ...{ createdAt: 1_718_119_809, updatedAt: 1_718_119_900 },
  ...more,
})

const exportOf = (links: readonly unknown[]) => ({
  ...{ version: '1.0', exportedAt: '2026-11-27T12:00:00.000Z', count: 9_999, links },
  list_complete: true,
})

const folder = mkdtempSync(join(tmpdir(), 'linnet-sink-'))
afterAll(() => rmSync(folder, { recursive: true }))
const exported = join(folder, 'sink.json')
writeFileSync(
  exported,
  JSON.stringify(exportOf([link({ tags: ['news'] }), link({ id: 'x', slug: 'b' })])),
)
conforms(sink, { file: exported })

/** A server as its API answers: two links at once. */
function server(links: readonly unknown[]) {
  return ({ path, query }: Got): Answer => {
    if (path !== '/api/link/export') return { status: 404, json: {} }
    const from = Number(query.cursor ?? 0)
    const list_complete = from + 2 >= links.length
    const page = { ...exportOf(links.slice(from, from + 2)), list_complete }
    return { json: list_complete ? page : { ...page, cursor: String(from + 2) } }
  }
}

const running = await serve(
  server([link(), link({ id: 'x', slug: 'b' }), link({ id: 'y', slug: 'c' })]),
)
afterAll(running.close)
conforms(sink, { fetch, settings: { server: running.base, key: 'secret' } })

async function read(answer: (got: Got) => Answer, settings = {}) {
  const { base, got } = await serve(answer)
  const given = { server: `${base}/`, key: 'secret', ...settings }
  return { items: await all(sink.read(asked({ fetch, settings: given }))), got }
}

const inFile = async (...links: readonly unknown[]) =>
  itemsOf(sink, JSON.stringify(exportOf(links)))

describe('the links of Sink', () => {
  it('come from a server, page after page', async () => {
    const links = Array.from({ length: 5 }, (_, index) =>
      link({ id: `${index}`, slug: `k${index}` }),
    )
    const { items, got } = await read(server(links))
    expect(items[0]).toEqual({ kind: 'host', row: 'settings', host: null, anyCase: true })
    expect(ofKind(items, 'link').map(({ code }) => code)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4'])
    expect(got.map(({ query, headers }) => [query.cursor, headers.authorization])).toEqual([
      ...[
        [undefined, 'Bearer secret'],
        ['2', 'Bearer secret'],
        ['4', 'Bearer secret'],
      ],
    ])
  })

  it('come from a file with all that they have', async () => {
    const items = await inFile(
      link({
        ...{ title: 'Fox', expiration: 1_893_456_000, tags: ['news'], password: hash },
        ...{ apple: 'https://example.com/ios', google: 'https://example.com/android' },
        geo: { DE: 'https://example.com/de' },
        ...{
          redirectWithQuery: true,
          unsafe: true,
          cloaking: true,
          image: 'https://example.com/i.png',
        },
      }),
    )
    expect(ofKind(items, 'link')).toEqual([
      {
        ...{ kind: 'link', row: 'spring', id: 'abc', host: null, code: 'spring', tags: ['news'] },
        password: { hash },
        createdAt: new Date('2024-06-11T15:30:09Z'),
        updatedAt: new Date('2024-06-11T15:31:40Z'),
        fields: {
          ...{ originalUrl: 'https://example.com/', title: 'Fox', notes: 'For the letter' },
          ...{ expiresAt: '2030-01-01T00:00:00.000Z', forwardQuery: true, confirm: true },
          dynamicRouting: {
            rules: [
              { ...of('iOS', 'https://example.com/ios'), conditions: [is('os', 'iOS')] },
              {
                ...of('Android', 'https://example.com/android'),
                conditions: [is('os', 'Android')],
              },
              { ...of('DE', 'https://example.com/de'), conditions: [is('country', ['DE'])] },
            ],
          },
        },
        changes: [
          'It hides where it leads there. Here it redirects.',
          'Its card for social networks does not come along.',
        ],
      },
    ])
  })

  it('keep passwords that older servers have as they are, and do not come without one that is masked', async () => {
    const items = await inFile(
      link({ password: 'open' }),
      link({ id: 'x', slug: 'b', password: '__SINK_MASKED__abc' }),
    )
    expect(ofKind(items, 'link')).toMatchObject([{ password: { text: 'open' } }])
    expect(ofKind(items, 'refused')).toEqual([
      {
        ...{ kind: 'refused', row: 'b' },
        reason:
          'Its password is masked in this file. Export the links from the server with its site token.',
      },
    ])
  })

  it('answer in one case only, where that is set', async () => {
    const settings = { caseSensitive: true }
    const [host] = await itemsOf(sink, JSON.stringify(exportOf([link()])), settings)
    expect(host).toMatchObject({ anyCase: false })
  })

  it('are refused one by one, if they are none', async () => {
    const items = await inFile(7, { id: 'x' }, link({ expiration: 'soon' }), link())
    expect(items.map(({ kind, row }) => [kind, row])).toEqual([
      ...[
        ['host', 'settings'],
        ['refused', 'link 1'],
        ['refused', 'link 2'],
        ['refused', 'link 3'],
      ],
      ['link', 'spring'],
    ])
  })
})

describe('what is no export of Sink', () => {
  it.each([
    ['no JSON', 'url,slug\n', /is no JSON with links, as the export of Sink is\.$/],
    ['another JSON', '{"data": []}', /is no JSON with links/],
    ['null', 'null', /is no JSON with links/],
  ])('is refused with a sentence: %s', async (_, content, sentence) => {
    await expect(itemsOf(sink, content)).rejects.toThrow(sentence)
  })

  it('is not read to its end', async () => {
    const file = {
      ...fileOf('', 'large.json'),
      async *read() {
        for (;;) yield Buffer.alloc(2 ** 20)
      },
    }
    await expect(all(sink.read(asked({ file })))).rejects.toThrow(/is no JSON with links/)
  })

  it('is read as far as it is whole, one link after another, and what is no link or far too much is refused', async () => {
    const whole = JSON.stringify(
      exportOf([link(), [], link({ slug: 'b', id: 'b', comment: '"],{' })]),
    )
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`
    const many = `[${'[],'.repeat(20_000)}[]]`
    const long = `{"slug":"${'x'.repeat(1_200_000)}"}`
    const text = whole.replace('[]', [deep, many, long, '{nothing}'].join())
    for (const bytes of [997, text.length]) {
      const file = {
        ...fileOf('', 'sink.json'),
        async *read(): AsyncGenerator<Buffer> {
          for (let at = 0; at < text.length; at += bytes)
            yield Buffer.from(text.slice(at, at + bytes))
        },
      }
      const items = await all(sink.read(asked({ file })))
      expect(
        items.filter(it => it.kind !== 'host').map(it => [it.kind, 'row' in it && it.row]),
      ).toEqual([
        ['link', 'spring'],
        ...[2, 3, 4, 5].map(number => ['refused', `link ${number}`]),
        ['link', 'b'],
      ])
    }
    await expect(itemsOf(sink, whole.slice(0, -40))).rejects.toThrow(
      'ends after 2 links without the end of its JSON: it was cut off.',
    )
  })

  it('ends with a sentence: a server', async () => {
    await expect(read(() => ({ status: 401, json: {} }))).rejects.toThrow(/does not accept the key/)
    await expect(read(() => ({ json: [] }))).rejects.toThrow(/Is it the address of Sink\?/)
    await expect(read(server([]), { server: undefined })).rejects.toThrow(/Enter the address/)
    const same = () => ({ json: { links: [link()], cursor: 'x', list_complete: false } })
    await expect(read(same)).rejects.toThrow(/again and again/)
  })
})

function of(name: string, originalUrl: string) {
  return { name, originalUrl }
}

function is(type: string, value: unknown) {
  return { type, operator: 'is', value }
}
