import { afterEach, describe, expect, it } from 'vitest'
import {
  type AddressedLink,
  address,
  type Draft,
  definePlugin,
  field,
  type LinkReader,
  z,
} from '../../../../core/plugin.ts'
import editOriginalUrl from '../../../../plugins/link/edit-original-url.ts'
import { boot, type Harness } from '../../../harness.ts'

let house: Harness
afterEach(() => house.stop())

let drafts: Draft[] = []
let told: AddressedLink[] = []
let reader: LinkReader

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
  },
})

const watching = definePlugin({
  feature: 'a.watches',
  about: 'Watch in a test.',
  setup({ links }) {
    reader = links
  },
  validate(draft) {
    drafts.push(draft)
    return undefined
  },
  on: {
    created: link => void told.push(link),
    updated: link => void told.push(link),
    deleted: link => void told.push(link),
  },
})

async function start() {
  drafts = []
  told = []
  house = await boot([leading, editOriginalUrl, watching])
}

const urls = (at: { readonly addresses: readonly { readonly url: string }[] } | undefined) =>
  at?.addresses.map(({ url }) => url)

describe('the addresses of a link', () => {
  it('are its own first, then those in the fields of every plugin, each with its field', async () => {
    await start()
    await house.create({
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
    const { id } = await house.create({ spareUrl: 'https://b.example/' })
    await house.api('PATCH', `/links/${id}`, { original_url: 'https://c.example/' })
    await house.api('PATCH', `/links/${id}`, { spare_url: null, title: 'T' })
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

  it('of all links come a page at a time', async () => {
    await start()
    await house.create({ spareUrl: 'https://b.example/' })
    const row = await house.db.selectFrom('links').selectAll().executeTakeFirstOrThrow()
    for (let made = 0; made < 500; made += 1) {
      const { id: _, ...copy } = {
        ...row,
        short_code: `x${made}`,
        original_url: `https://n${made}.example/`,
      }
      await house.db.insertInto('links').values(copy).execute()
    }
    const pages: (readonly AddressedLink[])[] = []
    let turns = 0
    const take = () => {
      turns += 1
      if (turns < 5) setImmediate(take)
    }
    setImmediate(take)
    for await (const page of reader.all()) pages.push(page)
    expect(pages.map(page => page.length)).toEqual([100, 100, 100, 100, 100, 1])
    // Between two pages redirects have their turn.
    expect(turns).toBe(5)
    expect(urls(pages[0]?.[0])).toEqual(['https://example.com/', 'https://b.example/'])
    expect(pages.flat().at(-1)?.originalUrl).toBe('https://n499.example/')
  })
})

it('asks about a draft only the plugins that the plan includes, and tells only them of the link', async () => {
  await start()
  await house.api('PATCH', '/admin/plans/unlimited', { extensions: { 'a.watches': false } })
  const { id } = await house.create()
  expect([drafts, told]).toEqual([[], []])
  await house.api('PATCH', `/links/${id}`, { title: 'T' })
  expect(told).toHaveLength(1)
})

describe('a guard that its plugin marked', () => {
  it('keeps the link shut while the plugin is off, also when it is edited then', async () => {
    await start()
    const link = await house.create()
    const { version } = await house.db
      .selectFrom('links')
      .select('version')
      .executeTakeFirstOrThrow()
    for await (const [saved] of reader.all()) if (saved) await reader.markGuarded(saved, true)
    const marked = await house.db.selectFrom('links').selectAll().executeTakeFirstOrThrow()
    expect([marked.guarded_by, marked.version]).toEqual(['["a.watches"]', version + 1])

    const off = await house.restart([])
    await off.api('PATCH', `/links/${link.id}`, { title: 'T' })
    expect((await off.visit(link)).status).toBe(503)
    await off.app.close()
  })

  it('is forgotten when it is taken back', async () => {
    await start()
    const link = await house.create()
    for await (const [saved] of reader.all()) {
      if (saved) await reader.markGuarded(saved, true)
      if (saved) await reader.markGuarded(saved, false)
    }
    expect((await house.visit(link)).status).toBe(302)
  })
})
