import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type Context, definePlugin, file, type Mount, text } from '../../../../core/plugin.ts'
import { inTransaction } from '../../../../core/storage/database.ts'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import { type Answer, boot, type Harness } from '../../../harness.ts'

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

describe('a plugin that is switched on', () => {
  const bio = { originalUrl: 'https://example.com/', shortCode: 'bio' }
  const off = { settings: { plugins: { off: ['a.door'] } } }
  const switched = (enabled: boolean) => linnet.api('PATCH', '/admin/plugins/a.door', { enabled })
  const statusOf = async (answer: Promise<Answer>) => (await answer).status

  it.each(['works', 'fails'])(
    'keeps its path from new links while it is set up, and after that if it %s',
    async how => {
      const begun = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      const setup = async () => {
        begun.resolve()
        await end.promise
        if (how === 'fails') throw new Error('boom')
      }
      linnet = await boot([{ ...door({}), setup }, customShortCode], off)
      const switching = statusOf(switched(true))
      await begun.promise
      const refused = await linnet.api('POST', '/links', bio)
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        'The short code bio is reserved.',
      ])
      expect(await statusOf(linnet.api('POST', '/links', { ...bio, shortCode: 'bios' }))).toBe(201)
      end.resolve()
      const works = how === 'works'
      expect(await switching).toBe(works ? 200 : 409)
      expect(await statusOf(linnet.api('POST', '/links', bio))).toBe(works ? 409 : 201)
    },
  )

  it('leaves its path to links when it is switched off', async () => {
    linnet = await boot([door({}), customShortCode])
    expect(await statusOf(linnet.api('POST', '/links', bio))).toBe(409)
    expect(await statusOf(switched(false))).toBe(200)
    expect(await statusOf(linnet.api('POST', '/links', bio))).toBe(201)
    expect((await linnet.visit('bio')).location).toBe('https://example.com/')
  })

  it('does not take the path of a link that is being saved', async () => {
    linnet = await boot([door({}), customShortCode], off)
    await linnet.create({ shortCode: 'other' })
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const saving = inTransaction(linnet.db, async tx => {
      await tx.updateTable('short_codes').set({ code: 'bio' }).execute()
      begun.resolve()
      await end.promise
    })
    await begun.promise
    const switching = switched(true)
    // On a server, whoever only reads sees nothing of it yet.
    await delay(100)
    end.resolve()
    await saving
    const { status, body } = await switching
    expect([status, body.detail]).toEqual([409, expect.stringContaining('it answers /bio, which')])
  })
})
