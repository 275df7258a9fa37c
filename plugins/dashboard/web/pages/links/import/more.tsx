import { formatNumber } from '../../../shared/text/format.ts'
import { manyTexts } from '../../../texts/many.ts'
import classes from './import.module.css'

/** The number of rows that are not shown, below those that are. */
export function More({ count }: { readonly count: number }) {
  if (count <= 0) return null
  return <p className={classes.hint}>{manyTexts.more(count, formatNumber(count))}</p>
}
