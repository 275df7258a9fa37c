import { type Context, z } from '../../../../core/plugin.ts'
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

// biome-ignore lint/suspicious/noExplicitAny: a row of the table above
export function showRow(row: any): z.output<typeof rowSchema> {
  return { outcome: row.outcome, row: row.place, linkId: row.link, sentence: row.sentence }
}

const maxRows = 100_000

/** The whole report as CSV. */
export async function csvOfRows(db: Db, run: Pick<Run, 'id'>): Promise<string> {
  const rows = await reportRows(db, run).selectAll().orderBy('number').limit(maxRows).execute()
  const lines = rows.map(row => [row.outcome, row.place, row.link ?? '', row.sentence])
  return [['outcome', 'row', 'link', 'sentence'], ...lines]
    .map(cells => `${cells.map(cellOf).join(',')}\r\n`)
    .join('')
}

/** A spreadsheet runs no text of somebody else: one that begins like a formula gets an apostrophe. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
