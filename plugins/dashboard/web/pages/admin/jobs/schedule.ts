import { locale } from '../../../language/language.ts'
import { adminTexts } from '../../../texts/admin.ts'

const words = adminTexts.jobs

/** Five cron fields in words, in UTC: `15 3 * * *` -> `Every day at 03:15 UTC`. Other schedules stay cron fields. */
export function scheduleInWords(every: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = every.trim().split(/\s+/)
  const isWhole = [day, month, weekday].every(field => field === '*')
  if (isWhole && hour === '*') return withinHours(minute) ?? words.byCron(every)
  if (!isNumber(minute) || !isNumber(hour) || month !== '*') return words.byCron(every)
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (isWhole) return words.daily(time)
  if (day === '*' && isNumber(weekday)) return words.weekly(weekdayName(Number(weekday)), time)
  if (weekday === '*' && isNumber(day)) return words.monthly(day, time)
  return words.byCron(every)
}

function withinHours(minute: string): string | undefined {
  if (minute === '*') return words.everyMinute
  if (isNumber(minute)) return words.hourly(minute)
  const [, step] = /^\*\/(\d+)$/.exec(minute) ?? []
  return step && words.everyMinutes(step)
}

function isNumber(field: string): boolean {
  return /^\d+$/.test(field)
}

/** Sunday is 0 and also 7. 4 January 1970 was a Sunday. */
function weekdayName(day: number): string {
  const sunday = Date.UTC(1970, 0, 4)
  const options = { weekday: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale, options).format(sunday + day * 86_400_000)
}
