import type { Point } from '../../../api/analytics/analytics.ts'
import { formatCompact } from '../../../shared/text/format.ts'
import { niceTicks } from './nice-ticks.ts'

const height = 260
const top = 12
/** Space for the labels of the x axis. */
const bottom = height - 28
/** Space on the right for half a label. */
const right = 26
/** Least distance between two labels of the x axis. */
const labelWidth = 72
/** Widest digit beside the y axis. */
const digitWidth = 8

export interface Parts {
  readonly isFirstPart: boolean
  readonly isLastPart: boolean
}

export interface Lines {
  readonly points: readonly Point[]
  readonly before: readonly Point[]
  readonly beside: readonly Point[]
}

/** The positions of everything in a line chart, in pixels from its top left corner. */
export function layOut(
  { points, before, beside }: Lines,
  width: number,
  { isFirstPart, isLastPart }: Parts,
) {
  const last = points.length - 1
  const laid = before.slice(0, points.length)
  const figures = niceTicks(
    Math.max(0, ...[...points, ...laid, ...beside].map(({ visits }) => visits)),
  )
  const ceiling = figures.at(-1) ?? 1
  const left = 14 + digitWidth * Math.max(...figures.map(it => formatCompact(it).length))
  const room = Math.max(width - left - right, 0)
  const step = last > 0 ? room / last : 0

  const x = (index: number) => left + (last > 0 ? index * step : room / 2)
  const y = (visits: number) => bottom - (visits / ceiling) * (bottom - top)
  const path = (some: readonly Point[], first = 0) =>
    some
      .map(({ visits }, index) => `${index ? 'L' : 'M'}${at(x(first + index))},${at(y(visits))}`)
      .join('')

  const wholeFrom = isFirstPart ? 1 : 0
  const wholeTo = isLastPart ? last - 1 : last
  const drawn = (some: readonly Point[]) => ({
    line: wholeTo > wholeFrom ? path(some.slice(wholeFrom, wholeTo + 1), wholeFrom) : '',
    /** Segments that lead to an incomplete point. */
    parts:
      (wholeFrom > 0 ? path(some.slice(0, 2)) : '') +
      (wholeTo < last && last > wholeFrom ? path(some.slice(-2), last - 1) : ''),
  })
  return {
    height,
    top,
    bottom,
    left,
    x,
    ticks: figures.map(value => ({ value, y: y(value) })),
    /** The points that have a label. */
    marks: marksOf(points.length, Math.max(1, Math.floor(room / labelWidth))),
    before: path(laid),
    area: last < 0 ? '' : `${path(points)}L${at(x(last))},${bottom}L${at(x(0))},${bottom}Z`,
    ...drawn(points),
    beside: drawn(beside),
    dot: (index: number) => ({ cx: x(index), cy: y(points[index]?.visits ?? 0) }),
    /** The horizontal range of one point: from half way to the previous one to half way to the next. */
    band(index: number) {
      const from = Math.max(x(index) - step / 2, left)
      const to = Math.min(x(index) + step / 2, left + room)
      return { x: from, y: top, width: Math.max(to - from, 0), height: bottom - top }
    },
    /** Whether a line is in the upper half anywhere between two x positions. */
    isHighBetween: (from: number, to: number) =>
      points.some(
        (point, index) =>
          x(index) >= from - step &&
          x(index) <= to + step &&
          y(Math.max(point.visits, laid[index]?.visits ?? 0)) < (top + bottom) / 2,
      ),
    nearest: (px: number) =>
      Math.min(Math.max(Math.round((px - left) / (step || 1)), 0), Math.max(last, 0)),
  }
}

/** Evenly spaced, and no more than fit. */
function marksOf(count: number, most: number): readonly number[] {
  const every = Math.ceil(count / most)
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every)
}

function at(px: number): string {
  return px.toFixed(1)
}
