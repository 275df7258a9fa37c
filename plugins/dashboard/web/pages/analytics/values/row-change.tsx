import { analyticsTexts } from '../../../texts/analytics.ts'
import { Change } from '../card/change.tsx'
import classes from './visits-table.module.css'

export interface Compared {
  readonly visits: number
  readonly previousVisits?: number | undefined
}

/** Whether rows can be compared: something was counted in the previous span. */
export function areCompared(rows: readonly Compared[]): boolean {
  return rows.some(({ previousVisits = 0 }) => previousVisits > 0)
}

/** The change of a row since the previous span. */
export function RowChange({ visits, previousVisits = 0 }: Compared) {
  return (
    <td className={classes.change}>
      {previousVisits === 0 ? (
        <span className={classes.fresh}>{analyticsTexts.isNew}</span>
      ) : (
        <Change change={(visits - previousVisits) / previousVisits} />
      )}
    </td>
  )
}
