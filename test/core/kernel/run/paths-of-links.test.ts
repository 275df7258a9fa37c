import { afterEach, expect, it } from 'vitest'
import { type Context, definePlugin, file, type Mount, text } from '../../../../core/plugin.ts'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import { boot, type Harness } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

/** Has hosts, the last of which comes after all others in any order. */
const hosting = definePlugin({
  feature: 'a.hosting',
  about: 'Has hosts.',
  fields: { domain: text({ label: 'Domain', when: 'create', stored: false }) },
  prepare: ({ fields: { domain } }) => (domain ? { domain } : undefined),
  unstable: {
    hosts: (_: Context) =>
      ['a.example', 'z.example'].map(name => ({
        ...{ name, accountId: 1, rootUrl: null, notFoundUrl: null },
      })),
  },
})

const door = (mount: Partial<Mount>) =>
  definePlugin({
    feature: 'a.door',
    about: 'A plugin for a test.',
    mounts: { bio: { handle: () => file('text/plain', 'bio', 0), ...mount } },
  })

it('a mount on all hosts does not take the path of a link of any host', async () => {
  linnet = await boot([hosting, customShortCode])
  await linnet.create({ domain: 'a.example', shortCode: 'other' })
  await linnet.create({ domain: 'z.example', shortCode: 'bio' })
  const own = await linnet.restart([hosting, door({})])
  expect((await own.visit('bio')).text).toBe('bio')
  await expect(own.restart([hosting, door({ hosts: 'all' })])).rejects.toThrow(
    'a.door does not run: it answers /bio, which is the short code of a link',
  )
})

it('a mount on all hosts takes a path that no link has', async () => {
  linnet = await boot([hosting, customShortCode])
  await linnet.create({ domain: 'a.example', shortCode: 'other' })
  await linnet.create({ shortCode: 'one' })
  const all = await linnet.restart([hosting, door({ hosts: 'all' })])
  const { text } = await all.visit('bio', { headers: { host: 'z.example' } })
  expect(text).toBe('bio')
})
