import { VisuallyHidden } from '@mantine/core'
import type { ValueRow } from '../../api/analytics.ts'
import { formatNumber, formatShare } from '../../shared/format.ts'
import { texts } from '../../texts.ts'
import classes from './value-table.module.css'

export interface ValueTableProps {
  /** What the values are of. */
  readonly label: string
  readonly rows: readonly ValueRow[]
  /** The value that is pointed at elsewhere, as on a map. */
  readonly marked?: string | undefined
  onPoint?(value: string | undefined): void
}

/** The most frequent values, with their shares as bars behind them. */
export function ValueTable({ label, rows, marked, onPoint }: ValueTableProps) {
  const widest = Math.max(...rows.map(({ share }) => share))
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>{label}</VisuallyHidden>
          </th>
          <th scope="col">{texts.analytics.visits}</th>
          <th scope="col">{texts.analytics.share}</th>
        </tr>
      </thead>
      <tbody onPointerLeave={() => onPoint?.(undefined)}>
        {rows.map(({ value, label, visits, share }) => (
          <tr
            key={value}
            data-marked={value === marked || undefined}
            onPointerEnter={() => onPoint?.(value)}
          >
            <th scope="row">
              <span className={classes.bar} style={{ inlineSize: `${(share / widest) * 100}%` }} />
              <span className={classes.value} title={label}>
                {label}
              </span>
            </th>
            <td>{formatNumber(visits)}</td>
            <td className={classes.share}>{formatShare(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
