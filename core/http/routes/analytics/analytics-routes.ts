import { z } from 'zod'
import type { Containment } from '../../../kernel/contain/contain.ts'
import type { RunningPlugin } from '../../../kernel/run/start-plugins.ts'
import { isRefusal, type Refusal } from '../../../plugin/outcomes.ts'
import type { Log } from '../../../plugin.ts'
import type { Entitlements } from '../../../settings/entitlements.ts'
import { linksOnDomain } from '../../../visits/read/scope.ts'
import { type Call, type Reply, type Route, route } from '../../api/route/route.ts'
import { analyticsFile, topLinksFile } from './analytics-file.ts'
import { createAnalyticsReport, type Subject } from './analytics-report.ts'
import {
  analyticsAnswer,
  analyticsQuery,
  liveAnswer,
  liveQuery,
  type SpanQuery,
  topLinksAnswer,
  topLinksQuery,
} from './analytics-schemas.ts'
import { type AnalyticsSubject, analyticsSubjects } from './analytics-subjects.ts'
import { type Asked, type ComputingDeps, createComputing } from './computing.ts'
import { knownDimensions } from './known-dimensions.ts'
import { createLiveReport, type LiveDeps } from './live-report.ts'
import { createTopLinksReport, type TopLinksDeps } from './top-links-report.ts'

export interface AnalyticsDeps extends Omit<TopLinksDeps & LiveDeps, 'known'>, ComputingDeps {
  readonly running: readonly RunningPlugin[]
  readonly contain: Containment
  readonly entitlements: Pick<Entitlements, 'check'>
  readonly log: Log
}

/** Analytics of an account, a link, or what plugins group, answered from counts alone. */
export function analyticsRoutes({
  running,
  contain,
  entitlements,
  log,
  ...deps
}: AnalyticsDeps): readonly Route[] {
  const known = knownDimensions(
    running.map(({ plugin }) => plugin),
    entitlements,
    log,
  )
  const numbers = {
    query: z.lazy(() => analyticsQuery(known.all.map(({ name }) => name))),
    answer: z.lazy(() => analyticsAnswer(known.all)),
    report: createAnalyticsReport({ ...deps, known }),
    file: analyticsFile,
  }
  const compute = createComputing(deps)
  // Visits of the last minutes are known before they are counted.
  const computeLive = createComputing({ ...deps, catchUp: async () => undefined })
  const live = createLiveReport({ ...deps, known })
  const links = {
    query: z.lazy(() => topLinksQuery(known.all)),
    answer: topLinksAnswer,
    report: createTopLinksReport({ ...deps, known }),
    file: topLinksFile,
  }

  return analyticsSubjects({ db: deps.db, running, contain }).flatMap(asked => [
    ...both(asked, numbers),
    ...both(topLinksOf(asked), links),
    liveOf(asked),
  ])

  /** The same numbers as JSON and as a file: two operations, since generated clients know one type per answer. */
  function both<Query extends SpanQuery, Data>(
    { path, name, summary, tool, ...about }: AnalyticsSubject,
    { query, answer, ...numbers }: Numbers<Query, Data>,
  ): readonly Route[] {
    const reply = (call: Call<unknown, Query>, isFile: boolean) =>
      compute(askedBy(call, `${name} ${isFile}`), async (): Promise<Reply | Refusal> => {
        const subject = await about.subject(call)
        if (isRefusal(subject)) return subject
        const data = await numbers.report(narrowed(subject, call.query.domain), call.query)
        if (isRefusal(data)) return data
        return isFile ? numbers.file(about.named(call), data) : { body: { data } }
      })
    const shared = { group: 'Analytics', scope: 'analytics:read' } as const
    return [
      route(`GET ${path}`, {
        ...shared,
        ...{ name, summary, answer, query },
        ...(tool !== undefined && { tool }),
        handle: call => reply(call, false),
      }),
      route(`GET ${path}.csv`, {
        ...shared,
        name: `${name}.csv`,
        summary: `${summary}, as a CSV file`,
        query,
        media: ['text/csv'],
        handle: call => reply(call, true),
      }),
    ]
  }

  /** The last minutes of the same links. */
  function liveOf({ path, name, summary, subject: find }: AnalyticsSubject): Route {
    return route(`GET ${path}/live`, {
      group: 'Analytics',
      scope: 'analytics:read',
      name: `${name}.live`,
      summary: `${summary}, of the last minutes`,
      query: liveQuery,
      answer: liveAnswer,
      handle: call =>
        computeLive(askedBy(call, name), async () => {
          const subject = await find(call)
          if (isRefusal(subject)) return subject
          const links = narrowed(subject, call.query.domain)
          return { body: { data: await live(call.caller.accountId, links) } }
        }),
    })
  }

  /** The same subject, limited to links on this host. */
  function narrowed({ scope, ...subject }: Subject, host: string | undefined): Subject {
    if (host === undefined) return { ...subject, scope }
    const domain = deps.shortUrls.domainOf(host)
    return { ...subject, scope: { linkRows: linksOnDomain(deps.db, scope, domain) } }
  }
}

function askedBy({ caller, params, query }: Call<unknown, object>, what: string): Asked {
  const { accountId } = caller
  return { by: `account ${accountId}`, what: JSON.stringify([what, accountId, params, query]) }
}

/** A kind of numbers. */
interface Numbers<Query extends SpanQuery, Data> {
  readonly query: z.ZodType<Query>
  readonly answer: z.ZodType
  report(subject: Subject, query: Query): Promise<Data | Refusal>
  file(name: string, data: Data): Reply
}

function topLinksOf({
  path,
  name,
  summary,
  tool: _,
  ...asked
}: AnalyticsSubject): AnalyticsSubject {
  return {
    ...asked,
    ...(asked.toolOfLinks !== undefined && { tool: asked.toolOfLinks }),
    path: `${path}/links`,
    name: `${name}.links`,
    summary: `${summary}, link by link`,
  }
}
