import type { ReactNode } from 'react'
import { manyTexts } from '../../../texts/many.ts'
import classes from './import.module.css'

export interface ScrollingTableProps {
  readonly label: string
  /** The columns between the row number and the error. */
  readonly heads: readonly string[]
  readonly lastHead: string
  /** The `<tr>`s. */
  readonly children: ReactNode
}

/** Rows of the import, in a scrollable area. */
export function ScrollingTable({ label, heads, lastHead, children }: ScrollingTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll only what can have the focus
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {[manyTexts.row, ...heads, lastHead].map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
