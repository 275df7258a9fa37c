/** The hour of the morning at which mails go that can wait, and that of the evening from which on others wait. */
const morning = 8
const evening = 20

const hourMs = 3_600_000
const monday = 1

/** Where a moment is in the day and the week of a time zone. */
interface LocalTime {
  /** 0 is Sunday. */
  readonly weekday: number
  readonly hour: number
}

export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The next moment, or this one, at which mails may go that are not to come at night. */
export function byDay(at: number, timeZone: string): number {
  return nextHour(at, timeZone, ({ hour }) => hour >= morning && hour < evening)
}

/** The next morning, or this moment if it is one. */
export function inTheMorning(at: number, timeZone: string): number {
  return nextHour(at, timeZone, ({ hour }) => hour === morning)
}

/** The Monday morning on which the numbers of last week are due, and went if it is over: as `2026-11-23`. */
export function mondayOf(at: number, timeZone: string): string {
  let monday = at
  while (!isMondayMorning(monday, timeZone)) monday -= hourMs
  return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(monday)
}

function isMondayMorning(at: number, timeZone: string): boolean {
  const { weekday, hour } = localTime(at, timeZone)
  return weekday === monday && hour === morning
}

/** Hours are gone through one by one, since days of a time zone have 23 to 25. */
function nextHour(at: number, timeZone: string, isRight: (time: LocalTime) => boolean): number {
  if (isRight(localTime(at, timeZone))) return at
  // Zones are off by quarters of hours.
  const quarterMs = hourMs / 4
  let next = Math.floor(at / quarterMs) * quarterMs + quarterMs
  while (!isRight(localTime(next, timeZone))) next += quarterMs
  return next
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function localTime(at: number, timeZone: string): LocalTime {
  const parts = formatOf(timeZone).formatToParts(at)
  const part = (type: 'weekday' | 'hour') => parts.find(it => it.type === type)?.value ?? ''
  return { weekday: weekdays.indexOf(part('weekday')), hour: Number(part('hour')) }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than using it a hundred times; there are some 400 zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const options = { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' } as const
  const made = new Intl.DateTimeFormat('en-US', options)
  formats.set(timeZone, made)
  return made
}
