import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import { type Range, readRange } from '../../../visits/read/range.ts'
import { rangeBefore } from '../../../visits/read/range-before.ts'
import type { SpanQuery } from './analytics-schemas.ts'

/** A span of time as the API shows it. */
export interface Span {
  readonly from: string
  readonly to: string
}

export interface Spans {
  readonly range: Range
  /** The span before, if it is compared. */
  readonly before: Range | undefined
}

/** The spans that a query is about. */
export function readSpans(query: SpanQuery, now: Date, beginning: Date): Spans | Refusal {
  const range = readRange(query, now, beginning)
  if (isRefusal(range)) return range
  const before = query.compare ? rangeBefore(range, intervalOf(query)) : undefined
  return isRefusal(before) ? before : { range, before }
}

export function spanOf({ from, to }: Range): Span {
  return { from: from.toISOString(), to: to.toISOString() }
}

/** If the query says nothing, it is about the interval `30d`. */
function intervalOf({ interval, from, to }: SpanQuery) {
  return interval ?? ((from ?? to) === undefined ? '30d' : undefined)
}
