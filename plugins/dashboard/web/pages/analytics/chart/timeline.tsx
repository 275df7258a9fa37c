import type { ReactNode } from 'react'
import {
  type Numbers,
  type Point,
  type Previous,
  pointsOf,
} from '../../../api/analytics/analytics.ts'
import { texts } from '../../../texts.ts'
import { useAnnotations } from '../annotations/use-annotations.tsx'
import { Card } from '../card/card.tsx'
import { bucketLabels } from '../words/bucket-labels.ts'
import type { Dimension } from '../words/dimensions.ts'
import { formatSpan } from '../words/format-span.ts'
import { TimeChart } from './time-chart.tsx'
import classes from './timeline.module.css'

export interface TimelineProps {
  readonly dimension: Dimension
  /** Other metrics; the first of them that has points is drawn too. */
  readonly beside: readonly Dimension[]
  readonly numbers: Numbers
  /** Beside the heading. */
  readonly aside?: ReactNode
}

/** A dimension over time, with labels in the requested time zone. */
export function Timeline({ dimension: { name, label }, beside, numbers, aside }: TimelineProps) {
  const { from, to, granularity, timezone, previous } = numbers
  const now = Date.now()
  // A span may end in the future, where there is nothing to show.
  const begun = (points: readonly Point[]) => points.filter(({ start }) => Date.parse(start) <= now)
  const points = begun(pointsOf(numbers, name))
  const lines = beside.map(it => ({ label: it.label, points: begun(pointsOf(numbers, it.name)) }))
  const second = lines.find(line => line.points.length > 0)
  const annotations = useAnnotations({ points, to, timezone })
  const isFirstPart = points[0] !== undefined && points[0].start < from
  return (
    <Card
      heading={label}
      aside={
        <div className={classes.aside}>
          {(previous || second) && (
            <Legend numbers={numbers} previous={previous} beside={second?.label} />
          )}
          {annotations.button}
          {aside}
        </div>
      }
    >
      <TimeChart
        label={label}
        points={points}
        before={previous ? pointsOf(previous, name) : []}
        beside={second}
        labels={bucketLabels(granularity, timezone)}
        isFirstPart={isFirstPart}
        isLastPart={Date.parse(to) > now}
        annotations={annotations.chart}
      />
      {annotations.dialog}
    </Card>
  )
}

interface LegendProps {
  readonly numbers: Numbers
  readonly previous: Previous | null
  readonly beside: string | undefined
}

/** Which line shows which span and which metric. */
function Legend({ numbers, previous, beside }: LegendProps) {
  const { timezone, granularity } = numbers
  const nameOf = ({ from, to }: Pick<Numbers, 'from' | 'to'>) =>
    formatSpan(from, momentBefore(to), timezone, granularity === 'hour')
  return (
    <ul className={classes.legend}>
      <li data-line="now">{previous ? nameOf(numbers) : texts.analytics.visits}</li>
      {previous && <li data-line="before">{nameOf(previous)}</li>}
      {beside && <li data-line="beside">{beside}</li>}
    </ul>
  )
}

/** The end of a span is exclusive. */
function momentBefore(moment: string): string {
  return new Date(Date.parse(moment) - 1).toISOString()
}
