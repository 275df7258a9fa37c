import { copyFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { packCounts as packed } from '../../core/visits/tables/packed-counts.ts'
import { firstOf, itAtNight } from '../at-night.ts'
import { aDatabasePath, makeDatabase } from '../core/storage/folder.ts'
import { fillCounts } from './fill-counts.mjs'
import { packCounts } from './pack-counts.mjs'

/** Large enough for some links that are visited every hour, and some that hardly ever are. */
const size = { links: 30, visits: 3_000 }

/** In every run the first hour of the day, the last and one between. */
const hours = firstOf(3, [0, 23, 12, ...Array.from({ length: 24 }, (_, hour) => hour)])

describe('the year of visits that the benchmark asks about', () => {
  itAtNight('is made at any hour of the day, the same at each try', async () => {
    const fresh = aDatabasePath()
    await makeDatabase(fresh, 'nothing yet')
    const fill = (now: string) => {
      const file = aDatabasePath()
      copyFileSync(fresh, file)
      return { file, ...fillCounts(file, { ...size, now: Date.parse(now) }) }
    }

    for (const hour of hours) {
      const { file, rows } = fill(`2026-11-22T${String(hour).padStart(2, '0')}:30:00Z`)
      expect(rows.link_counts).toBeGreaterThan(size.links)
      expect(countsAfter(file, Date.UTC(2026, 10, 22, hour, 30))).toBe(0)
    }
    for (const now of ['2024-02-29T23:59:59Z', '2027-03-28T01:00:00Z']) {
      expect(fill(now).rows).toEqual(fill(now).rows)
    }
  })
})

it('packs counts as the program does', () => {
  const counts = [1, 2, 1, 1, 300, 5, 7, 1, 1, 9, 2, 70_000, 300, 4, 1, 300, 5, 128, 300, 9_000, 64]
  expect(packCounts(495_612, counts)).toEqual(packed(495_612, counts))
})

/** The number of counts in future hours. */
function countsAfter(file: string, now: number): unknown {
  const db = new BetterSqlite3(file, { readonly: true })
  try {
    const sql = 'select count(*) from link_counts where bucket > ?'
    return db
      .prepare(sql)
      .pluck()
      .get(Math.floor(now / 3_600_000))
  } finally {
    db.close()
  }
}
