import { afterEach, expect, it } from 'vitest'
import { definePlugin, follow, type Plugin, refuse, toggle } from '../../../../core/plugin.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

/** Takes what stands behind the code of links that say so. */
const taking = definePlugin({
  feature: 'a.taking',
  about: 'Takes what stands behind a code.',
  fields: { takes: toggle({ label: 'Takes' }) },
  target({ takes }) {
    return takes ? ({ rest }, url) => `${url}${rest}` : undefined
  },
  unstable: {
    unknown({ path }) {
      const [code = '', rest] = path.split(/\/(.*)/)
      return rest === undefined ? undefined : follow(code, follow('other', undefined, rest), rest)
    },
  },
})

/** What other hooks see of it. */
const seen: string[] = []
const seeing: Plugin = definePlugin({
  feature: 'b.seeing',
  about: 'Sees what stands behind a code.',
  guard: () => visit => {
    seen.push(`guard ${visit.rest}`)
    return undefined
  },
  dimensions: { rests: { label: 'Rests', chart: 'table', of: ({ rest }) => `rest: ${rest}` } },
})

it('a link that takes what is behind its code is followed, with its guards, and nobody counts by it', async () => {
  linnet = await boot(['link.customShortCode', 'analytics.visitsTracking', taking, seeing])
  const link = await linnet.create({ shortCode: 'wiki', takes: true })
  seen.length = 0
  expect((await linnet.visit('wiki/a%20b/c')).location).toBe('https://example.com/a%20b/c')
  expect((await linnet.visit('wiki')).location).toBe('https://example.com/')
  expect(seen).toEqual(['guard a%20b/c', 'guard '])
  await linnet.app.recorder.catchUp()
  expect((await linnet.counts(link)).rests).toEqual({ 'rest: ': 2 })
})

it('all others have nothing there, not even a view, and the next link is tried', async () => {
  linnet = await boot(['link.customShortCode', 'link.linkPreview', taking])
  await linnet.create({ shortCode: 'wiki' })
  expect((await linnet.visit('wiki')).status).toBe(302)
  expect((await linnet.visit('wiki/a')).status).toBe(404)
  await linnet.create({ shortCode: 'other', takes: true })
  expect((await linnet.visit('wiki/a')).location).toBe('https://example.com/a')
  expect((await linnet.visit('none/b')).location).toBe('https://example.com/b')
  expect((await linnet.visit('other+')).status).toBe(200)
  expect((await linnet.visit('other+/a')).location).toBe('https://example.com/a')
})

it('what one plugin names is for its own links only', async () => {
  const naming = definePlugin({
    feature: 'c.naming',
    about: 'Names links of others.',
    unstable: { unknown: ({ path }) => follow(path.replace(/\/.*/, ''), undefined, 'a') },
  })
  linnet = await boot(['link.customShortCode', naming, { ...taking, unstable: {} }])
  await linnet.create({ shortCode: 'wiki', takes: true })
  expect((await linnet.visit('wiki/a')).status).toBe(404)
})

it('is refused where the link is closed', async () => {
  const closing = definePlugin({
    feature: 'd.closing',
    about: 'Closes links.',
    guard: () => () => refuse('closed', 'This link is closed.', 403),
  })
  linnet = await boot(['link.customShortCode', taking, closing])
  await linnet.create({ shortCode: 'wiki', takes: true })
  expect((await linnet.visit('wiki/a')).status).toBe(403)
  const off = await linnet.restart(['link.customShortCode', taking])
  expect((await off.visit('wiki/a')).status).toBe(503)
})
