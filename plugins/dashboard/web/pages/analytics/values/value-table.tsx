import { UnstyledButton } from '@mantine/core'
import type { ValueRow } from '../../../api/analytics/analytics.ts'
import { noValue } from '../../../api/analytics/value-said.ts'
import classes from './visits-table.module.css'
import { VisitsTable } from './visits-table.tsx'

export interface ValueTableProps {
  /** What the values are of. */
  readonly label: string
  readonly rows: readonly ValueRow[]
  /** The value that is highlighted elsewhere, such as on a map. */
  readonly marked?: string | undefined
  onPoint?(value: string | undefined): void
  /** Opens the details of a value. */
  onOpen(row: ValueRow): void
}

/** The most frequent values of a dimension. */
export function ValueTable({ label, rows, marked, onPoint, onOpen }: ValueTableProps) {
  return (
    <VisitsTable
      label={label}
      rows={rows}
      keyOf={({ value }) => value}
      attributesOf={({ value }) => ({
        'data-marked': value === marked || undefined,
        'data-none': value === noValue || undefined,
        onPointerEnter: () => onPoint?.(value),
      })}
      onPointerLeave={() => onPoint?.(undefined)}
      cellOf={row => (
        <UnstyledButton
          className={classes.value}
          title={row.label}
          aria-haspopup="dialog"
          onClick={() => onOpen(row)}
        >
          {row.label}
        </UnstyledButton>
      )}
    />
  )
}
