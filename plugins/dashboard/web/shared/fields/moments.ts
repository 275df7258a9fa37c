import { locale } from '../../language/language.ts'

/** The time zone of the browser, such as `Europe/Berlin`. */
export const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

const clock = new Intl.DateTimeFormat(locale, {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
})

/** A moment for `<input type="datetime-local">`: `2026-12-01T10:00`, in the browser's time zone. */
export function toInput(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The moment in such an input, as ISO 8601 in UTC; null while it is incomplete. */
export function toMoment(input: string): string | null {
  const date = new Date(input)
  return input === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** A moment in UTC, for people to read. */
export function utcOf(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : clock.format(date)
}
