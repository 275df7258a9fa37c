import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import type { LinkRows } from '../../plugin.ts'
import type { Tx } from '../../storage/database.ts'
import type { Schema } from '../../storage/schema.ts'
import { checks } from '../contain/checks-of-hooks.ts'
import { type Containment, unlessFailed } from '../contain/contain.ts'
import { tryRows } from '../contain/try-rows.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import { unavailable } from './writing-hooks.ts'

/** The statuses of links, from queries on the tables of plugins. A link and the filter always agree. */
export interface LinkStatuses {
  /** Every status that a link can show, the strongest first. */
  readonly names: readonly string[]
  /**
   * The status of each link, by row id. If several apply, the strongest wins. If a plugin fails, its statuses are left
   * out, because the links still exist. As a transaction has them, if there is one.
   */
  of(
    links: readonly { rowId: number; accountId: number; archived: boolean }[],
    tx?: Tx,
  ): Promise<ReadonlyMap<number, string>>
  /**
   * The condition that a link shows this status; a refusal if a plugin fails. `account` is the row id of the caller's
   * account.
   */
  is(status: string, account: number): Promise<Condition | Refusal>
}

type Condition = (eb: ExpressionBuilder<Schema, 'links'>) => Expression<SqlBool>

export function createLinkStatuses(
  running: readonly RunningPlugin[],
  contain: Containment,
): LinkStatuses {
  const telling = running
    .flatMap(({ plugin: { feature, statuses = {} }, context, within }) =>
      Object.entries(statuses).map(([name, status]) => ({
        ...{ name, status, feature, context, within },
      })),
    )
    .sort((one, other) => other.status.rank - one.status.rank)
    .map(({ name, status, feature, context, within }) => {
      /** Throws if the plugin does not return a query. */
      const rowsAt = (at: Expression<number>): LinkRows => {
        const given = status.links(context, at)
        const wrong = checks.rows(given)
        if (wrong !== undefined) throw new Error(wrong)
        return given
      }
      const select = compileOnce((_: typeof context.db, { at, ids }: Places<AtOf>) =>
        rowsAt(at).where('link_id', 'in', ids),
      )
      let isTried = false
      async function soundRowsAt(at: Expression<number>): Promise<LinkRows> {
        const given = rowsAt(at)
        if (!isTried) await tryRows(given, context)
        isTried = true
        return given
      }
      const { rank } = status
      const shown = { name, rank, feature, part: `statuses.${name}` }
      return { ...shown, context, within, soundRowsAt, select }
    })
  const above = telling.filter(({ rank }) => rank > rankOfArchived).length
  const names: string[] = [...telling.map(({ name }) => name), 'active']
  names.splice(above, 0, 'archived')
  const stronger = (status: string) => names.slice(0, names.indexOf(status))

  return {
    names,

    async of(links, tx) {
      const ids = links.map(({ rowId }) => rowId)
      const found = new Map<number, string>()
      for (const link of links) found.set(link.rowId, link.archived ? 'archived' : 'active')
      const [first] = links
      // The weakest first, so that stronger ones replace them.
      for (const { name, feature, context, within, select, part } of telling.toReversed()) {
        const { db } = tx ? within(tx) : context
        const read = () => select(db, { at: context.now().getTime(), ids })
        const isWriting = tx !== undefined
        const details = { part, isWriting, ...(first && { account: first.accountId }) }
        const answer = await contain.run(feature, 'status', read, details)
        for (const { link_id } of unlessFailed(answer)?.rows ?? []) {
          const current = found.get(link_id) ?? 'active'
          if (stronger(current).includes(name)) found.set(link_id, name)
        }
      }
      return found
    },

    async is(status, account) {
      const known: { readonly state: string; readonly rows: LinkRows }[] = []
      for (const { name: state, feature, context, soundRowsAt, part } of telling) {
        const ask = () => soundRowsAt(sql.val(context.now().getTime()))
        const answer = await contain.run(feature, 'status', ask, { part, account })
        if (!answer.ok) return unavailable(`The plugin ${feature} failed.`)
        known.push({ state, rows: answer.value })
      }
      const has = (eb: ExpressionBuilder<Schema, 'links'>, one: string) =>
        one === 'archived'
          ? eb('links.archived', '=', 1)
          : eb.or(
              known
                .filter(({ state }) => state === one)
                .map(({ rows }) => eb('links.id', 'in', rows)),
            )
      return eb =>
        eb.and([
          ...(status === 'active' ? [] : [has(eb, status)]),
          ...stronger(status).map(other => eb.not(has(eb, other))),
        ])
    },
  }
}

/** Between statuses that hold whoever owns the link and those that its owner chose. */
const rankOfArchived = 800

interface AtOf {
  readonly at: number
  readonly ids: readonly number[]
}
