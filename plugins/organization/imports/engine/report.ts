import type { Context } from '../../../../core/plugin.ts'
import { digestOf } from '../digest.ts'
import { type Outcome, type Run, runsTable } from '../runs/run.ts'

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

const rowsTable = 'organization_imports_rows'

/** Writes what happened since it was last written. Rows that were there before change nothing and count nothing. */
export interface Report {
  /** Hears that something was read: rows about it stand before those about what is read later, if both are written together. */
  met(item: object): void
  /** Notes a row of its own, such as of a host; it counts as refused if it is. */
  add(row: ReportRow): void
  /** Notes the rows of a link, which is counted by whoever notes them. */
  addOfLink(rows: readonly ReportRow[], item: object): void
  readonly tally: Tally
  /** Within a transaction that also writes what the rows are about. */
  write(db: Db): Promise<void>
}

export async function openReport(db: Db, run: Pick<Run, 'id'>): Promise<Report> {
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

  return {
    tally,
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
      for (const { row, counts } of rows) {
        const { outcome, place, link = null, sentence } = row
        number += 1
        const digest = digestOf(outcome, place, sentence)
        const { numInsertedOrUpdatedRows = 0n } = await tx
          .insertInto(rowsTable)
          .values({ import_id: run.id, number, outcome, place, link, sentence, digest })
          .onConflict(conflict => conflict.columns(['import_id', 'digest']).doNothing())
          .executeTakeFirstOrThrow()
        if (counts && outcome === 'refused' && numInsertedOrUpdatedRows > 0n) tally.refused += 1
      }
      const { made, changed, kept, refused, visits } = tally
      Object.assign(tally, noTally())
      if (made + changed + kept + refused + visits === 0) return
      await tx
        .updateTable(runsTable)
        .set(({ eb }: { eb: (column: string, operator: '+', value: number) => never }) => ({
          made: eb('made', '+', made),
          changed: eb('changed', '+', changed),
          kept: eb('kept', '+', kept),
          refused: eb('refused', '+', refused),
          visits: eb('visits', '+', visits),
        }))
        .where('id', '=', run.id)
        .execute()
    },
  }
}
