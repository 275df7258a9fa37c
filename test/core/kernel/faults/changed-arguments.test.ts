import { afterEach, expect, it } from 'vitest'
import { definePlugin, type Plugin, z } from '../../../../core/plugin.ts'
import { boot, type Harness, type ShownLink } from '../../../harness.ts'

let linnet: Harness
afterEach(() => linnet.stop())

const plugin = (feature: Plugin['feature'], parts: object): Plugin =>
  definePlugin({ feature, about: 'A plugin for a test.', ...parts } as Plugin)

/** Does all to it that JavaScript allows, as an author does who never saw `readonly`. */
function spoil(given: unknown): void {
  if (typeof given !== 'object' || given === null) return
  if (given instanceof Date) given.setTime(0)
  if (given instanceof URLSearchParams) given.delete('ref')
  for (const key of Object.keys(given)) {
    const inside: unknown = Reflect.get(given, key)
    spoil(inside)
    if (typeof inside === 'string') Reflect.set(given, key, 'spoilt')
    if (typeof inside === 'number') Reflect.set(given, key, -1)
  }
  if (Array.isArray(given)) given.reverse().splice(1)
  else Reflect.set(given, 'spoilt', 'spoilt')
}

type Do = (given: unknown) => void
type Saw = (...seen: readonly unknown[]) => void

/** The parts of a first plugin and of a second one, and what makes Linnet run them. */
interface Case {
  readonly first: (does: Do) => object
  readonly second: (saw: Saw) => object
  readonly run: (links: readonly ShownLink[], saw: Saw) => Promise<unknown>
}

const agent = { 'user-agent': 'curl/8.14.1', 'accept-language': 'de' }
const follow = (link: ShownLink | undefined) =>
  linnet.visit(link as ShownLink, { query: '?ref=mail', headers: agent })

interface Seen {
  readonly query: URLSearchParams
  readonly at: Date
}
const factsOf = ({ query, at, ...visit }: Seen) =>
  structuredClone([`${query}`, at.getTime() > 0, visit])

const computing = (name: string, does: Do) => ({
  schema: { [name]: z.string() },
  of(links: readonly { readonly originalUrl: string }[]) {
    const members = links.map(it => ({ [name]: it.originalUrl }))
    does(links)
    return members
  },
})

const cases: Readonly<Record<string, Case>> = {
  visited: {
    first: visited => ({ on: { visited } }),
    second: saw => ({ on: { visited: (all: unknown) => saw(structuredClone(all)) } }),
    async run([link]) {
      await follow(link)
      await linnet.app.recorder.catchUp()
      await linnet.settled()
    },
  },
  guard: {
    first: does => ({
      guard(_: unknown, __: unknown, link: unknown) {
        does(link)
        return does
      },
    }),
    second: saw => ({ guard: () => (visit: Seen) => saw(factsOf(visit)) }),
    run: async ([link], saw) => {
      for (const _ of [1, 2]) saw((await follow(link)).location)
    },
  },
  target: {
    first: does => ({
      target: () => (visit: unknown, url: string) => {
        does(visit)
        return url
      },
    }),
    second: saw => ({
      target: () => (visit: Seen, url: string) => {
        saw(factsOf(visit))
        return url
      },
    }),
    run: async ([link], saw) => {
      for (const _ of [1, 2]) saw((await follow(link)).location)
    },
  },
  counts: {
    first: does => ({
      unstable: {
        counts(visit: unknown) {
          does(visit)
          return true
        },
      },
    }),
    second: saw => ({
      unstable: {
        counts(visit: Seen) {
          saw(factsOf(visit))
          return true
        },
      },
    }),
    async run([link], saw) {
      await follow(link)
      await linnet.app.recorder.catchUp()
      saw(await linnet.counts(link as ShownLink))
    },
  },
  unknown: {
    first: unknown => ({ unstable: { unknown } }),
    second: saw => ({ unstable: { unknown: (visit: Seen) => saw(factsOf(visit)) } }),
    run: () => linnet.visit('nothing-here', { query: '?ref=mail', headers: agent }),
  },
  validate: {
    first: validate => ({ validate }),
    second: saw => ({ validate: (draft: unknown) => saw(structuredClone(draft)) }),
    run: ([link]) => linnet.api('PATCH', `/links/${link?.id}`, { title: 'Spring' }),
  },
  computed: {
    first: does => ({ computed: computing('firstUrl', does) }),
    second: () => ({ computed: computing('secondUrl', () => undefined) }),
    async run(_, saw) {
      const { body } = await linnet.api('GET', '/links?sort=created_at')
      saw(
        body.data.map(({ title, originalUrl, secondUrl }: ShownLink) => [
          title,
          originalUrl,
          secondUrl,
        ]),
      )
    },
  },
  filter: {
    first: where => ({ filter: { query: { mood: z.string() }, where } }),
    second: saw => ({
      filter: { query: { tone: z.string() }, where: ({ tone }: { tone: string }) => saw(tone) },
    }),
    run: () => linnet.api('GET', '/links?mood=glad&tone=warm'),
  },
}

it.each(Object.entries(cases))(
  'what a plugin does to what it gets reaches no other: %s',
  async (_, { first, second, run }) => {
    const seenAfter = async (does: Do) => {
      const seen: unknown[] = []
      const saw: Saw = (...more) => void seen.push(...more)
      const both = [plugin('a.first', first(does)), plugin('b.second', second(saw))]
      linnet = await boot(['analytics.visitsByLanguage', ...both])
      const links: ShownLink[] = []
      for (const word of ['one', 'two', 'three'])
        links.push(await linnet.create({ originalUrl: `https://example.com/${word}`, title: word }))
      seen.length = 0
      await run(links, saw)
      expect(linnet.log.filter(line => line.includes(' failed'))).toEqual([])
      const names = links.flatMap(({ id, shortCode }) => [id, shortCode])
      return names.reduce((text, name, at) => text.replaceAll(name, `#${at}`), JSON.stringify(seen))
    }
    const untouched = await seenAfter(() => undefined)
    expect(untouched).not.toBe('[]')
    await linnet.stop()
    expect(await seenAfter(spoil)).toBe(untouched)
  },
)
