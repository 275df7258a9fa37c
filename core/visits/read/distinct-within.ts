import type { Database } from '../../storage/database.ts'
import type { Hours } from '../facts/buckets.ts'
import { readDistinct } from './read-distinct.ts'
import type { Scope } from './scope.ts'
import { splitDays, wholeDays } from './split-days.ts'
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
