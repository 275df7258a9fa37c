import { setImmediate as ownTurn } from 'node:timers/promises'
import type BetterSqlite3 from 'better-sqlite3'
import type { PastCounts } from '../../../../core/plugin.ts'
import type { Counts, LinkItem } from '../source.ts'

/** Visits of a link in an hour, or one visit. */
export interface Counted {
  /** The id of the link. */
  readonly link: string
  readonly at: Date
  /** Without robots. Default: 1. */
  readonly visits?: number
  readonly bots?: number
  /** Values by dimension, with how many of the visits have them. */
  readonly by?: readonly (readonly [dimension: string, value: string, count: number])[]
}

/** What is known of the visits of a link. */
export interface Dated {
  readonly visits: number
  readonly bots: number
}

/** Adds visits up by link and hour in a database, because they may be any number, in any order. */
export interface Counting {
  add(counted: Counted): void
  /** Resolves once what was added is stored, and others had their turn. */
  store(): Promise<void>
  /** How many of a link's visits have a date. */
  dated(link: string): Dated
  /** The counts of a link by month, or by parts of one that has very many, for the item of the link. */
  countsOf(link: string, item: Pick<LinkItem, 'id' | 'row'>): AsyncGenerator<Counts>
}

const hourMs = 3_600_000
/** Before it, the kernel keeps other things. */
const earliestHour = 24
/** As many numbers are brought at once. */
const numbersAPart = 5_000
/** As many values of a dimension are kept apart, as for visits of a day. */
const valuesAnHour = 1_000
const otherValue = '(other)'
const rowsATurn = 1_000

/** The names that are no dimension. */
const visitsName = ''

export function createCounting(db: BetterSqlite3.Database, now: Date): Counting {
  db.exec(`CREATE TABLE counts (link TEXT, hour INTEGER, name TEXT, value TEXT, n INTEGER,
    PRIMARY KEY (link, hour, name, value)) WITHOUT ROWID`)
  db.exec('CREATE TABLE dated (link TEXT PRIMARY KEY, visits INTEGER, bots INTEGER) WITHOUT ROWID')
  const addCount = db.prepare(`INSERT INTO counts VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET n = n + excluded.n`)
  const addDated = db.prepare(`INSERT INTO dated VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET visits = visits + excluded.visits, bots = bots + excluded.bots`)
  const readDated = db.prepare<[string], Dated>('SELECT visits, bots FROM dated WHERE link = ?')
  const readPage = db.prepare<[string, number, string, string], Stored>(
    `SELECT hour, name, value, n FROM counts
      WHERE link = ? AND (hour, name, value) > (?, ?, ?) ORDER BY hour, name, value LIMIT ${rowsATurn}`,
  )
  const lastHour = Math.floor(now.getTime() / hourMs)
  const sums = new Map<
    string,
    [link: string, hour: number, name: string, value: string, n: number]
  >()
  const ofLinks = new Map<string, { visits: number; bots: number }>()

  function sum(link: string, hour: number, name: string, value: string, n: number): void {
    const key = `${hour}\n${link}\n${name}\n${value}`
    const known = sums.get(key)
    if (known) known[4] += n
    else sums.set(key, [link, hour, name, value, n])
  }

  async function* pages(link: string): AsyncGenerator<readonly Stored[]> {
    let last: Stored = { hour: -1, name: '', value: '', n: 0 }
    for (;;) {
      const page = readPage.all(link, last.hour, last.name, last.value)
      if (page.length > 0) yield page
      if (page.length < rowsATurn) return
      last = page.at(-1) ?? last
      await ownTurn()
    }
  }

  return {
    add({ link, at, visits = 1, bots = 0, by = [] }) {
      const hour = Math.floor(at.getTime() / hourMs)
      // What is said to be in the future is in the total only.
      if (!(hour >= earliestHour && hour <= lastHour)) return
      sum(link, hour, visitsName, '', visits)
      if (bots > 0) sum(link, hour, 'bots', '', bots)
      for (const [name, value, n] of by) if (n > 0) sum(link, hour, name, value, n)
      const known = ofLinks.get(link) ?? { visits: 0, bots: 0 }
      ofLinks.set(link, { visits: known.visits + visits, bots: known.bots + bots })
    },

    async store() {
      for (const row of sums.values()) addCount.run(row)
      for (const [link, { visits, bots }] of ofLinks) addDated.run(link, visits, bots)
      sums.clear()
      ofLinks.clear()
      await ownTurn()
    },

    dated: link => readDated.get(link) ?? { visits: 0, bots: 0 },

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

interface Stored {
  readonly hour: number
  readonly name: string
  readonly value: string
  readonly n: number
}

type Part = Pick<Counts, 'part' | 'counts'>

/** Makes parts of rows, which come in the order of hours. The same rows make the same parts. */
function createParts() {
  let month = ''
  let number = 0
  let numbers = 0
  let counts: PastCounts[] = []
  let hour: Hour | undefined

  /** The part so far. */
  function take(): Part | undefined {
    if (counts.length === 0) return undefined
    number += 1
    const part = { part: number === 1 ? month : `${month}/${number}`, counts }
    counts = []
    numbers = 0
    return part
  }

  /** Ends an hour. Returns the part before it, if it is of another month or too much for that part. */
  function endHour(): Part | undefined {
    if (!hour) return undefined
    const its = hour.at.toISOString().slice(0, 7)
    const isNew = its !== month
    const before = isNew || numbers + hour.numbers > numbersAPart ? take() : undefined
    if (isNew) {
      month = its
      number = 0
    }
    counts.push({ at: hour.at, visits: hour.visits, by: hour.by() })
    numbers += hour.numbers
    hour = undefined
    return before
  }

  return {
    add(row: Stored): Part | undefined {
      const isNext = hour && hour.at.getTime() !== row.hour * hourMs
      const before = isNext ? endHour() : undefined
      hour ??= createHour(row.hour)
      hour.add(row)
      return before
    },
    endHour,
    take,
  }
}

type Hour = ReturnType<typeof createHour>

function createHour(hour: number) {
  const sums: Record<string, number> = {}
  const values = new Map<string, Map<string, number>>()
  const left = new Map<string, number>()
  return {
    at: new Date(hour * hourMs),
    visits: 0,
    numbers: 1,
    by() {
      const counted = [...values].map(([name, of]) => [name, Object.fromEntries(of)] as const)
      return { ...sums, ...Object.fromEntries(counted) }
    },
    /** Takes a row: that of all visits comes first. */
    add({ name, value, n }: Stored): void {
      if (name === visitsName) this.visits = n
      else if (value === '') {
        sums[name] = n
        this.numbers += 1
      } else {
        // No more of them can have a value than there were.
        const free = left.get(name) ?? this.visits
        const most = Math.min(n, free)
        left.set(name, free - most)
        if (most === 0) return
        const of = values.get(name) ?? new Map<string, number>()
        values.set(name, of)
        const shown = of.has(value) || of.size < valuesAnHour ? value : otherValue
        if (!of.has(shown)) this.numbers += 1
        of.set(shown, (of.get(shown) ?? 0) + most)
      }
    },
  }
}
