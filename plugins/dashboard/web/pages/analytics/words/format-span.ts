import { locale } from '../../../language/language.ts'

/** `22 Oct – 20 Nov 2026` for two moments, as days in a time zone; with `hasHours` the hours too. */
export function formatSpan(from: string, to: string, timeZone: string, hasHours = false): string {
  const time = hasHours ? ({ timeStyle: 'short' } as const) : {}
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...time, timeZone })
  return format.formatRange(new Date(from), new Date(to))
}
