import { Switch } from '@mantine/core'
import { useState } from 'react'
import { formatMoment, formatNumber } from '../../../shared/text/format.ts'
import { manyTexts } from '../../../texts/many.ts'
import type { Columns, Target } from './columns.ts'
import classes from './import.module.css'
import { More } from './more.tsx'
import type { Planned } from './plan.ts'
import { isDate, momentIn } from './read-cell.ts'
import { ScrollingTable } from './scrolling-table.tsx'

/** More rows than anybody reads. */
const maxShown = 100

export interface PreviewTableProps {
  readonly planned: readonly Planned[]
  readonly columns: Columns
}

/** The first rows as they will be sent, or only those that will not be. */
export function PreviewTable({ planned, columns }: PreviewTableProps) {
  const [isNarrowed, setIsNarrowed] = useState(false)
  const wrong = planned.filter(({ problem }) => problem)
  const some = isNarrowed ? wrong : planned
  const shown = some.slice(0, maxShown)
  const seen = columns.filter(it => it !== null)
  return (
    <>
      {wrong.length > 0 && (
        <Switch
          size="sm"
          label={manyTexts.onlyWrong}
          checked={isNarrowed}
          onChange={({ currentTarget }) => setIsNarrowed(currentTarget.checked)}
        />
      )}
      <ScrollingTable
        label={manyTexts.rows}
        heads={seen.map(({ label }) => label)}
        lastHead={manyTexts.state}
      >
        {shown.map(it => (
          <tr key={it.draft.row.number} data-wrong={it.problem ? true : undefined}>
            <td>{formatNumber(it.draft.row.number)}</td>
            {seen.map(target => (
              <td key={target.name} className={classes.cell} title={textOf(it, target)}>
                {textOf(it, target)}
              </td>
            ))}
            <td className={classes.state}>{stateOf(it)}</td>
          </tr>
        ))}
      </ScrollingTable>
      <More count={some.length - shown.length} />
    </>
  )
}

function stateOf({ problem, instead, draft }: Planned): string {
  if (problem) return problem
  const said = [
    ...(instead ? [manyTexts.instead(instead)] : []),
    ...(draft.hasRules ? [manyTexts.withoutRules] : []),
  ]
  return said.join('. ') || manyTexts.ok
}

function textOf({ said, problem }: Planned, { name, field }: Target): string {
  const text = said[name]
  if (name === 'code' && text === undefined && !problem) return manyTexts.random
  if (text === undefined) return ''
  if (field.control === 'password') return '••••••'
  const moment = isDate(field) ? momentIn(text) : undefined
  return moment ? formatMoment(moment) : text
}
