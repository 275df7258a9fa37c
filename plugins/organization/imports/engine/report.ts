import type { Context } from '../../../../core/plugin.ts'
import { digestOf } from '../digest.ts'
import {
  findRun,
  type Outcome,
  outcomes,
  type Run,
  reportedColumn,
  runsTable,
} from '../runs/run.ts'

type Db = Context['db']

export interface ReportRow {
  readonly outcome: Outcome
  /** Where people find it in the source. */
  readonly place: string
  /** The public id of the link, if there is one. */
  readonly link?: string | null
  readonly sentence: string
}

/** What an import has done, as far as it was noted. */
export interface Tally {
  made: number
  changed: number
  kept: number
  refused: number
  visits: number
}

const noTally = (): Tally => ({ made: 0, changed: 0, kept: 0, refused: 0, visits: 0 })

const noRows = (): Record<Outcome, number> => ({ refused: 0, changed: 0, kept: 0, note: 0 })

const rowsTable = 'organization_imports_rows'

/**
 * How many rows a report has of each outcome; all are counted. Those that cannot be read, which are counted by their rows, come
 * beyond it until it is full.
 */
const mostRows = 50_000
export const mostUnreadable = 100_000

/** Writes what happened since it was last written. Rows that were there before change nothing and count nothing. */
export interface Report {
  /** Hears that something was read: rows about it stand before those about what is read later, if both are written together. */
  met(item: object): void
  /** Notes a row of its own, such as of a host; it counts as refused if it is. */
  add(row: ReportRow): void
  /** Notes the rows of a link, which is counted by whoever notes them. */
  addOfLink(rows: readonly ReportRow[], item: object): void
  readonly tally: Tally
  /** Whether it takes no row more of what cannot be read. */
  isFull(): boolean
  /** Within a transaction that also writes what the rows are about. */
  write(db: Db): Promise<void>
}

export async function openReport(db: Db, run: Pick<Run, 'id'>): Promise<Report> {
  // Before an import goes on, its report may have been deleted.
  const reported = { ...noRows(), ...(await findRun(db, run.id))?.reported }
  const last = await db
    .selectFrom(rowsTable)
    .select(({ fn }) => fn.max<number | null>('number').as('number'))
    .where('import_id', '=', run.id)
    .executeTakeFirst()
  let number = Number(last?.number ?? 0)
  let waiting: { readonly row: ReportRow; readonly counts: boolean; readonly at: number }[] = []
  const tally = noTally()
  const order = new WeakMap<object, number>()
  let met = 0
  /** Outcomes of which the report says that it has no room for more. */
  const cut = new Set<Outcome>()

  return {
    tally,
    isFull: () => reported.refused >= mostRows + mostUnreadable,
    met(item) {
      met += 1
      order.set(item, met)
    },
    add: row => void waiting.push({ row, counts: true, at: met }),
    addOfLink(rows, item) {
      const at = order.get(item) ?? met
      for (const row of rows) waiting.push({ row, counts: false, at })
    },
    async write(tx) {
      const rows = waiting.toSorted((a, b) => a.at - b.at)
      waiting = []
      const more = noRows()
      const insert = async ({ outcome, place, link = null, sentence }: ReportRow) => {
        number += 1
        const digest = digestOf(outcome, place, sentence)
        const { numInsertedOrUpdatedRows = 0n } = await tx
          .insertInto(rowsTable)
          .values({ import_id: run.id, number, outcome, place, link, sentence, digest })
          .onConflict(conflict => conflict.columns(['import_id', 'digest']).doNothing())
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows === 0n) return false
        more[outcome] += 1
        return true
      }
      for (const { row, counts } of rows) {
        const { outcome } = row
        const isCounted = counts && outcome === 'refused'
        if (isCounted || reported[outcome] + more[outcome] < mostRows) {
          if ((await insert(row)) && isCounted) tally.refused += 1
        } else if (!cut.has(outcome)) {
          cut.add(outcome)
          await insert({ outcome, place: 'report', sentence: cutSentence })
        }
      }
      for (const outcome of outcomes) reported[outcome] += more[outcome]
      const added = [
        ...Object.entries(tally),
        ...outcomes.map(it => [reportedColumn(it), more[it]] as const),
      ].filter(([, count]) => count > 0)
      Object.assign(tally, noTally())
      if (added.length === 0) return
      await tx
        .updateTable(runsTable)
        .set(({ eb }: { eb: (column: string, operator: '+', value: number) => never }) =>
          Object.fromEntries(added.map(([column, count]) => [column, eb(column, '+', count)])),
        )
        .where('id', '=', run.id)
        .execute()
    },
  }
}

const cutSentence = `There are more: a report has room for ${mostRows.toLocaleString('en')} rows of each kind.`
