import { type Context, csvOf, z } from '../../../../core/plugin.ts'
import type { Outcome, Run } from './run.ts'

type Db = Context['db']

/** A row of a report, as the API shows it. */
export const rowSchema = z.strictObject({
  outcome: z.enum(['refused', 'changed', 'kept']),
  row: z.string().meta({ description: 'Where it is in the source.', examples: ['line 12'] }),
  linkId: z.string().nullable(),
  sentence: z.string(),
})

export function reportRows(db: Db, { id }: Pick<Run, 'id'>, outcome?: Outcome) {
  const rows = db.selectFrom('organization_imports_rows').where('import_id', '=', id)
  return outcome === undefined ? rows : rows.where('outcome', '=', outcome)
}

export function showRow(row: Readonly<Record<string, unknown>>): z.output<typeof rowSchema> {
  return {
    outcome: row.outcome as Outcome,
    row: String(row.place),
    linkId: row.link === null ? null : String(row.link),
    sentence: String(row.sentence),
  }
}

const maxRows = 100_000

/** The whole report as CSV. */
export async function csvOfRows(db: Db, run: Pick<Run, 'id'>): Promise<string> {
  const rows = await reportRows(db, run).selectAll().orderBy('number').limit(maxRows).execute()
  const shown = rows.map(showRow)
  return csvOf(
    ['outcome', 'row', 'link', 'sentence'],
    shown.map(({ outcome, row, linkId, sentence }) => [outcome, row, linkId, sentence]),
  )
}
