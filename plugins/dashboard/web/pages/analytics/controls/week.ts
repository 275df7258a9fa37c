import { locale } from '../../../language/language.ts'

interface WeekInfo {
  readonly firstDay: number
  readonly weekend: readonly number[]
}

/** Monday to Sunday are 1 to 7. Where the browser does not know, the week starts on Monday. */
function weekInfo(): WeekInfo {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?(): WeekInfo
    readonly weekInfo?: WeekInfo
  }
  return known.getWeekInfo?.() ?? known.weekInfo ?? { firstDay: 1, weekend: [6, 7] }
}

type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

const { firstDay, weekend } = weekInfo()

/** The first day of the week in the browser's locale, 0 for Sunday. */
export const firstDayOfWeek = asWeekday(firstDay)

export const weekendDays = weekend.map(asWeekday)

function asWeekday(day: number): Weekday {
  return (day % 7) as Weekday
}
