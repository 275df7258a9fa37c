import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Database } from '../../../../core/storage/database.ts'
import type { Schema } from '../../../../core/storage/schema.ts'
import { createRecorder } from '../../../../core/visits/collect/recorder.ts'
import { maxValuesADay } from '../../../../core/visits/fold/value-cap.ts'
import { accountCounts } from '../../../../core/visits/tables/counts-table.ts'
import { tidyCounts } from '../../../../core/visits/upkeep/tidy-counts.ts'
import { itAtNight } from '../../../at-night.ts'
import { allCounts } from '../counted.ts'
import {
  bootInMemory,
  dimensions,
  hourMs,
  type Instance,
  listeningLog,
  noon,
  visitOf,
} from '../fixtures.ts'

const dayMs = 24 * hourMs
const signal = new AbortController().signal

/** Every night's number of rows, while somebody visits all day with values that are never the same. */
async function growthUnderAttack(
  linnet: Instance,
  { days, counts }: { days: number; counts: number },
) {
  const { storage, db, link } = linnet
  const recorder = createRecorder({ storage, features: [], dimensions, log: listeningLog() })
  const nights: number[] = []
  for (let day = 0; day < days; day += 1) {
    for (let visit = 0; visit < maxValuesADay + 500; visit += 1) {
      const at = noon + day * dayMs + (visit % 3) * hourMs
      recorder.record(visitOf(link, { at, query: `from=${randomUUID()}` }))
    }
    await recorder.catchUp()
    const now = () => new Date(noon + (day + 1) * dayMs)
    await tidyCounts(db, { hourly: 2, counts }, { now, signal })
    nights.push(await allRows(db))
  }
  await recorder.close()
  return nights
}

const tables: readonly (keyof Schema)[] = [
  'visit_names',
  'visit_batches',
  'link_totals',
  'account_values',
  'meta',
]

/** Counts, and rows of all that belongs to them. */
async function allRows(db: Database): Promise<number> {
  let rows = (await allCounts(db)).length + (await allCounts(db, accountCounts)).length
  for (const table of tables) {
    const { count } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    rows += count
  }
  return rows
}

/** A value has a count of its link, one of its account, and its name; few rows are of anything else. */
const rowsADay = 3 * (maxValuesADay + 10)

it('random values make the database no larger than the days of its counts allow', async () => {
  const nights = await growthUnderAttack(await bootInMemory(), { days: 12, counts: 5 })
  expect(nights[4]).toBeGreaterThan(4 * 3 * maxValuesADay)
  expect(Math.max(...nights)).toBeLessThan(5 * rowsADay)
  const full = nights.slice(6)
  expect(Math.max(...full) - Math.min(...full)).toBeLessThan(10)
})

itAtNight(
  'control: where counts stay for ever it grows, but each night by no more than its day',
  async () => {
    const nights = await growthUnderAttack(await bootInMemory(), { days: 12, counts: 10_000 })
    expect(nights.at(-1)).toBeGreaterThan(11 * 3 * maxValuesADay)
    const growth = nights.slice(1).map((rows, night) => rows - (nights[night] ?? 0))
    expect(Math.max(...growth)).toBeLessThan(rowsADay)
  },
)
