import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, definePlugin } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
let links: Context['links']
let more: Context['unstable']['links']

const reader = definePlugin({
  feature: 'a.reader',
  about: 'Reads links.',
  setup(context) {
    links = context.links
    more = context.unstable.links
  },
})

beforeEach(async () => {
  linnet = await boot([
    reader,
    'link.customShortCode',
    'link.editShortCode',
    'analytics.visitsTracking',
  ])
})
afterEach(() => linnet.stop())

describe('a link that a plugin looks up by a code', () => {
  it('is found by its code and by former ones, which it says', async () => {
    const { id } = await linnet.create({ shortCode: 'old' })
    await linnet.api('PATCH', `/links/${id}`, { shortCode: 'new' })
    expect(await links.findByCode('new')).toMatchObject({ id, shortCode: 'new', isFormer: false })
    expect(await links.findByCode('old')).toMatchObject({ id, shortCode: 'new', isFormer: true })
    for (const code of ['NEW', 'none', '', '\u0000', '__proto__']) {
      expect(await links.findByCode(code)).toBeUndefined()
    }
  })

  it('is looked for on the host that is named, and else on that of the base URL', async () => {
    const { id } = await linnet.create({ shortCode: 'here' })
    for (const host of ['go.example.org', 'GO.EXAMPLE.ORG']) {
      expect(await links.findByCode('here', host)).toMatchObject({ id, isFormer: false })
    }
    expect(await links.findByCode('here', 'links.example.org')).toBeUndefined()
    const place = { domain: 'links.example.org' }
    await linnet.db.updateTable('links').set(place).execute()
    await linnet.db.updateTable('short_codes').set(place).execute()
    expect(await links.findByCode('here')).toBeUndefined()
    expect(await links.findByCode('here', 'links.example.org')).toMatchObject({ id, ...place })
  })
})

it('plugins are told the address of a path on the host of the base URL, and without one that of its front page', () => {
  expect(links.mainUrl()).toBe('https://go.example.org/')
  expect(links.mainUrl('/api/notices/stop')).toBe('https://go.example.org/api/notices/stop')
})

describe('the visits of an hour', () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const visit = (code: string) => linnet.visit(code, { headers: { 'user-agent': browser } })
  const visitsIn = async (hour: string) => {
    const all: unknown[] = []
    for await (const page of more.visitsIn(new Date(hour))) {
      all.push(...page.map(({ link, visits }) => [link.shortCode, visits]))
    }
    return all
  }

  it('are those of each link that had some, in the hour that contains a moment', async () => {
    for (const shortCode of ['a', 'b', 'c']) await linnet.create({ shortCode })
    for (const code of ['a', 'b', 'a']) await visit(code)
    await linnet.app.recorder.catchUp()
    linnet.at('2026-11-20T13:59:59Z')
    await visit('a')
    expect(await visitsIn('2026-11-20T12:30:00Z')).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect(await visitsIn('2026-11-20T13:00:00Z')).toEqual([['a', 1]])
    expect(await visitsIn('2026-11-20T11:59:59Z')).toEqual([])
    expect(await visitsIn('2026-11-20T14:00:00Z')).toEqual([])
  })
})
