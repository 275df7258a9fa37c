import type { Containment } from '../../kernel/contain.ts'
import type { RunningPlugin } from '../../kernel/start-plugins.ts'
import { findLink } from '../../links/find-link.ts'
import { isRefusal, type Refusal, refuse } from '../../outcomes.ts'
import type { Group, LinkRows } from '../../plugin.ts'
import { analyticsFile } from '../analytics-file.ts'
import { createAnalyticsReport, type ReportDeps, type Subject } from '../analytics-report.ts'
import { type AnalyticsQuery, analyticsAnswer, analyticsQuery } from '../analytics-schemas.ts'
import { internal } from '../problem.ts'
import { type Call, type Reply, type Route, route } from '../route.ts'

export interface AnalyticsDeps extends Omit<ReportDeps, 'plugins'> {
  readonly running: readonly RunningPlugin[]
  readonly contain: Containment
}

/** What became of links, told from counts alone: of an account, of a link, of what plugins group. */
export function analyticsRoutes({ running, contain, ...deps }: AnalyticsDeps): readonly Route[] {
  const plugins = running.map(({ plugin }) => plugin)
  const { report, names } = createAnalyticsReport({ ...deps, plugins })
  const shared = {
    method: 'GET',
    group: 'Analytics',
    scope: 'analytics:read',
    query: analyticsQuery(names),
    answer: analyticsAnswer,
    media: ['text/csv'],
    status: 200,
  } as const

  return [
    route({
      ...shared,
      path: '/analytics',
      name: 'analytics.show',
      summary: 'Numbers of all links of the account',
      handle: ({ caller, query }) =>
        reply('links', query, ofAccount(caller, { accountId: caller.accountId })),
    }),
    route({
      ...shared,
      path: '/links/:id/analytics',
      name: 'links.analytics',
      summary: 'Numbers of one link',
      async handle({ caller, query, params: { id = '' } }) {
        const link = await findLink(deps.db, caller.accountId, id)
        if (!link) return refuse('not_found', 'There is no such link.', 404)
        const subject = ofAccount(caller, { linkId: link.rowId })
        return reply(link.id, query, { ...subject, beginning: link.createdAt })
      },
    }),
    ...groupsOf(running).map(([path, group, member]) =>
      route({
        ...shared,
        path: `${path}/:id/analytics`,
        name: `${path.slice(1)}.analytics`,
        summary: group.summary,
        async handle({ caller, query, params: { id = '' } }) {
          const linkRows = await linksOf(group, id, caller, member)
          return isRefusal(linkRows) ? linkRows : reply(id, query, ofAccount(caller, { linkRows }))
        },
      }),
    ),
  ]

  /** Something of other people's is not found, like what was never there. */
  async function linksOf(
    { links }: Group,
    id: string,
    caller: Call['caller'],
    { plugin, context }: RunningPlugin,
  ): Promise<LinkRows | Refusal> {
    const found = await contain.run(plugin.feature, 'endpoint', async () => {
      const rows = await links(id, caller, context)
      return { rows }
    })
    if (!found.ok) return internal
    return found.value.rows ?? refuse('not_found', 'There is no such thing.', 404)
  }

  async function reply(
    name: string,
    query: AnalyticsQuery,
    subject: Subject,
  ): Promise<Reply | Refusal> {
    const data = await report(subject, query)
    if (isRefusal(data)) return data
    return query.format === 'csv' ? analyticsFile(name, data) : { body: { data } }
  }
}

function ofAccount({ account }: Call['caller'], scope: Subject['scope']): Subject {
  return { scope, beginning: account.createdAt, plan: account.plan }
}

function groupsOf(running: readonly RunningPlugin[]) {
  return running.flatMap(member =>
    Object.entries(member.plugin.groups ?? {}).map(
      ([path, group]) => [path, group, member] as const,
    ),
  )
}
