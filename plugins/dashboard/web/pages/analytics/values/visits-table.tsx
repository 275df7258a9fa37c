import { VisuallyHidden } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { formatNumber, formatShare } from '../../../shared/text/format.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { texts } from '../../../texts.ts'
import { areCompared, type Compared, RowChange } from './row-change.tsx'
import classes from './visits-table.module.css'

interface Counted extends Compared {
  readonly share: number
}

type Attributes = ComponentProps<'tr'> & { readonly [name: `data-${string}`]: true | undefined }

export interface VisitsTableProps<Row extends Counted> {
  /** What the rows are. */
  readonly label: string
  readonly rows: readonly Row[]
  keyOf(row: Row): string
  /** The content of a row before its bar. */
  cellOf(row: Row): ReactNode
  attributesOf?(row: Row): Attributes
  onPointerLeave?(): void
}

/** The rows with the most visits, with shares as bars behind them, and their change. */
export function VisitsTable<Row extends Counted>({
  label,
  rows,
  keyOf,
  cellOf,
  attributesOf,
  onPointerLeave,
}: VisitsTableProps<Row>) {
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
      <tbody onPointerLeave={onPointerLeave}>
        {rows.map(row => (
          <tr key={keyOf(row)} {...attributesOf?.(row)}>
            <th scope="row">
              <span
                className={classes.bar}
                style={{ inlineSize: `${(row.share / widest) * 100}%` }}
              />
              {cellOf(row)}
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
