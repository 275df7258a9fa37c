import type { Expression, SqlBool } from 'kysely'
import { ownTurn } from '../../lib/async/own-turn.ts'
import type { Database } from '../../storage/database.ts'
import { phrasesOf } from '../../storage/phrases.ts'
import { wordsOf } from '../link-text.ts'

/** So many links are looked through in a few milliseconds; then redirects have their turn. */
const atOnce = 16_384

export interface LinkSearch {
  readonly accountId: number
  readonly search: string
  /** What is searched for, if that is a short URL. */
  readonly shortUrl?: { readonly domain: string; readonly code: string } | undefined
  /** What else must be true of them. */
  readonly conditions?: readonly Expression<SqlBool>[]
}

/** The rows of an account's links that have every word of a search, or that short URL. */
export async function searchLinks(db: Database, asked: LinkSearch): Promise<readonly number[]> {
  const found = await linksWith(db, asked)
  const linkId = await linkAt(db, asked)
  return linkId === undefined || found.includes(linkId) ? found : [...found, linkId]
}

async function linksWith(
  db: Database,
  { accountId, search, conditions = [] }: LinkSearch,
): Promise<readonly number[]> {
  const words = wordsOf(search)
  if (words.length === 0) return []
  const { patternOf, isLike, listed } = phrasesOf(db)
  const texts = db
    .selectFrom('link_texts')
    .select(eb => listed(eb.ref('link_id')).as('ids'))
    .where('account_id', '=', accountId)
    .where(eb => eb.and(words.map(it => isLike(eb.ref('text'), eb.val(patternOf(it))))))
    // Nothing is looked up of links where their texts say all.
    .$if(conditions.length > 0, query =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('links')
            .select('links.id')
            .whereRef('links.id', '=', 'link_texts.link_id')
            .where(eb => eb.and(conditions)),
        ),
      ),
    )

  const first = await endOf(db, accountId, 'asc')
  const last = await endOf(db, accountId, 'desc')
  const parts: string[] = []
  for (let from = first; from <= last; from += atOnce) {
    if (from > first) await ownTurn()
    const { ids } = await texts
      .where('link_id', '>=', from)
      .where('link_id', '<', from + atOnce)
      .executeTakeFirstOrThrow()
    if (ids !== null) parts.push(ids)
  }
  return JSON.parse(`[${parts.join(',')}]`) as number[]
}

/** The first or the last link of an account. To ask for both at once makes SQLite look at all between them. */
async function endOf(db: Database, accountId: number, direction: 'asc' | 'desc'): Promise<number> {
  const row = await db
    .selectFrom('link_texts')
    .select('link_id')
    .where('account_id', '=', accountId)
    .orderBy('link_id', direction)
    .limit(1)
    .executeTakeFirst()
  return row?.link_id ?? 0
}

async function linkAt(
  db: Database,
  { accountId, shortUrl, conditions = [] }: LinkSearch,
): Promise<number | undefined> {
  if (!shortUrl) return undefined
  const row = await db
    .selectFrom('short_codes')
    .innerJoin('links', 'links.id', 'short_codes.link_id')
    .select('links.id')
    .where('short_codes.domain', '=', shortUrl.domain)
    .where('short_codes.code', '=', shortUrl.code)
    .where('links.account_id', '=', accountId)
    .where(eb => eb.and(conditions))
    .executeTakeFirst()
  return row?.id
}
