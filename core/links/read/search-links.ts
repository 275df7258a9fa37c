import {
  type Expression,
  type ExpressionBuilder,
  type ExpressionWrapper,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import type { Database } from '../../storage/database.ts'
import { contains } from '../../storage/database-kind.ts'
import type { Schema } from '../../storage/schema.ts'
import { wordsOf } from '../link-text.ts'
import { type CodeOnHost, isAt } from './find-link.ts'

/** How many links are searched at once at most; then redirects have their turn. */
const atOnce = 16_384

/** Looking for a word in so many bytes takes a few milliseconds, or some ten if they are made for it. Twice as many are let pass. */
const bytesAtOnce = 524_288

export interface LinkSearch {
  readonly accountId: number
  readonly search: string
  /** What the search may name as a short URL. */
  readonly shortUrl?: readonly CodeOnHost[] | undefined
  /** What else must be true of the links. */
  readonly conditions?: readonly Expression<SqlBool>[]
}

/** The rows of an account's links that have every word of a search, or this short URL. SQLite only. */
export async function searchLinks(db: Database, asked: LinkSearch): Promise<readonly number[]> {
  const found = await linksWith(db, asked)
  const linkId = await linkAt(db, asked)
  return linkId === undefined || found.includes(linkId) ? found : [...found, linkId]
}

/**
 * The same for PostgreSQL, as a condition of the query for a page: sending the row numbers there and back takes
 * longer than searching the texts again.
 */
export async function conditionOf(
  db: Database,
  asked: LinkSearch,
): Promise<{
  /** Whether a link is found, apart from the other conditions. */
  readonly isFound: (eb: ExpressionBuilder<Schema, 'links'>) => Expression<SqlBool>
  /** How many links meet all conditions. */
  count(): Promise<number>
}> {
  const linkId = await linkAt(db, asked)
  const texts = textsOf(db, asked, linkId)
  return {
    isFound: eb => {
      const text = texts
        .select('link_id')
        .where('link_texts.link_id', '=', sql.ref<number>('links.id'))
      // Written this way, PostgreSQL searches the texts once and then follows the requested order.
      return sql<SqlBool>`(${eb.exists(text)}) is true`
    },
    async count() {
      const { total } = await whereLinks(texts, asked)
        .select(eb => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },
  }
}

type Texts = SelectQueryBuilder<Schema, 'link_texts', object>
type Condition = ExpressionWrapper<Schema, 'link_texts', SqlBool>

/** The texts of an account that have every word, and that of the link `orLinkId`. */
function textsOf(db: Database, { accountId, search }: LinkSearch, orLinkId?: number): Texts {
  const words = wordsOf(search)
  return db
    .selectFrom('link_texts')
    .where('link_texts.account_id', '=', accountId)
    .where(eb => {
      const likes = words.map(it => contains(db, eb.ref('link_texts.text'), it))
      const has: Condition = words.length > 0 ? eb.and(likes) : eb.and([eb.lit(false)])
      return orLinkId === undefined ? has : eb.or([has, eb('link_texts.link_id', '=', orLinkId)])
    })
}

/** The texts whose links meet the other conditions. */
function whereLinks(texts: Texts, { conditions = [] }: LinkSearch): Texts {
  // Without other conditions the texts are enough, and no links are looked up.
  if (conditions.length === 0) return texts
  return texts.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('links')
        .select('links.id')
        .whereRef('links.id', '=', 'link_texts.link_id')
        .where(eb => eb.and(conditions)),
    ),
  )
}

async function linksWith(db: Database, asked: LinkSearch): Promise<readonly number[]> {
  const { accountId, search } = asked
  const words = wordsOf(search).length
  if (words === 0) return []
  const texts = whereLinks(textsOf(db, asked), asked)
    // One text, because a row for each link takes twice as long.
    .select(sql<string | null>`group_concat(link_id)`.as('ids'))

  const first = await endOf(db, accountId, 'asc')
  const last = await endOf(db, accountId, 'desc')
  const parts: string[] = []
  for (let from = first, span = atOnce; from <= last; ) {
    const { rows } = await sumOfTexts(db, { accountId, from, to: from + span })
    const work = words * Number(rows[0]?.bytes ?? 0)
    const next = Math.min(Math.ceil((span * bytesAtOnce) / work), atOnce)
    if (work <= bytesAtOnce * 2 || span === 1) {
      if (from > first) await yieldToRedirects()
      const { ids } = await texts
        .where('link_id', '>=', from)
        .where('link_id', '<', from + span)
        .executeTakeFirstOrThrow()
      if (ids !== null) parts.push(ids)
      from += span
    }
    span = next
  }
  return JSON.parse(`[${parts.join(',')}]`) as number[]
}

/** How many bytes the texts of some links have: no text is read for it. */
const sumOfTexts = compileOnce(
  (
    db: Database,
    { accountId, from, to }: Places<{ accountId: number; from: number; to: number }>,
  ) =>
    db
      .selectFrom('link_texts')
      .select(sql<number | null>`sum(octet_length(text))`.as('bytes'))
      .where('account_id', '=', accountId)
      .where('link_id', '>=', from)
      .where('link_id', '<', to),
)

/** The first or the last link of an account. Asking for both at once makes SQLite look at all links between them. */
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
  if (!shortUrl || shortUrl.length === 0) return undefined
  const row = await db
    .selectFrom('short_codes')
    .innerJoin('links', 'links.id', 'short_codes.link_id')
    .select('links.id')
    .where(eb => eb.or(shortUrl.map(place => isAt(place)(eb))))
    .where('links.account_id', '=', accountId)
    .where(eb => eb.and(conditions))
    .executeTakeFirst()
  return row?.id
}
