import { remember } from '../../../lib/memory/remember.ts'
import { type Cell, csvOf } from '../../../lib/text/csv.ts'
import type { Reply } from '../../api/route/route.ts'
import type { AnalyticsData } from './analytics-report.ts'
import type { TopLinksData } from './analytics-schemas.ts'

const head = [
  ...['period', 'dimension', 'start', 'local_start'],
  ...['value', 'label', 'visits', 'share'],
]

/**
 * The same answer as one table for a spreadsheet, with a row for each total, point in time and value. The rows
 * differ in `dimension`, and in `period` if the previous period was asked for too, or if there are undated visits.
 */
export function analyticsFile(name: string, data: AnalyticsData): Reply {
  const { from, to, timezone, granularity, totals, undated, previous, ...lists } = data
  const localStart = localTime(timezone, granularity === 'hour')
  const rows = [...rowsOf('current', totals, lists, localStart)]
  if (previous) {
    const { from: _, to: __, change, totals: before, ...points } = previous
    rows.push(...rowsOf('previous', before, { ...points, ...valuesBefore(lists) }, localStart))
  }
  if (undated > 0) rows.push(['undated', 'visits', null, null, null, null, undated, null])
  return csvFile(name, data, csvOf(head, rows))
}

/** Which links were visited most, a row each. */
export function topLinksFile(name: string, data: TopLinksData): Reply {
  const rows = data.links.map(link => [
    ...[link.id, link.shortUrl, link.title, link.originalUrl],
    ...[link.visits, link.previousVisits ?? null, link.share],
  ])
  const value = data.dimension === null ? [] : [data.dimension]
  return csvFile([name, ...value].join('_'), data, csvOf(linksHead, rows))
}

const linksHead = [
  ...['id', 'short_url', 'title', 'original_url', 'visits', 'previous_visits', 'share'],
]

type ToldSpan = Pick<AnalyticsData, 'from' | 'to' | 'timezone'>

function csvFile(name: string, { from, to, timezone }: ToldSpan, body: string): Reply {
  const days = [from, to].map(localTime(timezone, false))
  const fileName = `${['linnet', name, ...days].join('_')}.csv`
  return {
    body,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  }
}

type Lists = Readonly<Record<string, readonly Row[]>>
type Row = Readonly<Partial<Record<'start' | 'value' | 'label', string>>> & {
  readonly visits: number
  readonly share?: number
  readonly previousVisits?: number
}

/** How often the current values were visited in the previous period. */
function valuesBefore(lists: Lists): Lists {
  const compared = Object.entries(lists).filter(([, rows]) => rows[0]?.previousVisits !== undefined)
  return Object.fromEntries(
    compared.map(([dimension, rows]) => [
      dimension,
      rows.map(({ share, previousVisits = 0, ...row }) => ({ ...row, visits: previousVisits })),
    ]),
  )
}

function* rowsOf(
  period: string,
  totals: AnalyticsData['totals'],
  lists: Lists,
  localStart: (start: string) => string,
): Iterable<readonly Cell[]> {
  for (const [dimension, visits] of Object.entries(totals)) {
    yield [period, dimension, null, null, null, null, visits, null]
  }
  for (const [dimension, rows] of Object.entries(lists)) {
    for (const { start = null, value = null, label = null, visits, share = null } of rows) {
      const local = start === null ? null : localStart(start)
      yield [period, dimension, start, local, value, label, visits, share]
    }
  }
}

/** `2026-11-20 14:00`, as in Sweden, which spreadsheets take for a date; without the time for a day. */
function localTime(timezone: string, hasTime: boolean): (moment: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    ...(hasTime && { timeStyle: 'short' }),
  })
  // The same point occurs in the rows of many dimensions.
  return remember(moment => format.format(new Date(moment)), 5_000)
}
