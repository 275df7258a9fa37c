import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, refuse, text } from '../../../../core/plugin.ts'
import customShortCode from '../../../../plugins/link/custom-short-code.ts'
import { type Answer, boot, type Harness, type ShownLink } from '../../../harness.ts'
import { isOnServer } from '../../../open-storage.ts'
import { countTurns, type Tally } from '../../../tally.ts'

const turns = countTurns()
let linnet: Harness
let saved: Tally
let announced: string[]

/** Notes what links wish for, in a table of its own. */
const wishes = definePlugin({
  feature: 'link.wishes',
  about: 'Notes a wish.',
  fields: { wish: text({ label: 'Wish', stored: false }) },
  migrations: {
    '001': async db => {
      await db.schema.createTable('link_wishes_notes').addColumn('wish', 'text').execute()
    },
  },
  async save(_, { wish }, { db }) {
    saved.add()
    await db.insertInto('link_wishes_notes').values({ wish }).execute()
    if (wish === 'to fail') throw new Error('It failed.')
    return wish === 'to be refused' ? refuse('no_such_wish', 'No.', 422, 'wish') : undefined
  },
  on: { created: ({ originalUrl }) => void announced.push(originalUrl) },
})

beforeEach(async () => {
  announced = []
  saved = turns.tally()
  linnet = await boot([customShortCode, wishes])
})
afterEach(() => linnet.stop())

/** All at the same moment. */
const makeAll = (links: readonly object[]): Promise<readonly Answer[]> =>
  Promise.all(
    links.map((link, number) =>
      linnet.api('POST', '/links', { original_url: `https://example.com/${number}`, ...link }),
    ),
  )
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)
const noted = async () => {
  const rows = await linnet.db
    .withTables<{ link_wishes_notes: { wish: string } }>()
    .selectFrom('link_wishes_notes')
    .select('wish')
    .orderBy('wish')
    .execute()
  return rows.map(({ wish }) => wish)
}
const links = async (): Promise<readonly ShownLink[]> =>
  (await linnet.api('GET', '/links?per_page=100&sort=created_at')).body.data
const used = async () =>
  (await linnet.api('GET', '/profile')).body.data.plan.usage.linksCreatedThisMonth

describe('links that are made at the same moment', () => {
  it.skipIf(isOnServer)('are saved several in one go, sixteen at most', async () => {
    const answers = await makeAll(
      Array.from({ length: 40 }, (_, number) => ({ wish: `${number}` })),
    )
    expect(new Set(statusesOf(answers))).toEqual(new Set([201]))
    expect(saved.sum()).toBe(40)
    expect(saved.most()).toBeGreaterThan(1)
    expect(saved.most()).toBeLessThanOrEqual(16)
    expect([await used(), (await noted()).length]).toEqual([40, 40])
    const codes = new Set(answers.map(({ body }) => body.data.shortCode))
    expect(codes.size).toBe(40)
  })

  it('are each answered with their own link', async () => {
    const answers = await makeAll([{ title: 'a' }, { title: 'b' }, { title: 'c' }])
    expect(answers.map(({ body }) => [body.data.title, body.data.originalUrl])).toEqual([
      ['a', 'https://example.com/0'],
      ['b', 'https://example.com/1'],
      ['c', 'https://example.com/2'],
    ])
  })

  it.each([
    ['whose code is taken', { short_code: 'taken' }, 409],
    ['that a plugin refuses', { wish: 'to be refused' }, 422],
    ['that a plugin fails for', { wish: 'to fail' }, 503],
  ])('are made although there is one among them %s', async (_, wrong, status) => {
    await linnet.create({ originalUrl: 'https://example.com/first', shortCode: 'taken' })
    const answers = await makeAll([{ wish: 'a' }, wrong, { wish: 'b' }])
    expect(statusesOf(answers)).toEqual([201, status, 201])
    await linnet.settled()
    const made = ['first', '0', '2'].map(it => `https://example.com/${it}`)
    expect((await links()).map(({ originalUrl }) => originalUrl).sort()).toEqual(made.sort())
    expect([...announced].sort()).toEqual(made)
    expect([await used(), await noted()]).toEqual([3, ['a', 'b']])
  })

  it('are as many as the quota allows, whoever was first', async () => {
    await linnet.api('PATCH', '/admin/plans/unlimited', { limits: { maxLinksCreatedPerMonth: 7 } })
    const answers = await makeAll(Array.from({ length: 20 }, () => ({})))
    expect(statusesOf(answers).sort()).toEqual([...Array(7).fill(201), ...Array(13).fill(403)])
    expect([(await links()).length, await used()]).toEqual([7, 7])
  })

  it('are made once for each Idempotency-Key, also when two bring the same', async () => {
    const make = (key: string) =>
      linnet.api(
        'POST',
        '/links',
        { original_url: 'https://example.com/' },
        { 'idempotency-key': key },
      )
    const answers = await Promise.all(['a', 'b', 'b', 'c', 'b'].map(make))
    // Who comes while the first is under way hears of that, and who comes later gets its answer.
    expect(statusesOf(answers).sort().slice(0, 3)).toEqual([201, 201, 201])
    expect(statusesOf(answers).filter(status => status !== 201 && status !== 409)).toEqual([])
    expect((await links()).length).toBe(3)
  })
})
