import type { LinkAnswers } from '../../../kernel/hooks/link-answers.ts'
import type { LinkStatuses } from '../../../kernel/hooks/link-statuses.ts'
import { batchConcurrent } from '../../../lib/async/batch-concurrent.ts'
import { yieldToRedirects } from '../../../lib/async/yield-to-redirects.ts'
import type { Link } from '../../../links/link.ts'
import type { ShortUrls } from '../../../links/read/short-urls.ts'
import type { MadeLink } from '../../../links/write/save-links.ts'
import type { Database, Tx } from '../../../storage/database.ts'
import { type LinkTotals, linkTotals } from '../../../visits/read/link-totals.ts'

export interface ShowDeps {
  readonly db: Database
  readonly answers: LinkAnswers
  readonly statuses: LinkStatuses
  readonly shortUrls: ShortUrls
}

/** How many links are looked up together; then redirects have their turn. */
const atOnce = 16

type Shown = ReturnType<typeof shown>

/** Links as the API shows them. */
export interface ShowLinks {
  /** Links of one account, in their order; `late` is of all links of the same answer (see `LinkAnswers.of`). */
  all(links: readonly Link[], late?: Set<string>): Promise<readonly Shown[]>
  /** One link, looked up together with others of its account that are asked for at the same moment. */
  one(link: Link): Promise<Shown>
  /** Looks up now what will be asked for later, for new links that nobody has been told of. */
  ahead(made: readonly MadeLink[]): void
  /** Looks up what will be asked for of links that are in this transaction alone. */
  within(tx: Tx, links: readonly Link[]): Promise<void>
}

export function createShowLinks({ db, answers, statuses, shortUrls }: ShowDeps): ShowLinks {
  const showSome = async (links: readonly Link[], tx?: Tx, late?: Set<string>) => {
    const rowIds = links.map(({ rowId }) => rowId)
    const [totals, stated, additions] = await Promise.all([
      linkTotals(tx ?? db, rowIds, answers.totals),
      statuses.of(links, tx),
      answers.of(links, tx, late),
    ])
    return links.map((link, index) =>
      shown(link, shortUrls, {
        totals: totals.get(link.rowId),
        status: stated.get(link.rowId) ?? 'active',
        added: additions[index] ?? {},
      }),
    )
  }

  /** New links whose requests gave nothing to plugins: no visits yet, and nothing in the tables of plugins. */
  const showNew: ShowLinks['all'] = async links => {
    const additions = await answers.ofNew(links)
    return links.map((link, index) =>
      shown(link, shortUrls, {
        totals: noTotals,
        status: link.archived ? 'archived' : 'active',
        added: additions[index] ?? {},
      }),
    )
  }
  const noTotals: LinkTotals = {
    visits: 0,
    undated: 0,
    others: Object.fromEntries(Object.keys(answers.totals).map(name => [name, 0])),
    lastVisitAt: null,
  }

  const lookedUp = new WeakMap<Link, Promise<Shown>>()
  const one = batchConcurrent({
    atMost: atOnce,
    keyOf: ({ accountId }: Link) => accountId,
    work: links => showSome(links),
  })

  function lookUp(made: readonly MadeLink[], show: ShowLinks['all']): void {
    if (made.length === 0) return
    const all = yieldToRedirects().then(() => show(made.map(({ link }) => link)))
    for (const [index, { link }] of made.entries()) {
      const own = all.then(it => it[index] as Shown)
      // Perhaps nobody will ask for it.
      own.catch(() => undefined)
      lookedUp.set(link, own)
    }
  }

  return {
    async all(links, late = new Set()) {
      const done: Shown[] = []
      for (let at = 0; at < links.length; at += atOnce) {
        if (at > 0) await yieldToRedirects()
        const some = links.slice(at, at + atOnce)
        const ahead = some.map(link => lookedUp.get(link)).filter(it => it !== undefined)
        const isKnown = ahead.length === some.length
        done.push(...(isKnown ? await Promise.all(ahead) : await showSome(some, undefined, late)))
      }
      return done
    },

    one: link => lookedUp.get(link) ?? one(link),

    ahead(made) {
      const isPlain = ({ given }: MadeLink) => Object.keys(given).length === 0
      lookUp(made.filter(isPlain), showNew)
      lookUp(
        made.filter(it => !isPlain(it)),
        links => showSome(links),
      )
    },

    async within(tx, links) {
      const all = await showSome(links, tx)
      for (const [index, link] of links.entries()) {
        lookedUp.set(link, Promise.resolve(all[index] as Shown))
      }
    },
  }
}

/** What plugins add to a link. */
type Added = Awaited<ReturnType<LinkAnswers['of']>>[number]

/** A link as the API shows it. */
function shown(
  link: Link,
  urls: ShortUrls,
  { totals, status, added }: { totals: LinkTotals | undefined; status: string; added: Added },
) {
  return {
    id: link.id,
    shortCode: link.shortCode,
    shortUrl: urls.of(link),
    originalUrl: link.originalUrl,
    domain: urls.hostOf(link),
    title: link.title,
    notes: link.notes,
    archived: link.archived,
    status,
    visits: {
      total: totals?.visits ?? 0,
      ...(totals?.undated && { undated: totals.undated }),
      ...totals?.others,
    },
    lastVisitAt: totals?.lastVisitAt ?? null,
    createdAt: link.createdAt,
    updatedAt: link.updatedAt,
    ...added,
  }
}
