import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, definePlugin } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
let links: Context['links']

const reader = definePlugin({
  feature: 'a.reader',
  about: 'Reads links.',
  setup(context) {
    links = context.links
  },
})

beforeEach(async () => {
  linnet = await boot([reader, 'link.customShortCode', 'link.editShortCode'])
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
