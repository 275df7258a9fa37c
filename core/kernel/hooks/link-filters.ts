import type { z } from 'zod'
import type { Refusal } from '../../plugin/outcomes.ts'
import type { LinkRows } from '../../plugin.ts'
import type { Containment } from '../contain/contain.ts'
import { tryRows } from '../contain/try-rows.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import { unavailable } from './writing-hooks.ts'

/** The filters that plugins add to the list of links. */
export interface LinkFilters {
  /** Query parameters, each optional, whatever its plugin says. */
  shape(): Readonly<Record<string, z.ZodType>>
  /**
   * The queries of rows of each plugin whose filter is used; a link must be in all of them. A refusal if a plugin fails,
   * because without its filter the list would have other links too. `account` is the row id of the caller's account.
   */
  rows(
    query: Readonly<Record<string, unknown>>,
    account: number,
  ): Promise<readonly LinkRows[] | Refusal>
}

export function createLinkFilters(
  running: readonly RunningPlugin[],
  contain: Containment,
): LinkFilters {
  const filtering = running.filter(({ plugin }) => plugin.filter)
  return {
    shape: () =>
      Object.fromEntries(
        filtering.flatMap(({ plugin }) =>
          Object.entries(plugin.filter?.query ?? {}).map(([name, it]) => [name, it.optional()]),
        ),
      ),

    async rows(query, account) {
      const all: LinkRows[] = []
      const isSent = (name: string) => query[name] !== undefined
      for (const { plugin, context } of filtering) {
        const { feature, filter } = plugin
        if (!filter || !Object.keys(filter.query).some(isSent)) continue
        const where = async () => {
          const found = await filter.where({ ...query }, context, account)
          const each = (Array.isArray(found) ? found : [found]) as readonly (LinkRows | undefined)[]
          for (const rows of each) await tryRows(rows, context)
          return each.filter(it => it !== undefined)
        }
        const answer = await contain.run(feature, 'filter', where, { account })
        if (!answer.ok) return unavailable(`The plugin ${feature} failed.`)
        all.push(...answer.value)
      }
      return all
    },
  }
}
