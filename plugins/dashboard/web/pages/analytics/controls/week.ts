import { locale } from '../../../language/language.ts'

interface WeekInfo {
  readonly firstDay: number
  readonly weekend: readonly number[]
}

/** As Monday to Sunday are 1 to 7; browsers that do not know begin it on Monday. */
function weekInfo(): WeekInfo {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?(): WeekInfo
    readonly weekInfo?: WeekInfo
  }
  return known.getWeekInfo?.() ?? known.weekInfo ?? { firstDay: 1, weekend: [6, 7] }
}

type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

const { firstDay, weekend } = weekInfo()

/** The day that a week begins with where the browser is, 0 for Sunday. */
export const firstDayOfWeek = asWeekday(firstDay)

export const weekendDays = weekend.map(asWeekday)

function asWeekday(day: number): Weekday {
  return (day % 7) as Weekday
}
