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
  /** The span before, laid beneath: its first point under the first. */
  readonly before: readonly Point[]
  /** Of another number, at the same points. */
  readonly beside: Line | undefined
  readonly labels: BucketLabels
  /** Whether the first or the last stretch has only part of its visits. */
  readonly isFirstPart: boolean
  readonly isLastPart: boolean
  /** Absent where there are none to make. */
  readonly annotations: ChartAnnotations | undefined
}

export interface ChartTipProps extends TimeChartProps {
  readonly index: number
  /** Where the point is, in a chart of this width. */
  readonly x: number
  readonly width: number
  /** Whether the lines are high where it would be: then it is below them. */
  isHighBetween(left: number, right: number): boolean
}

/** So many annotations have room in it. */
const shownNotes = 3

/** So much room a tip wants. */
const tipWidth = 190

/** What is at one point of a chart. For the eye: the chart itself says it to screen readers. */
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
