import { Button, Title } from '@mantine/core'
import { IconDownload } from '../../../shared/icons/icons.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { linkFormTexts } from '../../../texts/link-form.ts'
import { manyTexts } from '../../../texts/many.ts'
import classes from './import.module.css'
import { More } from './more.tsx'
import type { Table } from './read-table.ts'
import { type Failure, saveFailures } from './results-file.ts'
import { ScrollingTable } from './scrolling-table.tsx'

/** More rows than anybody reads. */
const maxShown = 100

export interface FailuresProps {
  readonly table: Table
  readonly failures: readonly Failure[]
}

/** The rows that did not become links, with the reasons. */
export function Failures({ table, failures }: FailuresProps) {
  return (
    <section className={classes.card} aria-labelledby="import-failures">
      <div className={classes.summary}>
        <Title order={2} id="import-failures">
          {manyTexts.failures}
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          onClick={() => saveFailures(table, failures)}
        >
          {manyTexts.saveFailures}
        </Button>
      </div>
      <ScrollingTable
        label={manyTexts.rows}
        heads={[linkFormTexts.fields.originalUrl]}
        lastHead={manyTexts.problem}
      >
        {failures.slice(0, maxShown).map(({ planned: { draft, said }, problem }) => (
          <tr key={draft.row.number}>
            <td>{formatNumber(draft.row.number)}</td>
            <td className={classes.cell} title={said.originalUrl}>
              {said.originalUrl}
            </td>
            <td className={classes.state}>{problem}</td>
          </tr>
        ))}
      </ScrollingTable>
      <More count={failures.length - maxShown} />
    </section>
  )
}
