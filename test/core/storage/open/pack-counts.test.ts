import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRefusal } from '../../../../core/plugin/outcomes.ts'
import type { Storage } from '../../../../core/storage/database.ts'
import { type CoreMigration, migrations } from '../../../../core/storage/open/migrations.ts'
import { packCounts } from '../../../../core/storage/open/pack-counts.ts'
import { openSqlite } from '../../../../core/storage/open/sqlite.ts'
import type { NamedDimension } from '../../../../core/visits/facts/dimensions.ts'
import { createFold } from '../../../../core/visits/fold/fold.ts'
import { linkTotals } from '../../../../core/visits/read/link-totals.ts'
import { type RangeQuery, readRange } from '../../../../core/visits/read/range.ts'
import type { Scope } from '../../../../core/visits/read/scope.ts'
import type { ValueRow } from '../../../../core/visits/read/top-values.ts'
import { accountCounts } from '../../../../core/visits/tables/counts-table.ts'
import { removeSlice } from '../../../../core/visits/upkeep/remove-counts.ts'
import { sums } from '../../visits/counted.ts'
import { noon } from '../../visits/fixtures.ts'
import { numbersOf } from '../../visits/numbers-of.ts'

/**
 * A database that the last program with a row for each count has filled: two accounts, twelve links, visits
 * of 420 days, some of them robots, more values in a day than are kept apart, old hours folded into days,
 * a link whose counts are half removed, and a batch that is not folded. And what that program answered.
 */
const fixture = (name: string) => new URL(`../../../fixtures/${name}`, import.meta.url)
const { answers, totals }: Fixture = JSON.parse(
  readFileSync(fixture('counts-as-rows.json'), 'utf8'),
)

interface Answer {
  readonly totals: Readonly<Record<string, number>>
  readonly uniqueVisitors?: unknown
}

interface Fixture {
  readonly answers: readonly {
    readonly scope: Scope
    readonly span: Partial<RangeQuery>
    readonly answer: Answer & { readonly from: unknown }
  }[]
  /** By the row of the link. */
  readonly totals: Readonly<Record<string, unknown>>
}

const dimensions: readonly Omit<NamedDimension, 'of'>[] = [
  { name: 'visits', label: 'Visits', chart: 'number' },
  { name: 'bots', label: 'Bots', chart: 'number', bots: true },
  { name: 'visitsOverTime', label: 'Over time', chart: 'line' },
  { name: 'visitsFromQrCodes', label: 'QR', chart: 'number' },
  { name: 'from', label: 'From' },
  { name: 'uniqueVisitors', label: 'Visitors', chart: 'number', distinct: true },
]

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linnet-pack-'))
  file = join(folder, 'linnet.db')
  writeFileSync(file, gunzipSync(readFileSync(fixture('counts-as-rows.db.gz'))))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function expectSameAnswers({ db }: Storage): Promise<void> {
  for (const { scope, span, answer } of answers) {
    const beginning = new Date(noon - 500 * 86_400_000)
    const range = readRange({ timezone: 'UTC', ...span }, new Date(noon), beginning)
    if (isRefusal(range)) throw new Error(range.detail)
    const asked = dimensions as readonly NamedDimension[]
    const { from, ...now } = await numbersOf(db, scope, { range, dimensions: asked, limit: 5 })
    const { from: before, ...others } = answer
    const isSplit = range.timezone !== 'UTC' || range.hours.first % 24 !== 0
    const [told, toldBefore] = isSplit ? [now, others].map(withoutVisitors) : [now, others]
    expect(told, JSON.stringify({ scope, span })).toEqual(toldBefore)
    expect(counted(from)).toEqual(counted(before))
  }
  // The link whose counts are half removed is gone, and is shown to nobody.
  const { 11: gone, ...there } = totals
  expect(gone).toBeDefined()
  const shown = { fromQrCodes: 'visitsFromQrCodes' }
  const now = await linkTotals(db, Object.keys(there).map(Number), shown)
  const flat = [...now].map(([id, { others, ...rest }]) => [id, { ...rest, ...others }])
  expect(JSON.parse(JSON.stringify(Object.fromEntries(flat)))).toEqual(there)
}

/** That program did not split the visitors of a day of UTC between local days. */
function withoutVisitors({ totals, uniqueVisitors: _, ...others }: Answer): object {
  const { uniqueVisitors, ...sums } = totals
  return { ...others, totals: sums }
}

/** That program left visits without a value out, and out of shares. */
function counted(rows: unknown): readonly object[] {
  return (rows as readonly ValueRow[])
    .filter(({ value }) => value !== '(none)')
    .map(({ share, ...row }) => row)
    .slice(0, 4)
}

async function expectNoOldTables({ db }: Storage): Promise<void> {
  const tables = await db.introspection.getTables()
  const old = /blocks|_rows$|^visit_counts$/
  expect(tables.map(({ name }) => name).filter(name => old.test(name))).toEqual([])
}

describe('a database with a row for each count', () => {
  it('answers as before once its counts are packed, and says how far that is', async () => {
    const said: string[] = []
    const storage = await openSqlite(file, { say: text => said.push(text) })
    await expectSameAnswers(storage)
    await expectNoOldTables(storage)
    expect(said).toContainEqual(
      expect.stringMatching(/^Packing the counts of visits: links up to number \d+ of \d+\.$/),
    )
    await storage.close()
  })

  it('goes on to count, and to remove what was left to be removed', async () => {
    const storage = await openSqlite(file)
    const { db } = storage
    const before = (await linkTotals(db, [1])).get(1)?.visits ?? Number.NaN
    while (!(await createFold(db)()).done);
    expect((await linkTotals(db, [1])).get(1)?.visits).toBe(before + 1)
    while (!(await removeSlice(db)));
    expect(await sums(db, accountCounts)).toEqual(await sums(db))
    await storage.close()
  })

  it('goes on where it was cut off, and is copied once', async () => {
    let windows = 0
    const dying: CoreMigration = async db => {
      windows += 1
      if (windows % 2 === 0) throw new Error('power cut')
      return packCounts(db)
    }
    const steps = [...migrations.slice(0, 3), dying]
    for (let start = 0; versionOf(file) < 4; start += 1) {
      expect(start).toBeLessThan(100)
      await openSqlite(file, { steps }).then(
        storage => storage.close(),
        error => expect(error).toMatchObject({ message: 'power cut' }),
      )
    }
    expect(windows).toBeGreaterThan(2)
    const storage = await openSqlite(file, { steps: migrations.slice(0, 4) })
    await expectSameAnswers(storage)
    await storage.close()
    expect(readdirSync(join(folder, 'backups'))).toEqual([
      expect.stringMatching(/^before-schema-3-.*\.db$/),
    ])
  })
})

function versionOf(file: string): number {
  const raw = new BetterSqlite3(file, { readonly: true })
  try {
    return raw.pragma('user_version', { simple: true }) as number
  } finally {
    raw.close()
  }
}
