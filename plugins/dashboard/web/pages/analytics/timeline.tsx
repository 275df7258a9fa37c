import { type Numbers, type Previous, pointsOf } from '../../api/analytics.ts'
import { bucketLabels } from './bucket-labels.ts'
import { Card } from './card.tsx'
import type { Dimension } from './dimensions.ts'
import { formatSpan } from './format-span.ts'
import { TimeChart } from './time-chart.tsx'
import classes from './timeline.module.css'

export interface TimelineProps {
  readonly dimension: Dimension
  readonly numbers: Numbers
}

/** A dimension over time, and how each point is called in the zone that was asked for. */
export function Timeline({ dimension: { name, label }, numbers }: TimelineProps) {
  const { from, to, granularity, timezone, previous } = numbers
  const now = Date.now()
  // A span may end in the future, of which there is nothing to tell.
  const points = pointsOf(numbers, name).filter(({ start }) => Date.parse(start) <= now)
  const isFirstPart = points[0] !== undefined && points[0].start < from
  return (
    <Card heading={label} aside={previous && <Legend numbers={numbers} previous={previous} />}>
      <TimeChart
        label={label}
        points={points}
        before={previous ? pointsOf(previous, name) : []}
        labels={bucketLabels(granularity, timezone)}
        isFirstPart={isFirstPart}
        isLastPart={Date.parse(to) > now}
      />
    </Card>
  )
}

interface LegendProps {
  readonly numbers: Numbers
  readonly previous: Previous
}

/** Which line is of when. */
function Legend({ numbers, previous }: LegendProps) {
  const { timezone, granularity } = numbers
  const nameOf = ({ from, to }: LegendProps['numbers' | 'previous']) =>
    formatSpan(from, momentBefore(to), timezone, granularity === 'hour')
  return (
    <ul className={classes.legend}>
      <li data-line="now">{nameOf(numbers)}</li>
      <li data-line="before">{nameOf(previous)}</li>
    </ul>
  )
}

/** A span leaves out the moment that it ends with. */
function momentBefore(moment: string): string {
  return new Date(Date.parse(moment) - 1).toISOString()
}
