import { type Refusal, refusalOf, z } from '../../../core/plugin.ts'
import { type Asked, momentOf } from './asked.ts'

const counted = z.object({
  data: z.object({ totals: z.object({ visits: z.number() }), undated: z.number().optional() }),
})

/** How many visits there were at a path of analytics, in the period of the query if it has one. */
export async function totalOf(
  { call, query, now }: Asked,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<number | Refusal> {
  const [start, end] = ['startDate', 'endDate'].map(name => momentOf(query.get(name) || undefined))
  const isAll = typeof start !== 'string' && typeof end !== 'string'
  const period = isAll
    ? { interval: 'all' }
    : {
        from: `${start ?? '2000-01-01'}`,
        to: `${end ?? now().toISOString()}`,
        granularity: 'month',
      }
  const wanted = new URLSearchParams({ ...period, limit: '1', ...more })
  const called = await call('GET', `${path}?${wanted}`)
  if (called.status !== 200) return refusalOf(called)
  const { totals, undated = 0 } = counted.parse(called.body).data
  return totals.visits + (isAll ? undated : 0)
}
