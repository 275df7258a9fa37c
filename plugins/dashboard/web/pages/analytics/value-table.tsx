import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { ValueRow } from '../../api/analytics.ts'
import { noValue } from '../../api/value-said.ts'
import { formatNumber, formatShare } from '../../shared/format.ts'
import { analyticsTexts } from '../../texts/analytics.ts'
import { texts } from '../../texts.ts'
import { areCompared, RowChange } from './row-change.tsx'
import classes from './value-table.module.css'

export interface ValueTableProps {
  /** What the values are of. */
  readonly label: string
  readonly rows: readonly ValueRow[]
  /** The value that is pointed at elsewhere, as on a map. */
  readonly marked?: string | undefined
  onPoint?(value: string | undefined): void
  /** More is to be told of a value. */
  onOpen(row: ValueRow): void
}

/** The most frequent values, with their shares as bars behind them, and what they were before. */
export function ValueTable({ label, rows, marked, onPoint, onOpen }: ValueTableProps) {
  const widest = Math.max(...rows.map(({ share }) => share))
  const isCompared = areCompared(rows)
  return (
    <table className={classes.table} data-compared={isCompared || undefined}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>{label}</VisuallyHidden>
          </th>
          <th scope="col">{texts.analytics.visits}</th>
          <th scope="col">{texts.analytics.share}</th>
          {isCompared && <th scope="col">{analyticsTexts.change}</th>}
        </tr>
      </thead>
      <tbody onPointerLeave={() => onPoint?.(undefined)}>
        {rows.map(row => (
          <tr
            key={row.value}
            data-marked={row.value === marked || undefined}
            data-none={row.value === noValue || undefined}
            onPointerEnter={() => onPoint?.(row.value)}
          >
            <th scope="row">
              <span
                className={classes.bar}
                style={{ inlineSize: `${(row.share / widest) * 100}%` }}
              />
              <UnstyledButton
                className={classes.value}
                title={row.label}
                aria-haspopup="dialog"
                onClick={() => onOpen(row)}
              >
                {row.label}
              </UnstyledButton>
            </th>
            <td>{formatNumber(row.visits)}</td>
            <td className={classes.share}>{formatShare(row.share)}</td>
            {isCompared && <RowChange {...row} />}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
