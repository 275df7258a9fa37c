import { z } from 'zod'
import { checks } from '../../../kernel/contain/check-answers.ts'
import type { Containment } from '../../../kernel/contain/contain.ts'
import type { RunningPlugin } from '../../../kernel/run/start-plugins.ts'
import { findLink } from '../../../links/read/find-link.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Group, Later, LinkRows } from '../../../plugin.ts'
import { type Call, type Reply, type Route, route } from '../../api/route.ts'
import { internal } from '../../send/problem.ts'
import { analyticsFile } from './analytics-file.ts'
import { createAnalyticsReport, type ReportDeps, type Subject } from './analytics-report.ts'
import { type AnalyticsQuery, analyticsAnswer, analyticsQuery } from './analytics-schemas.ts'

export interface AnalyticsDeps extends Omit<ReportDeps, 'plugins'> {
  readonly running: readonly RunningPlugin[]
  readonly contain: Containment
}

/** What became of links, told from counts alone: of an account, of a link, of what plugins group. */
export function analyticsRoutes({ running, contain, ...deps }: AnalyticsDeps): readonly Route[] {
  const plugins = running.map(({ plugin }) => plugin)
  const { report, dimensions } = createAnalyticsReport({ ...deps, plugins })
  const query = analyticsQuery(dimensions.map(({ name }) => name))
  const answer = analyticsAnswer(dimensions)
  const shared = { group: 'Analytics', scope: 'analytics:read' } as const

  return [
    ...both('/analytics', 'analytics.show', 'Analytics of all links of the account', {
      name: () => 'links',
      subject: ({ caller }) => ofAccount(caller, { accountId: caller.accountId }),
    }),
    ...both('/links/:id/analytics', 'links.analytics', 'Analytics of one link', {
      name: ({ params: { id = '' } }) => id,
      async subject({ caller, params: { id = '' } }) {
        const link = await findLink(deps.db, caller.accountId, id)
        if (!link) return refuse('not_found', 'This link does not exist.', 404)
        return { ...ofAccount(caller, { linkId: link.rowId }), beginning: link.createdAt }
      },
    }),
    ...groupsOf(running).flatMap(([path, group, member]) =>
      both(`${path}/:id/analytics`, `${path.slice(1)}.analytics`, group.summary, {
        name: ({ params: { id = '' } }) => id,
        async subject({ caller, params: { id = '' } }) {
          const linkRows = await linksOf(path, group, id, caller, member)
          return isRefusal(linkRows) ? linkRows : ofAccount(caller, { linkRows })
        },
      }),
    ),
  ]

  /**
   * The same numbers as JSON and as a file: two operations, since clients made from the description know
   * one type an answer. The first gives the file too, to who asked it for `format=csv` before there was
   * a second.
   */
  function both(path: string, name: string, summary: string, about: About): readonly Route[] {
    return [
      route(`GET ${path}`, {
        ...shared,
        name,
        summary,
        query: query.extend({ format: z.enum(['json', 'csv']).default('json') }),
        describedQuery: query,
        answer,
        handle: call => reply(call, about, call.query.format),
      }),
      route(`GET ${path}.csv`, {
        ...shared,
        name: `${name}.csv`,
        summary: `${summary}, as a CSV file`,
        query,
        media: ['text/csv'],
        handle: call => reply(call, about, 'csv'),
      }),
    ]
  }

  /** Something of other people's is not found, like what was never there. */
  async function linksOf(
    path: string,
    { links }: Group,
    id: string,
    caller: Call['caller'],
    { plugin, context }: RunningPlugin,
  ): Promise<LinkRows | Refusal> {
    const ask = async () => ({ rows: await links(id, caller, context) })
    const found = await contain.run(plugin.feature, 'endpoint', ask, {
      part: `groups ${path}`,
      account: caller.accountId,
      check: answer => checks.query((answer as { readonly rows: unknown }).rows),
    })
    if (!found.ok) return internal
    return found.value.rows ?? refuse('not_found', 'This does not exist.', 404)
  }

  async function reply(
    call: Pick<Call<unknown, AnalyticsQuery>, 'caller' | 'params' | 'query'>,
    about: About,
    format: 'json' | 'csv',
  ): Promise<Reply | Refusal> {
    const subject = await about.subject(call)
    if (isRefusal(subject)) return subject
    const data = await report(subject, call.query)
    if (isRefusal(data)) return data
    return format === 'csv' ? analyticsFile(about.name(call), data) : { body: { data } }
  }
}

/** What numbers are about: its part in the name of a file, and what to count. */
interface About {
  name(call: Pick<Call, 'params'>): string
  subject(call: Pick<Call, 'caller' | 'params'>): Later<Subject | Refusal>
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
