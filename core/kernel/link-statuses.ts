import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { LinkRows, Status } from '../plugin.ts'
import { statuses } from '../plugin.ts'
import type { Schema } from '../storage/schema.ts'
import type { RunningPlugin } from './start-plugins.ts'

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
  /** By row. A link in several states shows the strongest. */
  of(
    links: readonly { rowId: number; archived: boolean }[],
  ): Promise<ReadonlyMap<number, LinkStatus>>
  /** The condition that a link shows this state. */
  is(status: LinkStatus): (eb: ExpressionBuilder<Schema, 'links'>) => Expression<SqlBool>
}

export function createLinkStatuses(running: readonly RunningPlugin[]): LinkStatuses {
  const rowsOf = (status: Status): readonly LinkRows[] =>
    running.flatMap(({ plugin, context }) => plugin.statuses?.[status]?.(context) ?? [])

  const has = (eb: ExpressionBuilder<Schema, 'links'>, status: LinkStatus): Expression<SqlBool> =>
    status === 'archived'
      ? eb('links.archived', '=', 1)
      : eb.or(rowsOf(status as Status).map(rows => eb('links.id', 'in', rows)))

  const stronger = (status: LinkStatus) => linkStatuses.slice(0, linkStatuses.indexOf(status))

  return {
    async of(links) {
      const ids = links.map(({ rowId }) => rowId)
      const found = new Map<number, LinkStatus>()
      for (const link of links) found.set(link.rowId, link.archived ? 'archived' : 'active')
      for (const status of [...statuses].reverse()) {
        for (const rows of rowsOf(status)) {
          for (const { link_id } of await rows.where('link_id', 'in', ids).execute()) {
            const current = found.get(link_id) ?? 'active'
            if (stronger(current).includes(status)) found.set(link_id, status)
          }
        }
      }
      return found
    },

    is: status => eb =>
      eb.and([
        ...(status === 'active' ? [] : [has(eb, status)]),
        ...stronger(status).map(other => eb.not(has(eb, other))),
      ]),
  }
}
