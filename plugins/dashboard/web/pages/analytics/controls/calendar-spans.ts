/** Spans that people name by the calendar. */
export type Calendar = 'today' | 'yesterday' | 'thisMonth' | 'lastMonth'

interface Days {
  /** The first and the last day, such as `2026-11-20`. */
  readonly from: string
  readonly to: string
}

/** The days of each such span in a time zone. */
export function calendarSpans(now: Date, timeZone: string): Readonly<Record<Calendar, Days>> {
  // Sweden writes dates as ISO 8601 does.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now)
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const dayOf = (...date: [year: number, month: number, day: number]) =>
    new Date(Date.UTC(...date)).toISOString().slice(0, 10)
  const yesterday = dayOf(year, month - 1, day - 1)
  return {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    thisMonth: { from: dayOf(year, month - 1, 1), to: today },
    lastMonth: { from: dayOf(year, month - 2, 1), to: dayOf(year, month - 1, 0) },
  }
}
