import { locale } from '../../../language/language.ts'

/** How the calendar formats its months and days, given as `2026-11-20`. */
export const calendarWords = {
  monthLabelFormat: written({ month: 'long', year: 'numeric' }),
  monthsListFormat: written({ month: 'short' }),
  weekdayFormat: written({ weekday: 'short' }),
  getDayAriaLabel: written({ dateStyle: 'long' }),
}

function written(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  return day => format.format(new Date(`${day.slice(0, 10)}T00:00Z`))
}
