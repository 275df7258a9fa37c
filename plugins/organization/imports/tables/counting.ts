import { dirname } from 'node:path'
import { setImmediate as ownTurn } from 'node:timers/promises'
import type BetterSqlite3 from 'better-sqlite3'
import type { PastCounts } from '../../../../core/plugin.ts'
import type { Counts, LinkItem } from '../source.ts'
import { keepRoom } from './keep-room.ts'

/** Visits of a link in an hour, or one visit. */
export interface Counted {
  /** The id of the link. */
  readonly link: string
  /** Undefined if nobody can tell when it was. */
  readonly at: Date | undefined
  /** Without robots. Default: 1. */
  readonly visits?: number
  readonly bots?: number
  /** Values by dimension, with how many of the visits have them. */
  readonly by?: readonly (readonly [dimension: string, value: string, count: number])[]
}

/** What is known of the visits of a link. */
export interface Dated {
  /** Those that have a date. */
  readonly visits: number
  readonly bots: number
  /** Those above, and those whose date nobody can tell, or is in the future. */
  readonly all: number
}

/** Adds visits up by link and hour in a database, because they may be any number, in any order. */
export interface Counting {
  add(counted: Counted): void
  /** Whether so much was added that it should be stored. */
  isFull(): boolean
  /** Resolves once what was added is stored, and others had their turn. */
  store(): Promise<void>
  /** How many visits of a link were added. */
  dated(link: string): Dated
  /** The counts of a link in parts, for the item of the link. */
  countsOf(link: string, item: Pick<LinkItem, 'id' | 'row'>): AsyncGenerator<Counts>
}

const hourMs = 3_600_000
/** Before it, the kernel keeps other things. */
const earliestHour = 24
/**
 * Each part is brought once, so that a month that goes on is read by days: what comes after an import then comes with the next one.
 * No import was made before this month, so that all months before it are over whenever they are read.
 */
const firstMonthByDays = '2026-11'
/** As many numbers are brought at once. */
const numbersAPart = 5_000
/** As many values of a dimension are kept apart, as for visits of a day. */
const valuesAnHour = 1_000
const otherValue = '(other)'
const rowsATurn = 200
/** How much may be added before it is stored, in characters and a hundred more of each visit: some thousands, many of which are of one hour. */
const heldAtOnce = 1_500_000

export function createCounting(db: BetterSqlite3.Database, now: Date): Counting {
  // An hour has a row for each time that something of it was stored.
  db.exec(`CREATE TABLE counts (link TEXT, hour INTEGER, number INTEGER, sums TEXT,
    PRIMARY KEY (link, hour, number)) WITHOUT ROWID`)
  db.exec(
    'CREATE TABLE dated (link TEXT PRIMARY KEY, visits INTEGER, bots INTEGER, every INTEGER) WITHOUT ROWID',
  )
  const addCounts = db.prepare('INSERT INTO counts VALUES (?, ?, ?, ?)')
  const addDated = db.prepare(`INSERT INTO dated VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET visits = visits + excluded.visits, bots = bots + excluded.bots,
      every = every + excluded.every`)
  const readDated = db.prepare<[string], Dated>(
    'SELECT visits, bots, every AS "all" FROM dated WHERE link = ?',
  )
  const readPage = db.prepare<[string, number, number], Stored>(
    `SELECT hour, number, sums FROM counts
      WHERE link = ? AND (hour, number) > (?, ?) ORDER BY hour, number LIMIT ${rowsATurn}`,
  )
  const lastHour = Math.floor(now.getTime() / hourMs)
  const hours = new Map<string, { readonly link: string; readonly sums: HourSums }>()
  /** Visits without a date, by link. */
  const undated = new Map<string, number>()
  let number = 0
  let held = 0

  async function* pages(link: string): AsyncGenerator<readonly Stored[]> {
    let [hour, last] = [-1, 0]
    for (;;) {
      const page = readPage.all(link, hour, last)
      if (page.length > 0) yield page
      if (page.length < rowsATurn) return
      const end = page.at(-1)
      ;[hour, last] = [end?.hour ?? 0, end?.number ?? 0]
      await ownTurn()
    }
  }

  return {
    add({ link, at, visits = 1, bots = 0, by = [] }) {
      const hour = at ? Math.floor(at.getTime() / hourMs) : 0
      if (!(hour >= earliestHour && hour <= lastHour)) {
        undated.set(link, (undated.get(link) ?? 0) + visits)
        return
      }
      const key = `${hour} ${link}`
      const of = hours.get(key) ?? { link, sums: createHourSums(hour) }
      hours.set(key, of)
      of.sums.add(visits, bots, by)
      held += by.reduce((sum, [, value]) => sum + value.length, 100 + link.length)
    },

    isFull: () => held > heldAtOnce,

    async store() {
      held = 0
      keepRoom(dirname(db.name))
      const totals = new Map<string, { visits: number; bots: number; all: number }>()
      const totalOf = (link: string) => {
        const total = totals.get(link) ?? { visits: 0, bots: 0, all: 0 }
        totals.set(link, total)
        return total
      }
      for (const { link, sums } of hours.values()) {
        number += 1
        addCounts.run(link, sums.hour, number, JSON.stringify(sums.all()))
        const total = totalOf(link)
        total.visits += sums.visits
        total.all += sums.visits
        total.bots += sums.bots
        if (number % rowsATurn === 0) await ownTurn()
      }
      hours.clear()
      for (const [link, visits] of undated) totalOf(link).all += visits
      undated.clear()
      let stored = 0
      for (const [link, { visits, bots, all }] of totals) {
        addDated.run(link, visits, bots, all)
        stored += 1
        if (stored % rowsATurn === 0) await ownTurn()
      }
      await ownTurn()
    },

    dated: link => readDated.get(link) ?? { visits: 0, bots: 0, all: 0 },

    async *countsOf(link, { id, row }) {
      const parts = createParts()
      for await (const page of pages(link)) {
        for (const stored of page) {
          const before = parts.add(stored)
          if (before) yield { kind: 'counts', row, link: id, ...before }
        }
      }
      for (const last of [parts.endHour(), parts.take()]) {
        if (last) yield { kind: 'counts', row, link: id, ...last }
      }
    },
  }
}

/** Sums of an hour, as they are stored. */
type Sums = readonly [visits: number, bots: number, by: readonly [string, string, number][]]

interface Stored {
  readonly hour: number
  readonly number: number
  readonly sums: string
}

type HourSums = ReturnType<typeof createHourSums>

function createHourSums(hour: number) {
  const values = new Map<string, Map<string, number>>()
  return {
    hour,
    visits: 0,
    bots: 0,
    /** How many numbers there are. */
    numbers: 1,

    add(visits: number, bots: number, by: Sums[2] | NonNullable<Counted['by']>): void {
      this.visits += visits
      this.bots += bots
      for (const [name, value, n] of by) {
        if (n <= 0) continue
        const of = values.get(name) ?? new Map<string, number>()
        values.set(name, of)
        const shown = of.has(value) || of.size < valuesAnHour ? value : otherValue
        const known = of.get(shown)
        if (known === undefined) this.numbers += 1
        of.set(shown, (known ?? 0) + n)
      }
    },

    all(): Sums {
      const by = [...values].flatMap(([name, of]) =>
        [...of].map(([value, n]): [string, string, number] => [name, value, n]),
      )
      return [this.visits, this.bots, by]
    },

    counts(): PastCounts {
      const by = [...values].map(([name, of]) => [name, atMost(this.visits, of)] as const)
      return {
        at: new Date(hour * hourMs),
        visits: this.visits,
        by: { ...(this.bots > 0 && { bots: this.bots }), ...Object.fromEntries(by) },
      }
    },
  }
}

/** No more visits can have a value than there were. */
function atMost(visits: number, of: ReadonlyMap<string, number>): Record<string, number> {
  let left = visits
  const kept: [string, number][] = []
  for (const [value, n] of of) {
    const count = Math.min(n, left)
    left -= count
    if (count > 0) kept.push([value, count])
  }
  return Object.fromEntries(kept)
}

type Part = Pick<Counts, 'part' | 'counts'>

/** Makes parts of rows, which come in the order of hours: months or days, in several parts if they have very many numbers. */
function createParts() {
  let period = ''
  let number = 0
  let numbers = 0
  let counts: PastCounts[] = []
  let sums: HourSums | undefined

  /** The part so far. */
  function take(): Part | undefined {
    if (counts.length === 0) return undefined
    number += 1
    const part = { part: number === 1 ? period : `${period}/${number}`, counts }
    counts = []
    numbers = 0
    return part
  }

  /** Ends an hour. Returns the part before it, if it is of another period or too much for that part. */
  function endHour(): Part | undefined {
    if (!sums) return undefined
    const its = periodOf(sums.hour)
    const isNew = its !== period
    const before = isNew || numbers + sums.numbers > numbersAPart ? take() : undefined
    if (isNew) {
      period = its
      number = 0
    }
    counts.push(sums.counts())
    numbers += sums.numbers
    sums = undefined
    return before
  }

  return {
    add(row: Stored): Part | undefined {
      const before = sums && sums.hour !== row.hour ? endHour() : undefined
      const hour = sums ?? createHourSums(row.hour)
      sums = hour
      const [visits, bots, by] = JSON.parse(row.sums) as Sums
      hour.add(visits, bots, by)
      return before
    },
    endHour,
    take,
  }
}

function periodOf(hour: number): string {
  const at = new Date(hour * hourMs).toISOString()
  return at.slice(0, 7) < firstMonthByDays ? at.slice(0, 7) : at.slice(0, 10)
}
