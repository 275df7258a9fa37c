import type { Database } from '../../storage/database.ts'
import type { Hours } from '../facts/buckets.ts'
import { type DistinctDay, readDistinct } from './read-distinct.ts'
import type { Scope } from './scope.ts'
import { type CountMap, sumUp } from './sum-up.ts'

/** What is known already of the whole period: its visits by hour, and the id of `visits` in the dictionary. */
export interface KnownVisits {
  readonly id: number
  readonly byHour: CountMap
}

/** Estimates how many different values a dimension had in consecutive stretches of time. */
export async function distinctWithin(
  db: Database,
  scope: Scope,
  dimensionId: number | undefined,
  stretches: readonly Hours[],
  visits: KnownVisits,
): Promise<readonly number[]> {
  const span = { first: stretches[0]?.first ?? 0, end: stretches.at(-1)?.end ?? 0 }
  const whole = wholeDays(span)
  const days = await readDistinct(db, scope, dimensionId, whole.days)
  if (days.length === 0) return stretches.map(() => 0)
  // The other hours of the first and the last day.
  const byHour = new Map(visits.byHour)
  const around = [
    { first: whole.hours.first, end: span.first },
    { first: span.end, end: whole.hours.end },
  ]
  for (const hours of around.filter(({ first, end }) => first < end)) {
    const sums = await sumUp(db, scope, hours, new Map([[visits.id, 'hour']]))
    for (const [hour, count] of sums.get(visits.id) ?? []) byHour.set(hour, count)
  }
  return splitDays(days, byHour, stretches)
}

const hoursADay = 24

/** The UTC days that contain these hours, and all hours of these days. */
export function wholeDays({ first, end }: Hours) {
  const days = { first: Math.floor(first / hoursADay), end: Math.ceil(end / hoursADay) }
  return { days, hours: { first: days.first * hoursADay, end: days.end * hoursADay } }
}

/**
 * How many different values there were in consecutive stretches of time. The number of values per UTC day and the
 * visits by hour are known: a stretch with part of a day's visits gets the same part of its values. That is rounded
 * up, because every visitor has a value; so there are never more values than visits either.
 */
export function splitDays(
  days: readonly DistinctDay[],
  visits: CountMap,
  stretches: readonly Hours[],
): readonly number[] {
  const counted = stretches.map(() => 0)
  let next = 0
  for (const { day, distinct } of days) {
    const hours = { first: day * hoursADay, end: (day + 1) * hoursADay }
    const known = visitsWithin(visits, hours) > 0 ? visits : new Map([[noonOf(hours), 1]])
    const all = visitsWithin(known, hours)
    while ((stretches[next]?.end ?? Infinity) <= hours.first) next += 1
    for (let at = next; ; at += 1) {
      const stretch = stretches[at]
      if (!stretch || stretch.first >= hours.end) break
      const visitsOfPart = visitsWithin(known, shared(stretch, hours))
      counted[at] = (counted[at] ?? 0) + Math.ceil((distinct * visitsOfPart) / all)
    }
  }
  return counted
}

/** After links were deleted, a day may have values but no visits: its values then count at noon. */
function noonOf({ first }: Hours): number {
  return first + hoursADay / 2
}

function shared(a: Hours, b: Hours): Hours {
  return { first: Math.max(a.first, b.first), end: Math.min(a.end, b.end) }
}

function visitsWithin(visits: CountMap, { first, end }: Hours): number {
  let sum = 0
  for (let hour = first; hour < end; hour += 1) sum += visits.get(hour) ?? 0
  return sum
}
