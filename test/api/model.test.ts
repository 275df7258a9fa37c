import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tries } from '../at-night.ts'
import { boot, type Harness } from '../harness.ts'

/** A link in the model; a deleted link keeps its place. */
interface Known {
  readonly id: string
  readonly shortCode: string
  originalUrl: string
  archived: boolean
  visits: number
  lastVisitAt: string | null
  isDeleted: boolean
}

/** Linnet, and what it should contain. */
interface World {
  linnet: Harness
  now: Date
  readonly links: Known[]
}

/** One action; `link` is the index of a created link. */
interface Step {
  readonly does: keyof typeof deeds
  readonly link: number
  readonly code: string | undefined
  readonly url: string
}

const plugins = ['link.customShortCode', 'link.editOriginalUrl', 'analytics.visitsTracking']

const deeds = {
  async create({ linnet, links }: World, { code, url }: Step) {
    const { status, body } = await linnet.api('POST', '/links', {
      original_url: url,
      ...(code && { short_code: code }),
    })
    const isTaken = links.some(it => it.shortCode === code && !it.isDeleted)
    expect(status).toBe(isTaken ? 409 : 201)
    if (isTaken) return
    const { id, shortCode } = body.data
    const fresh = { archived: false, visits: 0, lastVisitAt: null, isDeleted: false }
    links.push({ id, shortCode, originalUrl: url, ...fresh })
  },

  edit: ({ linnet, links }: World, { link, url }: Step) =>
    withLink(links[link], async known => {
      const { status } = await linnet.api('PATCH', `/links/${known.id}`, { original_url: url })
      expect(status).toBe(known.isDeleted ? 404 : 200)
      if (!known.isDeleted) known.originalUrl = url
    }),

  archive: ({ linnet, links }: World, { link }: Step) =>
    withLink(links[link], async known => {
      const archived = !known.archived
      const { status } = await linnet.api('PATCH', `/links/${known.id}`, { archived })
      expect(status).toBe(known.isDeleted ? 404 : 200)
      if (!known.isDeleted) known.archived = archived
    }),

  delete: ({ linnet, links }: World, { link }: Step) =>
    withLink(links[link], async known => {
      const { status } = await linnet.api('DELETE', `/links/${known.id}`)
      expect(status).toBe(known.isDeleted ? 404 : 204)
      known.isDeleted = true
    }),

  restore: ({ linnet, links }: World, { link }: Step) =>
    withLink(links[link], async known => {
      const { status } = await linnet.api('POST', `/links/${known.id}/restore`)
      const isTaken = links.some(
        it => it !== known && !it.isDeleted && it.shortCode === known.shortCode,
      )
      expect(status).toBe(known.isDeleted && isTaken ? 409 : 200)
      known.isDeleted &&= isTaken
    }),

  visit: ({ linnet, links, now }: World, { link }: Step) =>
    withLink(links[link], async ({ shortCode }) => {
      const { status, location } = await linnet.visit(shortCode)
      const reached = links.find(it => it.shortCode === shortCode && !it.isDeleted)
      expect([status, location]).toEqual(reached ? [302, reached.originalUrl] : [404, undefined])
      if (!reached) return
      reached.visits += 1
      reached.lastVisitAt = now.toISOString()
    }),

  async wait(world: World) {
    world.now = new Date(world.now.getTime() + 60_000)
    world.linnet.at(world.now.toISOString())
  },

  async restart(world: World) {
    world.linnet = await world.linnet.restart(plugins)
  },
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    { weight: 5, arbitrary: fc.constant('create' as const) },
    { weight: 8, arbitrary: fc.constant('visit' as const) },
    {
      weight: 5,
      arbitrary: fc.constantFrom('edit' as const, 'delete' as const, 'restore' as const),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom('archive' as const, 'wait' as const, 'restart' as const),
    },
  ),
  link: fc.nat(5),
  code: fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined }),
  url: fc.constantFrom('https://example.com/a', 'https://example.net/b', 'https://example.org/c'),
})

it('the API does what a model in a few lines does, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async steps => {
      const now = new Date('2026-11-20T12:00:00Z')
      const world: World = { linnet: await boot(plugins), now, links: [] }
      try {
        for (const step of steps) await deeds[step.does](world, step)
        await expectAsKnown(world)
        await deeds.restart(world)
        await expectAsKnown(world)
      } finally {
        await world.linnet.stop()
      }
    }),
    tries(40),
  )
})

async function withLink(known: Known | undefined, act: (known: Known) => Promise<void>) {
  if (known) await act(known)
}

async function expectAsKnown({ linnet, links }: World): Promise<void> {
  const { body } = await linnet.api('GET', '/links?sort=created_at&per_page=100')
  const kept = links.filter(({ isDeleted }) => !isDeleted)
  expect(body.data).toMatchObject(
    kept.map(({ isDeleted: _, visits, ...shown }) => ({ ...shown, visits: { total: visits } })),
  )
  const visits = kept.reduce((sum, it) => sum + it.visits, 0)
  const { body: analytics } = await linnet.api('GET', `/analytics?${always}`)
  expect(analytics.data.totals).toEqual({ visits, bots: 0 })
  const { body: profile } = await linnet.api('GET', '/profile')
  expect(profile.data.plan.usage.linksCreatedThisMonth).toBe(links.length)
}

const always = 'from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z'
