import { z } from 'zod'
import type { Entitlements } from '../../accounts/entitlements.ts'
import { findLink } from '../../links/find-link.ts'
import { isRefusal, type Refusal, refuse } from '../../outcomes.ts'
import type { Plugin } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { queryAnalytics } from '../../visits/analytics.ts'
import type { Scope } from '../../visits/counts-within.ts'
import { dimensionsOf, type NamedDimension } from '../../visits/dimensions.ts'
import { intervals, readRange } from '../../visits/range.ts'
import { type Call, type Reply, type Route, route } from '../route.ts'

export interface AnalyticsDeps {
  readonly db: Database
  readonly plugins: readonly Plugin[]
  readonly entitlements: Pick<Entitlements, 'check'>
  readonly now: () => Date
  /** Bring the counts up to date before they are read. */
  settle(): Promise<void>
}

const moment = z.iso.datetime({ offset: true }).optional()

const question = z.strictObject({
  from: moment,
  to: moment.meta({ description: 'The first moment that is not asked about; now, unless given.' }),
  interval: z.enum(intervals).optional().meta({ description: '30d, unless from is given.' }),
  granularity: z.enum(['hour', 'day', 'week', 'month']).optional(),
  dimensions: z
    .string()
    .regex(/^\w+(,\w+)*$/)
    .optional()
    .meta({ description: 'Names with commas; all that the plan has, unless given.' }),
  limit: z.coerce.number().int().min(1).max(1_000).default(10).meta({
    description: 'Values per dimension, the most frequent first.',
  }),
})

type Question = z.output<typeof question>

const counts = z.union([
  z.array(z.object({ start: z.iso.datetime(), visits: z.int() })),
  z.array(z.object({ value: z.string(), label: z.string(), visits: z.int(), share: z.number() })),
])

const answer = z.object({
  data: z
    .object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      granularity: z.enum(['hour', 'day', 'week', 'month']),
      totals: z.record(z.string(), z.int()),
    })
    .catchall(counts)
    .meta({ description: 'One list a dimension, by its name.' }),
})

/** What became of the links: numbers in UTC, read from counts alone. */
export function analyticsRoutes(deps: AnalyticsDeps): readonly Route[] {
  const known = deps.plugins.flatMap(plugin =>
    dimensionsOf([plugin]).map(dimension => ({ feature: plugin.feature, dimension })),
  )
  const shared = {
    method: 'GET',
    group: 'Analytics',
    scope: 'analytics:read',
    query: question,
    answer,
    status: 200,
  } as const

  return [
    route({
      ...shared,
      path: '/analytics',
      name: 'analytics.show',
      summary: 'Numbers of all links of the account',
      handle: ({ caller, query }) =>
        reply({ accountId: caller.accountId }, query, caller, caller.account.createdAt),
    }),
    route({
      ...shared,
      path: '/links/:id/analytics',
      name: 'links.analytics',
      summary: 'Numbers of one link',
      async handle({ caller, query, params: { id = '' } }) {
        const link = await findLink(deps.db, caller.accountId, id)
        if (!link) return refuse('not_found', 'There is no such link.', 404)
        return reply({ linkId: link.rowId }, query, caller, link.createdAt)
      },
    }),
  ]

  async function reply(
    scope: Scope,
    query: Question,
    { account }: Call['caller'],
    beginning: Date,
  ): Promise<Reply | Refusal> {
    const range = readRange(query, deps.now(), beginning)
    if (isRefusal(range)) return range
    const dimensions = chosen(query, account.plan)
    if (isRefusal(dimensions)) return dimensions
    await deps.settle()
    const found = await queryAnalytics(deps.db, scope, { ...range, dimensions, limit: query.limit })
    const { from, to, granularity } = range
    return {
      body: { data: { from: from.toISOString(), to: to.toISOString(), granularity, ...found } },
    }
  }

  /** The dimensions that were named, each of which the plan must have; else all that it has. */
  function chosen({ dimensions }: Question, plan: string): readonly NamedDimension[] | Refusal {
    if (dimensions === undefined) {
      return known
        .filter(({ feature }) => !deps.entitlements.check(plan, feature))
        .map(({ dimension }) => dimension)
    }
    const named: NamedDimension[] = []
    for (const name of new Set(dimensions.split(','))) {
      const entry = known.find(({ dimension }) => dimension.name === name)
      if (!entry) {
        const names = known.map(({ dimension }) => dimension.name).join(', ')
        const detail = `There is no dimension ${name}: the dimensions are ${names}.`
        return refuse('validation_failed', detail, 422, 'dimensions')
      }
      const barred = deps.entitlements.check(plan, entry.feature)
      if (barred) return barred
      named.push(entry.dimension)
    }
    return named
  }
}
