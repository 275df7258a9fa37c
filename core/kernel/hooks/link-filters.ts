import type { z } from 'zod'
import type { Refusal } from '../../plugin/outcomes.ts'
import type { LinkRows } from '../../plugin.ts'
import { checks } from '../contain/check-answers.ts'
import type { Containment } from '../contain/contain.ts'
import type { RunningPlugin } from '../run/start-plugins.ts'
import { unavailable } from './writing-hooks.ts'

/** The filters that plugins add to the list of links. */
export interface LinkFilters {
  /** Query parameters, each optional. */
  shape(): Readonly<Record<string, z.ZodType>>
  /**
   * One query of rows for each plugin whose filter is used; a link must be in all of them. A refusal if a plugin fails,
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
    shape: () => Object.assign({}, ...filtering.map(({ plugin }) => plugin.filter?.query)),

    async rows(query, account) {
      const all: LinkRows[] = []
      for (const { plugin, context } of filtering) {
        const where = () => plugin.filter?.where(query, context)
        const answer = await contain.run(plugin.feature, 'filter', where, {
          account,
          check: checks.query,
        })
        if (!answer.ok) return unavailable()
        if (answer.value) all.push(answer.value)
      }
      return all
    },
  }
}
