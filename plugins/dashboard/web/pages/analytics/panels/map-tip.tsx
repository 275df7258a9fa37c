import type { ValueRow } from '../../../api/analytics/analytics.ts'
import { formatNumber, formatShare } from '../../../shared/text/format.ts'
import classes from './world-map.module.css'

/** Where the pointer is on the map, from the top and from the nearer side, in pixels. */
export type TipPlace = { readonly top: number } & (
  | { readonly left: number }
  | { readonly right: number }
)

export interface MapTipProps {
  readonly row: ValueRow
  readonly place: TipPlace
}

/** The visits of the country under the pointer. Only visual: the list beside the map has them too. */
export function MapTip({ row: { label, visits, share }, place }: MapTipProps) {
  return (
    <div className={classes.tip} style={place} aria-hidden="true">
      <span>{label}</span>
      <strong>{formatNumber(visits)}</strong>
      <span className={classes.share}>{formatShare(share)}</span>
    </div>
  )
}
