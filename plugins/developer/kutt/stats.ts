import { isRefusal, type Refusal, z } from '../../../core/plugin.ts'
import { json, refusedBy, type Said } from './answers.ts'
import type { Asked } from './asked.ts'
import { findNamed, isSaid, shown } from './called-link.ts'

const values = z.array(z.object({ value: z.string(), visits: z.number() })).default([])
const counted = z.object({
  data: z.object({
    totals: z.object({ visits: z.number() }),
    visitsOverTime: z.array(z.object({ visits: z.number() })).default([]),
    visitsByBrowser: values,
    visitsByOperatingSystem: values,
    visitsByCountry: values,
    visitsByReferer: values,
  }),
})

/** What Kutt tells of, with the number of points in each. */
const periods = {
  lastDay: ['24h', 'hour', 24],
  lastWeek: ['7d', 'day', 7],
  lastMonth: ['30d', 'day', 30],
  lastYear: ['12mo', 'month', 12],
} as const

/** The visits of a link over time, oldest first, as Kutt shows them: the last point is the time in progress. */
export async function linkStats(asked: Asked): Promise<Said> {
  const link = await findNamed(asked)
  if (isSaid(link)) return link
  const shownPeriods: Record<string, object> = {}
  for (const [name, period] of Object.entries(periods)) {
    const read = await readPeriod(asked, link.id, period)
    if (isRefusal(read)) return read
    shownPeriods[name] = read
  }
  return json({ ...shownPeriods, updatedAt: asked.now().toISOString(), ...shown(asked, link) })
}

async function readPeriod(
  { call }: Asked,
  id: string,
  [interval, granularity, count]: (typeof periods)[keyof typeof periods],
): Promise<object | Refusal> {
  const wanted = new URLSearchParams({ interval, granularity, limit: '100' })
  const called = await call('GET', `/links/${id}/analytics?${wanted}`)
  if (called.status !== 200) return refusedBy(called)
  const { data } = counted.parse(called.body)
  const points = data.visitsOverTime.map(({ visits }) => visits).slice(-count)
  return {
    stats: {
      browser: named(data.visitsByBrowser, 'Other'),
      os: named(data.visitsByOperatingSystem, 'Other'),
      country: named(data.visitsByCountry, 'Unknown'),
      referrer: named(data.visitsByReferer, 'Direct'),
    },
    views: [...Array<number>(count - points.length).fill(0), ...points],
    total: data.totals.visits,
  }
}

function named(all: z.output<typeof values>, otherwise: string) {
  return all.map(({ value, visits }) => ({
    name: value === '(none)' ? otherwise : value,
    value: visits,
  }))
}
