import type { LinkAnswers } from '../kernel/link-answers.ts'
import type { LinkStatuses } from '../kernel/link-statuses.ts'
import type { Link } from '../links/link.ts'
import type { ShortUrls } from '../links/short-urls.ts'
import { ownTurn } from '../own-turn.ts'
import type { Database } from '../storage/database.ts'
import { linkTotals } from '../visits/read/link-totals.ts'
import { showLink } from './show-link.ts'

export interface ShowDeps {
  readonly db: Database
  readonly answers: LinkAnswers
  readonly statuses: LinkStatuses
  readonly shortUrls: ShortUrls
}

/** So many links are looked up together; between two of these steps redirects have their turn. */
const atOnce = 16

/** Links as the API shows them, in the same order. */
export type ShowLinks = (links: readonly Link[]) => Promise<ReturnType<typeof showLink>[]>

export function createShowLinks({ db, answers, statuses, shortUrls }: ShowDeps): ShowLinks {
  const showSome: ShowLinks = async links => {
    const rowIds = links.map(({ rowId }) => rowId)
    const [totals, stated, additions] = await Promise.all([
      linkTotals(db, rowIds, answers.totals),
      statuses.of(links),
      answers.of(links),
    ])
    return links.map((link, index) =>
      showLink(
        link,
        {
          totals: totals.get(link.rowId),
          status: stated.get(link.rowId) ?? 'active',
          added: additions[index] ?? {},
        },
        shortUrls,
      ),
    )
  }

  return async links => {
    const shown: ReturnType<typeof showLink>[] = []
    for (let at = 0; at < links.length; at += atOnce) {
      if (at > 0) await ownTurn()
      shown.push(...(await showSome(links.slice(at, at + atOnce))))
    }
    return shown
  }
}
