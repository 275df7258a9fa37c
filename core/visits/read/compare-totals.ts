import type { Totals } from './analytics.ts'

/** By what part each total has changed since: 0.5 is half as much again; null where it was 0. */
export function compareTotals(
  before: Totals,
  since: Totals,
): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    Object.entries(before).map(([name, was]) => [
      name,
      was === 0 ? null : ((since[name] ?? 0) - was) / was,
    ]),
  )
}
