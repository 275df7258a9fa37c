import { saveFile } from '../../../shared/copy/save-file.ts'
import { csvStart, writeCsv } from '../../../shared/text/csv.ts'
import { manyTexts } from '../../../texts/many.ts'
import type { Planned } from './plan.ts'
import type { Table } from './read-table.ts'
import type { Outcome } from './use-import.ts'

/** A row that did not become a link, and why. */
export interface Failure {
  readonly planned: Planned
  readonly problem: string
}

/** Saves the original rows that did not become links, each with the reason, to correct and import again. */
export function saveFailures({ head }: Table, failures: readonly Failure[]): void {
  const names = head && [...head, manyTexts.problem]
  const rows = failures.map(({ planned, problem }) => [
    ...cellsOf(planned, head?.length ?? 0),
    problem,
  ])
  save('links-failed.csv', names ? [names, ...rows] : rows)
}

/** Saves the short URLs of all new links, beside their original URLs. */
export function saveMade(outcomes: readonly Outcome[]): void {
  const rows = outcomes.flatMap(({ planned, shortUrl }) =>
    shortUrl ? [[shortUrl, planned.said.originalUrl ?? '', planned.said.title ?? '']] : [],
  )
  save('links-made.csv', [['short_url', 'original_url', 'title'], ...rows])
}

/** Padded to the number of column names, so that the reason is in its own column. */
function cellsOf({ draft: { row } }: Planned, width: number): readonly string[] {
  const missing = Math.max(0, width - row.cells.length)
  return [...row.cells, ...Array.from({ length: missing }, () => '')]
}

function save(name: string, rows: readonly (readonly string[])[]): void {
  saveFile(new Blob([csvStart, writeCsv(rows)], { type: 'text/csv;charset=utf-8' }), name)
}
