import type { Point } from '../../../api/analytics/analytics.ts'
import { formatNumber } from '../../../shared/text/format.ts'
import { analyticsTexts } from '../../../texts/analytics.ts'
import { texts } from '../../../texts.ts'
import type { ChartAnnotations } from '../annotations/use-annotations.tsx'
import { Change } from '../card/change.tsx'
import type { BucketLabels } from '../words/bucket-labels.ts'
import classes from './chart-tip.module.css'

export interface Line {
  readonly label: string
  readonly points: readonly Point[]
}

export interface TimeChartProps {
  readonly label: string
  readonly points: readonly Point[]
  /** The previous span, aligned with this one at their first points. */
  readonly before: readonly Point[]
  /** Another metric at the same points. */
  readonly beside: Line | undefined
  readonly labels: BucketLabels
  /** Whether the first or the last point has only part of its visits. */
  readonly isFirstPart: boolean
  readonly isLastPart: boolean
  /** Absent if annotations are not available. */
  readonly annotations: ChartAnnotations | undefined
}

export interface ChartTipProps extends TimeChartProps {
  readonly index: number
  /** The x position of a point in a chart of this width. */
  readonly x: number
  readonly width: number
  /** Whether a line crosses the tip's usual place; the tip then goes below the lines. */
  isHighBetween(left: number, right: number): boolean
}

/** How many annotations fit into the tip. */
const shownNotes = 3

/** Width of the tip, in pixels. */
const tipWidth = 190

/** The values at one point of a chart. Only visual: the chart itself tells them to screen readers. */
export function ChartTip(props: ChartTipProps) {
  const { points, before, beside, labels, isLastPart, index, x, width } = props
  const [point, was, other] = [points[index], before[index], beside?.points[index]]
  if (!point) return null
  const left = x + tipWidth + 12 < width ? x + 12 : Math.max(x - tipWidth - 12, 0)
  const place = props.isHighBetween(left, left + tipWidth) ? { bottom: 34 } : { top: 12 }
  const notes = props.annotations?.placed.get(index) ?? []
  const isPart = isLastPart && index === points.length - 1
  return (
    <div className={classes.tip} style={{ left, width: tipWidth, ...place }} aria-hidden="true">
      <div className={classes.row}>
        <span className={classes.when} data-now>
          {labels.long(point.start)}
        </span>
        <strong>{formatNumber(point.visits)}</strong>
      </div>
      {beside && other && (
        <div className={classes.row}>
          <span className={classes.when}>{beside.label}</span>
          <span>{formatNumber(other.visits)}</span>
        </div>
      )}
      {isPart && <p className={classes.note}>{texts.analytics.soFar}</p>}
      {was && (
        <div className={classes.row}>
          <span className={classes.when}>{labels.long(was.start)}</span>
          <span>{formatNumber(was.visits)}</span>
        </div>
      )}
      {was && !isPart && was.visits > 0 && (
        <Change change={(point.visits - was.visits) / was.visits} />
      )}
      {notes.slice(0, shownNotes).map(({ id, text }) => (
        <p key={id} className={classes.annotation}>
          {text}
        </p>
      ))}
      {props.annotations && (
        <p className={classes.hint}>
          {notes.length > shownNotes && `+${formatNumber(notes.length - shownNotes)} · `}
          {analyticsTexts.annotations.byClick}
        </p>
      )}
    </div>
  )
}
