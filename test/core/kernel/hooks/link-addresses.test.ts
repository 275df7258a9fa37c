import { afterEach, describe, expect, it } from 'vitest'
import {
  type AddressedLink,
  address,
  type Draft,
  definePlugin,
  endpoint,
  field,
  type Links,
  text,
  type UnstableLinks,
  type UpdatedLink,
  z,
} from '../../../../core/plugin.ts'
import editOriginalUrl from '../../../../plugins/link/edit-original-url.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

let drafts: Draft[] = []
let told: AddressedLink[] = []
let updated: UpdatedLink[] = []
let links: Links
let unstable: UnstableLinks

const words = new Map<number, string>()

const leading = definePlugin({
  feature: 'a.leads',
  about: 'Lead elsewhere in a test.',
  fields: {
    spareUrl: address({ label: 'Spare' }),
    routes: field(z.array(z.strictObject({ url: z.string() })), {
      label: 'Routes',
      control: 'routes',
      addresses: routes => routes.map(({ url }) => url),
    }),
    word: text({ label: 'Word', stored: false }),
  },
  computed: {
    schema: { word: z.string() },
    of: links => links.map(({ rowId }) => ({ word: words.get(rowId) ?? '' })),
  },
  save({ rowId }, { word }) {
    words.set(rowId, word ?? '')
    return undefined
  },
  endpoints: {
    'POST /moves': endpoint({
      summary: 'Move somewhere',
      scope: 'links:write',
      body: z.strictObject({ url: z.string() }),
      answer: z.strictObject({ data: z.string() }),
      addresses: ({ url }) => [{ field: 'url', url }],
      handle: ({ body: { url } }) => ({ data: url }),
    }),
  },
})

const watching = definePlugin({
  feature: 'a.watches',
  about: 'Watch in a test.',
  setup(context) {
    links = context.links
    unstable = context.unstable.links
  },
  validate(draft) {
    drafts.push(draft)
    return undefined
  },
  on: {
    created: link => void told.push(link),
    updated(link) {
      told.push(link)
      updated.push(link)
    },
    deleted: link => void told.push(link),
  },
})

async function start() {
  drafts = []
  told = []
  updated = []
  linnet = await boot([leading, editOriginalUrl, watching])
}

const urls = (at: { readonly addresses: readonly { readonly url: string }[] } | undefined) =>
  at?.addresses.map(({ url }) => url)

describe('the addresses of a link', () => {
  it('are its own first, then those in the fields of every plugin, each with its field', async () => {
    await start()
    await linnet.create({
      originalUrl: 'https://a.example/',
      routes: [{ url: 'https://c.example/' }, { url: 'https://d.example/' }],
      spareUrl: 'https://B.example',
    })
    expect(drafts[0]?.addresses).toEqual([
      { field: 'originalUrl', url: 'https://a.example/' },
      { field: 'spareUrl', url: 'https://b.example/' },
      { field: 'routes', url: 'https://c.example/' },
      { field: 'routes', url: 'https://d.example/' },
    ])
    expect(drafts[0]?.link).toBeUndefined()
    expect(told[0]?.addresses).toEqual(drafts[0]?.addresses)
  })

  it('in an edit are those of before and those of after', async () => {
    await start()
    const { id } = await linnet.create({ spareUrl: 'https://b.example/' })
    await linnet.api('PATCH', `/links/${id}`, { original_url: 'https://c.example/' })
    await linnet.api('PATCH', `/links/${id}`, { spare_url: null, title: 'T' })
    expect(drafts.slice(1).map(draft => [urls(draft.link), urls(draft)])).toEqual([
      [
        ['https://example.com/', 'https://b.example/'],
        ['https://c.example/', 'https://b.example/'],
      ],
      [['https://c.example/', 'https://b.example/'], ['https://c.example/']],
    ])
    expect(urls(told.at(-1))).toEqual(['https://c.example/'])
    expect(told.at(-1)?.title).toBe('T')
  })

  it.each([
    ['myapp://open/1', 'The URL must begin with http:// or https://.'],
    ['javascript:alert(1)', 'The URL must begin with http:// or https://.'],
    ['example.org', 'Enter a full URL, such as https://example.com/page.'],
    ['https://example.org/a b', 'The URL contains a space or a control character: escape it.'],
    ['HTTPS://Example.org', 'Write this URL as https://example.org/.'],
  ])('cannot be %s, which no visitor could be sent to', async (url, message) => {
    await start()
    const routes = [{ url: 'https://a.example/' }, { url }]
    const { id } = await linnet.create({ routes: routes.slice(0, 1) })
    for (const [method, path, body, field] of [
      ['POST', '/links', { originalUrl: 'https://b.example/', routes }, 'routes[1].url'],
      ['PATCH', `/links/${id}`, { routes }, 'routes[1].url'],
      ['POST', '/moves', { url }, 'url'],
    ] as const) {
      const { status, body: problem } = await linnet.api(method, path, body)
      expect([path, status, problem.errors]).toEqual([
        path,
        422,
        [{ field, code: 'validation_failed', message }],
      ])
    }
    const { body } = await linnet.api('GET', `/links/${id}`)
    expect(body.data.routes).toEqual(routes.slice(0, 1))
  })

  it('that could not be followed keep nobody from changing something else', async () => {
    await start()
    const link = await linnet.create({ routes: [{ url: 'https://a.example/' }] })
    const fields = JSON.stringify({ 'a.leads': { routes: [{ url: 'myapp://open/1' }] } })
    await linnet.db.updateTable('links').set({ fields }).execute()
    const { status } = await linnet.api('PATCH', `/links/${link.id}`, { title: 'T', word: 'calm' })
    expect(status).toBe(200)
  })

  it('of all links come a page at a time', async () => {
    await start()
    await linnet.create({ spareUrl: 'https://b.example/' })
    const row = await linnet.db.selectFrom('links').selectAll().executeTakeFirstOrThrow()
    for (let made = 0; made < 500; made += 1) {
      const { id: _, ...copy } = {
        ...row,
        short_code: `x${made}`,
        original_url: `https://n${made}.example/`,
      }
      await linnet.db.insertInto('links').values(copy).execute()
    }
    const pages: (readonly AddressedLink[])[] = []
    let turns = 0
    const take = () => {
      turns += 1
      if (turns < 5) setImmediate(take)
    }
    setImmediate(take)
    for await (const page of links.all()) pages.push(page)
    expect(pages.map(page => page.length)).toEqual([100, 100, 100, 100, 100, 1])
    // Between two pages redirects have their turn.
    expect(turns).toBe(5)
    expect(urls(pages[0]?.[0])).toEqual(['https://example.com/', 'https://b.example/'])
    expect(pages.flat().at(-1)?.originalUrl).toBe('https://n499.example/')
    const [last] = pages[3]?.slice(-1) ?? []
    await linnet.db
      .deleteFrom('links')
      .where('id', '=', last?.rowId ?? 0)
      .execute()
    const rest: (readonly AddressedLink[])[] = []
    for await (const page of links.all(last?.id)) rest.push(page)
    expect(rest).toEqual(pages.slice(4))
    const nowhere = links.all('lnk_')[Symbol.asyncIterator]()
    await expect(nowhere.next()).rejects.toThrow('lnk_ is not the id of a link.')
  })
})

it('plugins are told what was changed, and of a link nothing but what their types say', async () => {
  await start()
  const { id } = await linnet.create({ title: 'T', notes: 'Mine', spareUrl: 'https://b.example/' })
  const routes = [{ url: 'https://c.example/' }]
  for (const change of [
    { title: 'T', originalUrl: 'https://d.example/' },
    { title: null, notes: null, archived: true },
    { spareUrl: null, routes },
    { routes, word: 'calm', title: 'T' },
    { routes, word: 'calm', title: 'T' },
    { word: 'glad' },
  ]) {
    expect((await linnet.api('PATCH', `/links/${id}`, change)).status).toBe(200)
  }
  expect(updated.map(({ changed }) => [...changed])).toEqual([
    ['originalUrl'],
    ['title', 'notes', 'archived'],
    ['spareUrl', 'routes'],
    ['title', 'word'],
    ['word'],
  ])
  const [made] = told
  const view = ['accountId', 'domain', 'id', 'originalUrl', 'rowId', 'shortCode']
  const addressed = [...view, 'addresses', 'title'].sort()
  expect(namesOf(made)).toEqual(addressed)
  expect(namesOf(updated[0])).toEqual([...addressed, 'changed'].sort())
  expect(namesOf(drafts.at(-1)?.link)).toEqual(addressed)
  expect(namesOf(await links.find(id))).toEqual([...view, 'title'].sort())
  expect(made?.accountId).toBe(linnet.account.rowId)
})

function namesOf(value: object | undefined): readonly string[] {
  return Object.keys(value ?? {}).sort()
}

it('only the plugins that the plan includes are asked about a draft, and told of the link', async () => {
  await start()
  await linnet.api('PATCH', '/admin/plans/unlimited', { extensions: { 'a.watches': false } })
  const { id } = await linnet.create()
  expect([drafts, told]).toEqual([[], []])
  await linnet.api('PATCH', `/links/${id}`, { title: 'T' })
  expect(told).toHaveLength(1)
})

describe('a guard that its plugin marked', () => {
  it('keeps the link shut while the plugin is off, also when it is edited then', async () => {
    await start()
    const link = await linnet.create()
    const { version } = await linnet.db
      .selectFrom('links')
      .select('version')
      .executeTakeFirstOrThrow()
    for await (const [saved] of links.all()) if (saved) await unstable.markGuarded(saved, true)
    const marked = await linnet.db.selectFrom('links').selectAll().executeTakeFirstOrThrow()
    expect([marked.guarded_by, marked.version]).toEqual(['["a.watches"]', version + 1])

    const off = await linnet.restart([])
    await off.api('PATCH', `/links/${link.id}`, { title: 'T' })
    expect((await off.visit(link)).status).toBe(503)
    await off.app.close()
  })

  it('is forgotten when it is taken back', async () => {
    await start()
    const link = await linnet.create()
    for await (const [saved] of links.all()) {
      if (saved) await unstable.markGuarded(saved, true)
      if (saved) await unstable.markGuarded(saved, false)
    }
    expect((await linnet.visit(link)).status).toBe(302)
  })
})
