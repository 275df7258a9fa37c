import { ownTurn } from '../../lib/async/own-turn.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
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
}

/** The rows of an account's links that have every word of a search, or that short URL. */
export async function searchLinks(
  db: Database,
  { accountId, search, shortUrl }: LinkSearch,
): Promise<readonly number[]> {
  const words = wordsOf(search)
  const found = words.length === 0 ? [] : await linksWith(db, accountId, words)
  const linkId = shortUrl && (await linkAt(db, accountId, shortUrl))
  return linkId === undefined || found.includes(linkId) ? found : [...found, linkId]
}

async function linksWith(
  db: Database,
  accountId: number,
  words: readonly string[],
): Promise<readonly number[]> {
  const first = await endOf(db, accountId, 'asc')
  const last = await endOf(db, accountId, 'desc')
  const patterns = words.map(phrasesOf(db).patternOf)
  const found: number[] = []
  for (let from = first; from <= last; from += atOnce) {
    if (from > first) await ownTurn()
    const { rows } = await selectWith(db, { accountId, from, below: from + atOnce, patterns })
    for (const { link_id } of rows) found.push(link_id)
  }
  return found
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

const selectWith = compileOnce(
  (
    db: Database,
    {
      accountId,
      from,
      below,
      patterns,
    }: Places<{ accountId: number; from: number; below: number; patterns: readonly string[] }>,
  ) =>
    db
      .selectFrom('link_texts')
      .select('link_id')
      .where('account_id', '=', accountId)
      .where('link_id', '>=', from)
      .where('link_id', '<', below)
      .where(eb => eb.and(patterns.map(it => phrasesOf(db).isLike(eb.ref('text'), it)))),
)

async function linkAt(
  db: Database,
  accountId: number,
  { domain, code }: { readonly domain: string; readonly code: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('short_codes')
    .select('link_id')
    .where('domain', '=', domain)
    .where('code', '=', code)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.link_id ?? undefined
}
