import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import bcrypt from 'bcryptjs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, definePlugin, isRefusal, type SavedLink } from '../../../../core/plugin.ts'
import type { Item } from '../../../../plugins/organization/imports/source.ts'
import { tries } from '../../../at-night.ts'
import { boot, type Harness } from '../../../harness.ts'
import { bring, comparable } from './bring-back.ts'

let context: Context
const importer = definePlugin({
  feature: 'a.importer',
  about: 'Imports links.',
  setup(its) {
    context = its as Context
  },
})

const ofLinks = [
  ...['customShortCode', 'editShortCode', 'codeRules', 'utmParameters', 'linkExpiration'],
  ...['passwordProtection', 'dynamicRouting', 'paths', 'queryForwarding', 'redirectStatus'],
  ...['confirmation', 'externalId'],
]
const ofVisits = [
  ...['visitsTracking', 'uniqueVisitors', 'visitsOverTime', 'visitsByCountry'],
  ...['visitsByBrowser', 'visitsFromQrCodesTracking'],
]
const features = [
  ...ofLinks.map(it => `link.${it}`),
  ...ofVisits.map(it => `analytics.${it}`),
  ...['tags', 'campaigns', 'exports', 'imports'].map(it => `organization.${it}`),
]

let folder: string
let linnet: Harness
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-exports-'))
  await start()
})
afterEach(async () => {
  await linnet.stop()
  rmSync(folder, { recursive: true })
})

async function start() {
  const plugins = [importer, ...features] as Parameters<typeof boot>[0]
  const filesFolder = join(folder, 'files')
  linnet = await boot(plugins, { at: '2026-11-26T12:34:56Z', filesFolder })
}

async function anew() {
  await linnet.stop()
  await start()
}

let number = 0
async function exported(): Promise<string> {
  number += 1
  const file = join(folder, `${number}.jsonl`)
  await linnet.command('export', file, '--hashes')
  return readFileSync(file, 'utf8')
}

/** Brings all of it into an empty instance, and exports it there. */
async function throughAnother(text: string): Promise<string> {
  await anew()
  const file = join(folder, 'another.jsonl')
  writeFileSync(file, text)
  const { rules } = JSON.parse(text.split('\n')[1] ?? '')
  expect((await linnet.api('POST', '/code-rules', rules)).status).toBe(200)
  const said = await linnet.command('import', 'linnet', file, '--account', 'ada@example.org')
  expect(said.at(-1)).toMatch(/ links? came \(0 in another way\) .* 0 were here, 0 were refused\./)
  return exported()
}

const hash = bcrypt.hashSync('open sesame', 4)
const hourMs = 3_600_000
const moment = fc
  .integer({ min: 0, max: 400 * 24 })
  .map(hours => new Date(Date.UTC(2025, 9, 20) + hours * hourMs))
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })

const counts = fc
  .uniqueArray(fc.tuple(moment, fc.integer({ min: 1, max: 9 })), {
    maxLength: 6,
    selector: ([at]) => at.getTime(),
  })
  .map(all =>
    all.map(([at, visits]) => ({
      ...{ at, visits },
      by: { visitsByCountry: { DE: visits - 1, AT: 1 }, bots: 3, visitsFromQrCodes: 1 },
    })),
  )

const link = fc.record({
  code: fc
    .tuple(fc.constantFrom('a', 'A', 'Straße', '链接', '🔑', "o'k", 'x$y', 'up/down'), fc.nat(999))
    .map(([text, at]) => `${text}${at}`),
  former: fc.array(fc.stringMatching(/^f[a-z]{9}$/), { maxLength: 2 }),
  isArchived: fc.boolean(),
  tags: fc.subarray(['Drei ü', 'One', 'Two']),
  campaign: maybe(fc.constant('Sale')),
  hasPassword: fc.boolean(),
  hasId: fc.boolean(),
  createdAt: moment,
  counts,
  undated: fc.nat(50),
  fields: fc.record({
    title: maybe(fc.constantFrom('Spring', 'Größe "x"', 'a, b')),
    notes: maybe(fc.constantFrom('two\nlines', 'one')),
    maxVisits: maybe(fc.integer({ min: 1, max: 100 })),
    expiresAt: maybe(fc.constant('2027-01-01T00:00:00.000Z')),
    startsAt: maybe(fc.constant('2026-01-01T00:00:00.000Z')),
    expiredUrl: maybe(fc.constant('https://example.com/over')),
    confirm: maybe(fc.boolean()),
    forwardQuery: maybe(fc.boolean()),
    paths: maybe(fc.constantFrom('append', '/x/{1}')),
    redirectStatus: maybe(fc.constantFrom(301, 302, 307, 308)),
    utm: maybe(
      fc.constant({ source: 'mail', medium: null, campaign: 'x y', term: null, content: null }),
    ),
    dynamicRouting: maybe(
      fc.constant({
        rules: [
          {
            name: 'Phones',
            originalUrl: 'https://example.com/phones',
            conditions: [{ type: 'device', operator: 'is', value: 'mobile' }],
          },
        ],
      }),
    ),
  }),
})

type Made = typeof link extends fc.Arbitrary<infer T> ? T : never

const things: readonly Item[] = [
  {
    ...{ kind: 'host', row: '1', host: null },
    rules: { grammar: 'wide', codes: 'exact', hyphens: 'strict' },
  },
  ...['One', 'Two', 'Drei ü', 'Unused'].map(
    name => ({ kind: 'tag', row: name, name, color: '#112233' }) as const,
  ),
  {
    ...{ kind: 'campaign', row: 'c', name: 'Sale', color: '#445566', description: 'All\nof it' },
    ...{ startsAt: new Date('2026-03-01T00:00:00Z'), endsAt: null },
  },
]

function itemsOf(links: readonly Made[]): readonly Item[] {
  const taken = new Set<string>()
  return links.flatMap((it, at): readonly Item[] => {
    const given = Object.entries(it.fields).filter(([, value]) => value !== undefined)
    const dated = it.counts.reduce((sum, { visits }) => sum + visits, 0)
    const id = `${at}`
    return [
      {
        ...{ kind: 'link', row: id, id, host: null, code: it.code },
        formerCodes: it.former.filter(code => !taken.has(code) && taken.add(code)),
        fields: {
          originalUrl: `https://example.com/${at}?q=ü`,
          ...Object.fromEntries(given),
          ...(it.hasId && { externalId: `ext ${at}` }),
        },
        ...{ tags: it.tags, campaign: it.campaign ?? null, isArchived: it.isArchived },
        ...(it.hasPassword && { password: { hash } }),
        createdAt: it.createdAt,
        updatedAt: new Date(it.createdAt.getTime() + hourMs),
        visits: dated + it.undated,
      },
      ...(dated > 0
        ? [{ kind: 'counts', row: id, link: id, part: '1', counts: it.counts } as const]
        : []),
    ]
  })
}

describe('an export that is imported into an empty instance and exported there', () => {
  it('is the same, whatever the links have', async () => {
    const some = fc.uniqueArray(link, { minLength: 1, maxLength: 5, selector: it => it.code })
    const isSame = fc.asyncProperty(some, async links => {
      await anew()
      await bring([...things, ...itemsOf(links)], linnet, context)
      const text = await exported()
      expect(text.split('\n').length).toBeGreaterThan(links.length + things.length)
      expect(comparable(await throughAnother(text))).toEqual(comparable(text))
    })
    await fc.assert(isSame, tries(4))
  })

  it('has the visitors of each day, and when and how they came', async () => {
    const made = await linnet.create({ shortCode: 'spring' })
    for (let visitor = 1; visitor <= 5; visitor += 1) {
      await linnet.visit(made, { ip: `192.0.2.${visitor}` })
      await linnet.visit(made, { ip: `192.0.2.${visitor}` })
    }
    const text = await exported()
    expect(text).toContain('"uniqueVisitors":5')
    expect(comparable(await throughAnother(text))).toEqual(comparable(text))
  })

  it('has of many links together what it has of each, however many visits one has', async () => {
    const owner = linnet.account.rowId
    const links: SavedLink[] = []
    // What is read alone stands between what is read together.
    for (const visits of [3, 30_000, 2, 1]) {
      const made = await context.links.create(owner, { originalUrl: 'https://example.com/' })
      if (isRefusal(made)) throw new Error(made.detail)
      links.push(made)
      for (let day = 1; day <= 6; day += 1) {
        const hosts = Array.from({ length: Math.min(visits, 1_000) }, (_, it) => [`${it}.test`, 1])
        const by = { visitsByBrowser: Object.fromEntries(hosts), uniqueVisitors: 1 }
        const counts = [{ at: `2026-09-0${day}`, visits, by }]
        expect(await context.links.addVisits(owner, made.id, `${day}`, { counts })).toBe(true)
      }
      await linnet.visit(made, { ip: '192.0.2.1' })
    }
    for await (const page of context.unstable.links.whole(owner)) expect(page).toHaveLength(4)
    const historyOf = async (some: readonly SavedLink[]) => {
      const found = []
      for await (const it of context.unstable.links.histories(some)) found.push(it)
      return found
    }
    const together = await historyOf(links)
    expect(together.filter(({ link }) => link.id === links[1]?.id).length).toBeGreaterThan(1)
    const each = []
    for (const link of links) each.push(...(await historyOf([link])))
    expect(together).toEqual(each)
    expect(new Set(each.map(({ link }) => link))).toEqual(new Set(links))
  })

  it('is that of the documentation, on every database', async () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/export.md'), 'utf8')
    const [, text = ''] = /```jsonl\n([\s\S]*?)```/.exec(page) ?? []
    expect(comparable(await throughAnother(text))).toEqual(comparable(text))
  })
})
