import { setImmediate as turn } from 'node:timers/promises'
import { type Context, csvOf, z } from '../../../../core/plugin.ts'
import { noneReported, type Outcome, outcomes, type Run, runsTable } from './run.ts'

type Db = Context['db']

/** A row of a report, as the API shows it. */
export const rowSchema = z.strictObject({
  outcome: z.enum(outcomes),
  row: z.string().meta({ description: 'Where it is in the source.', examples: ['line 12'] }),
  linkId: z.string().nullable(),
  sentence: z.string(),
})

export function reportRows(db: Db, { id }: Pick<Run, 'id'>, outcome?: Outcome) {
  const rows = db.selectFrom('organization_imports_rows').where('import_id', '=', id)
  return outcome === undefined ? rows : rows.where('outcome', '=', outcome)
}

/** How many rows that is, without counting them. */
export function countReported(
  { reported }: Pick<Run, 'reported'>,
  of = outcomes as readonly Outcome[],
) {
  return of.reduce((sum, outcome) => sum + reported[outcome], 0)
}

export function showRow(row: Readonly<Record<string, unknown>>): z.output<typeof rowSchema> {
  return {
    outcome: row.outcome as Outcome,
    row: String(row.place),
    linkId: row.link === null ? null : String(row.link),
    sentence: String(row.sentence),
  }
}

const columns = ['outcome', 'row', 'link', 'sentence']
/** The first line of each report. */
export const reportHead = csvOf(columns, [])

/** A report may have two hundred thousand rows; so many take a few milliseconds. */
const rowsAtOnce = 250

/** The whole report as CSV, some rows at a time. */
export async function* csvOfRows(db: Db, run: Pick<Run, 'id'>): AsyncGenerator<string> {
  yield reportHead
  for (let last = 0; ; ) {
    const rows = await inTurn(() =>
      reportRows(db, run)
        .select(['number', 'outcome', 'place', 'link', 'sentence'])
        .where('number', '>', last)
        .orderBy('number')
        .limit(rowsAtOnce)
        .execute(),
    )
    if (rows.length > 0) yield csvOf(columns, rows.map(cellsOf)).slice(reportHead.length)
    if (rows.length < rowsAtOnce) return
    last = Number(rows.at(-1)?.number)
  }
}

/** Deletes a report, some rows at a time. */
export async function deleteReport(db: Db, run: Pick<Run, 'id'>): Promise<void> {
  await db.updateTable(runsTable).set(noneReported).where('id', '=', run.id).execute()
  const { last } = await reportRows(db, run)
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow()
  for (let upTo = rowsAtOnce; upTo < Number(last) + rowsAtOnce; upTo += rowsAtOnce) {
    await inTurn(() =>
      db
        .deleteFrom('organization_imports_rows')
        .where('import_id', '=', run.id)
        .where('number', '<=', upTo)
        .execute(),
    )
  }
}

function cellsOf(read: Readonly<Record<string, unknown>>) {
  const { outcome, row, linkId, sentence } = showRow(read)
  return [outcome, row, linkId, sentence]
}

let before: Promise<unknown> = Promise.resolve()

/** Reads or deletes of one report at a time, with a turn for all others in between. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const working = before.then(() => turn()).then(work)
  before = working.catch(() => undefined)
  return working
}
