import { lendCaller } from '../../../accounts/access/lent-callers.ts'
import { type Containment, unlessFailed } from '../../../kernel/contain/contain.ts'
import { tryRows } from '../../../kernel/contain/try-rows.ts'
import type { RunningPlugin } from '../../../kernel/run/start-plugins.ts'
import { findLink } from '../../../links/read/find-link.ts'
import { isRefusal, type Refusal, refuse } from '../../../plugin/outcomes.ts'
import type { Group, Later, LinkRows } from '../../../plugin.ts'
import type { Database } from '../../../storage/database.ts'
import type { Call } from '../../api/route/route.ts'
import { internal } from '../../send/problem.ts'
import type { Subject } from './analytics-report.ts'

export interface SubjectDeps {
  readonly db: Database
  readonly running: readonly RunningPlugin[]
  readonly contain: Containment
}

/** What numbers are about, and where they are asked for. */
export interface AnalyticsSubject {
  readonly path: string
  readonly name: string
  readonly summary: string
  /** For language models, if its numbers are a tool of theirs. */
  readonly tool?: string
  /** The same for those link by link. */
  readonly toolOfLinks?: string
  /** Its part in the name of a file. */
  named(call: Pick<Call, 'params'>): string
  subject(call: Pick<Call, 'caller' | 'params'>): Later<Subject | Refusal>
}

/** Everything that has numbers: the account, a link, what plugins group. */
export function analyticsSubjects({
  db,
  running,
  contain,
}: SubjectDeps): readonly AnalyticsSubject[] {
  const ofAll: AnalyticsSubject = {
    path: '/analytics',
    name: 'analytics.show',
    summary: 'Analytics of all links of the account',
    tool: 'Count the visits of all links in a span of time, over time and by dimension, such as country, referer or device type.',
    toolOfLinks: 'List the links with the most visits in a span of time.',
    named: () => 'links',
    subject: ({ caller }) => ofAccount(caller, { accountId: caller.accountId }),
  }
  const ofLink: AnalyticsSubject = {
    path: '/links/:id/analytics',
    name: 'links.analytics',
    summary: 'Analytics of one link',
    tool: 'Count the visits of one link in a span of time, over time and by dimension, such as country, referer or device type.',
    named: idOf,
    async subject({ caller, params: { id = '' } }) {
      const link = await findLink(db, caller.accountId, id)
      if (!link) return refuse('not_found', 'This link does not exist.', 404)
      return { ...ofAccount(caller, { linkId: link.rowId }), beginning: link.createdAt }
    },
  }
  const ofGroups = groupsOf(running).map(
    ([path, group, member]): AnalyticsSubject => ({
      path: `${path}/:id/analytics`,
      name: `${path.slice(1)}.analytics`,
      summary: group.summary,
      named: idOf,
      async subject({ caller, params: { id = '' } }) {
        const linkRows = await linksOf(path, group, id, caller, member)
        return isRefusal(linkRows) ? linkRows : ofAccount(caller, { linkRows })
      },
    }),
  )
  return [ofAll, ofLink, ...ofGroups]

  /** Groups of other people are not found, like groups that never existed. */
  async function linksOf(
    path: string,
    { links }: Group,
    id: string,
    caller: Call['caller'],
    { plugin, context }: RunningPlugin,
  ): Promise<LinkRows | Refusal> {
    const ask = async () => tryRows(await links(id, lendCaller(caller), context), context)
    const found = await contain.run(plugin.feature, 'endpoint', ask, {
      part: `groups ${path}`,
      account: caller.accountId,
    })
    return unlessFailed(found, internal) ?? refuse('not_found', 'This does not exist.', 404)
  }
}

function idOf({ params: { id = '' } }: Pick<Call, 'params'>): string {
  return id
}

function ofAccount({ account, accountId }: Call['caller'], scope: Subject['scope']): Subject {
  return { scope, accountId, beginning: account.createdAt, plan: account.plan }
}

function groupsOf(running: readonly RunningPlugin[]) {
  return running.flatMap(member =>
    Object.entries(member.plugin.groups ?? {}).map(
      ([path, group]) => [path, group, member] as const,
    ),
  )
}
