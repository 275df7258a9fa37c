import { type PastCounts, siteOf, z } from '../../../../../core/plugin.ts'
import { type Api, inPath } from '../../reading/api.ts'
import { readMoment } from '../../reading/moments.ts'

/** Days on which a link was visited, oldest first. */
export type Days = readonly Day[]

interface Day extends PastCounts {
  readonly at: string
}

/** What a plan of Bitly does not include. */
const notIncluded = [402, 403]

const clicksSchema = z.object({
  link_clicks: z.array(z.object({ clicks: z.int().min(0), date: z.string() })),
})
const metricsSchema = z.object({
  metrics: z.array(z.object({ value: z.string(), clicks: z.int().min(0) })),
})

/** On which days a link of Bitly was visited. Undefined if the plan there does not say. */
export async function readDays(
  api: Api,
  id: string,
  withDetails: boolean,
  now: Date,
): Promise<Days | undefined> {
  const path = `/bitlinks/${inPath(id)}`
  const query = { unit: 'day', units: -1 }
  const { data } = clicksSchema.safeParse(await api.get(`${path}/clicks`, query, notIncluded))
  if (!data) return undefined
  const byDay = new Map<string, number>()
  for (const { clicks, date } of data.link_clicks) {
    const moment = readMoment(date, 'UTC')
    if (!moment || moment > now || clicks === 0) continue
    const day = moment.toISOString().slice(0, 10)
    byDay.set(day, (byDay.get(day) ?? 0) + clicks)
  }
  const days: Day[] = []
  for (const [at, visits] of [...byDay].sort()) {
    days.push({ at, visits, ...(withDetails && (await detailsOf(api, path, { at, visits }))) })
  }
  return days
}

/** From which countries and sites the visits of a day came. */
async function detailsOf(
  api: Api,
  path: string,
  { at, visits }: Day,
): Promise<Pick<PastCounts, 'by'>> {
  const numbers = async (facet: string, named: (value: string) => string | undefined) => {
    const query = { unit: 'day', units: 1, unit_reference: `${at}T23:59:59+0000`, size: 250 }
    const answer = await api.get(`${path}/${facet}`, query, notIncluded)
    const { data } = metricsSchema.safeParse(answer)
    return upTo(visits, data?.metrics ?? [], named)
  }
  const visitsByCountry = await numbers('countries', value =>
    /^[A-Z]{2}$/.test(value) ? value : undefined,
  )
  // Whoever comes directly has no site, and no dot.
  const visitsByReferer = await numbers('referring_domains', value =>
    value.includes('.') ? siteOf(`https://${value}/`) : undefined,
  )
  return { by: { visitsByCountry, visitsByReferer } }
}

/** The numbers by value, never more than there were visits. */
function upTo(
  visits: number,
  metrics: readonly { readonly value: string; readonly clicks: number }[],
  named: (value: string) => string | undefined,
): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {}
  let left = visits
  for (const { value, clicks } of metrics) {
    const known = named(value)
    const count = Math.min(clicks, left)
    if (known === undefined || count === 0) continue
    numbers[known] = (numbers[known] ?? 0) + count
    left -= count
  }
  return numbers
}

/** The days of each month, as parts that are brought once. */
export function visitsIn(days: Days): readonly { readonly part: string; readonly counts: Days }[] {
  return [...Map.groupBy(days, ({ at }) => at.slice(0, 7))].map(([part, counts]) => ({
    part,
    counts,
  }))
}
