import type { Choices } from './choices.ts'
import type { OwnContext } from './tables.ts'

/** A page of the dashboard. */
export function pageOf(path: string, { links }: Pick<OwnContext, 'links'>): string {
  return new URL(`/dashboard/${path}`, links.apiUrl('')).href
}

/** Writes numbers in the language of an account. */
export function numbersIn({ language }: Choices): (value: number) => string {
  const format = new Intl.NumberFormat(language)
  return value => format.format(value)
}

/** Writes moments in the language and the time zone of an account. */
export function momentIn({ language, timeZone }: Choices, iso: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone } as const
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(
    new Date(iso),
  )
}

/** Writes days, such as `2026-11-23`, in the language of an account. */
export function dayIn({ language }: Choices): (day: string) => string {
  const options = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options)
  return day => format.format(new Date(`${day}T00:00:00Z`))
}

/** How much of one thing a mail about many shows, so that it does not get too long to be sent. */
const most = 500

export function shortened(text: string): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
