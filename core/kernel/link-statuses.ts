import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Refusal } from '../outcomes.ts'
import type { Later, LinkRows, Status } from '../plugin.ts'
import { statuses } from '../plugin.ts'
import type { Schema } from '../storage/schema.ts'
import { checks } from './check-answers.ts'
import { type Contained, type Containment, unlessFailed } from './contain.ts'
import type { RunningPlugin } from './start-plugins.ts'
import { unavailable } from './writing-hooks.ts'

/** Every state a link can show, the strongest first. */
export const linkStatuses = [
  'blocked',
  'archived',
  'expired',
  'exhausted',
  'scheduled',
  'active',
] as const

export type LinkStatus = (typeof linkStatuses)[number]

/** The state of links, told by the tables of plugins: the same for one link as for a filter. */
export interface LinkStatuses {
  /**
   * By row. A link in several states shows the strongest; one that a plugin fails to tell is left out, for
   * the link is there.
   */
  of(
    links: readonly { rowId: number; accountId: number; archived: boolean }[],
  ): Promise<ReadonlyMap<number, LinkStatus>>
  /**
   * The condition that a link shows this state; refused when a plugin fails to tell. `account` is whose
   * request it is, by row.
   */
  is(status: LinkStatus, account: number): Promise<Condition | Refusal>
}

type Condition = (eb: ExpressionBuilder<Schema, 'links'>) => Expression<SqlBool>

export function createLinkStatuses(
  running: readonly RunningPlugin[],
  contain: Containment,
): LinkStatuses {
  /** Asks each plugin that knows links in a state, and gives what `use` makes of its rows. */
  function ask<T>(
    status: Status,
    account: number | undefined,
    use: (rows: LinkRows) => Later<T>,
  ): readonly Promise<Contained<T>>[] {
    return running.flatMap(({ plugin, context }) => {
      const rows = plugin.statuses?.[status]
      if (!rows) return []
      const told = { part: `statuses.${status}`, ...(account !== undefined && { account }) }
      const work = () => {
        const given = rows(context)
        const wrong = checks.rows(given)
        if (wrong !== undefined) throw new Error(wrong)
        return use(given)
      }
      return [contain.run(plugin.feature, 'status', work, told)]
    })
  }

  return {
    async of(links) {
      const ids = links.map(({ rowId }) => rowId)
      const found = new Map<number, LinkStatus>()
      for (const link of links) found.set(link.rowId, link.archived ? 'archived' : 'active')
      for (const status of [...statuses].reverse()) {
        const read = (rows: LinkRows) => rows.where('link_id', 'in', ids).execute()
        for (const answer of ask(status, links[0]?.accountId, read)) {
          for (const { link_id } of unlessFailed(await answer) ?? []) {
            const current = found.get(link_id) ?? 'active'
            if (stronger(current).includes(status)) found.set(link_id, status)
          }
        }
      }
      return found
    },

    async is(status, account) {
      const known = new Map<LinkStatus, readonly LinkRows[]>()
      for (const one of statuses) {
        // Nobody can wait for a query that is not wrapped up.
        const answers = await Promise.all(ask(one, account, rows => ({ rows })))
        if (!answers.every(answer => answer.ok)) return unavailable()
        known.set(
          one,
          answers.map(({ value }) => value.rows),
        )
      }
      const has = (eb: ExpressionBuilder<Schema, 'links'>, one: LinkStatus) =>
        one === 'archived'
          ? eb('links.archived', '=', 1)
          : eb.or((known.get(one) ?? []).map(rows => eb('links.id', 'in', rows)))
      return eb =>
        eb.and([
          ...(status === 'active' ? [] : [has(eb, status)]),
          ...stronger(status).map(other => eb.not(has(eb, other))),
        ])
    },
  }
}

function stronger(status: LinkStatus): readonly LinkStatus[] {
  return linkStatuses.slice(0, linkStatuses.indexOf(status))
}
