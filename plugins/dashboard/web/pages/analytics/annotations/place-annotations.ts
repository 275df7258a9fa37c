import type { Point } from '../../../api/analytics/analytics.ts'
import type { Annotation, DaySpan } from '../../../api/analytics/annotations.ts'

/** The points of a chart: when each begins, when the last one ends, and in which time zone. */
export interface Points {
  readonly points: readonly Point[]
  /** End of the last point, exclusive. */
  readonly to: string
  readonly timezone: string
}

/** The days that each point covers, in the time zone of the chart. */
export function daysOfPoints({ points, to, timezone }: Points): readonly DaySpan[] {
  const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: timezone })
  return points.map(({ start }, index) => {
    const end = Date.parse(points[index + 1]?.start ?? to)
    return { from: day.format(new Date(start)), to: day.format(new Date(end - 1)) }
  })
}

/** Annotations by the index of the point that covers their day. With hourly points, the first of the day. */
export function placeAnnotations(
  annotations: readonly Annotation[],
  days: readonly DaySpan[],
): ReadonlyMap<number, readonly Annotation[]> {
  const placed = new Map<number, readonly Annotation[]>()
  for (const annotation of annotations) {
    const at = days.findIndex(({ from, to }) => from <= annotation.day && annotation.day <= to)
    if (at >= 0) placed.set(at, [...(placed.get(at) ?? []), annotation])
  }
  return placed
}

/** Merges marks that are too close for a fingertip into one, at the first of them. */
export function gatherMarks(
  placed: ReadonlyMap<number, readonly Annotation[]>,
  x: (index: number) => number,
  apart: number,
): readonly { readonly index: number; readonly annotations: readonly Annotation[] }[] {
  const marks: { index: number; annotations: readonly Annotation[] }[] = []
  for (const index of [...placed.keys()].toSorted((a, b) => a - b)) {
    const annotations = placed.get(index) ?? []
    const last = marks.at(-1)
    if (last && x(index) - x(last.index) < apart) {
      last.annotations = [...last.annotations, ...annotations]
    } else {
      marks.push({ index, annotations })
    }
  }
  return marks
}
