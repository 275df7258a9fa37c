import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { foldText } from '../../lib/has-text.ts'
import { type LinkRows, type Part, readSlice, type Slice } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Schema } from '../../storage/schema.ts'
import { type Link, readLink } from '../link.ts'

/** What links can be sorted by; a minus before it turns the order round. */
export const sortKeys = ['created_at', 'visits', 'title', 'short_code', 'last_visit_at'] as const

export type SortKey = (typeof sortKeys)[number]

export interface LinkQuery extends Slice {
  readonly accountId: number
  /** Part of a code that leads to it, of its address or title, in any case. */
  readonly search?: string | undefined
  /** What is searched for, if that is a short URL. */
  readonly shortUrl?: { readonly domain: string; readonly code: string } | undefined
  /** '' is the host of the base URL. */
  readonly domain?: string | undefined
  /** The condition that a link shows some state. */
  readonly shows?: ((eb: LinkBuilder) => Expression<SqlBool>) | undefined
  readonly archived?: boolean | undefined
  /** Rows of links that plugins filter by: a link must be in all of them. */
  readonly within: readonly LinkRows[]
  readonly createdFrom?: Date | undefined
  readonly createdTo?: Date | undefined
  readonly sort: { readonly key: SortKey; readonly descending: boolean }
}

/** A part of an account's links, and how many there are in all. */
export async function listLinks(
  db: Database,
  query: LinkQuery,
): Promise<Part<Link> & { readonly total: number }> {
  const matching = db
    .selectFrom('links')
    .where('links.account_id', '=', query.accountId)
    .where(eb => eb.and(filters(eb, query)))
    .where(eb => query.shows?.(eb) ?? eb.lit(true))

  const { total } = await matching
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  // Who searches looks at every link of the account: not twice when there is nothing.
  if (Number(total) === 0) return { rows: [], next: null, total: 0 }
  const { key, descending } = query.sort
  const withTotals = matching.leftJoin('link_totals', 'link_totals.link_id', 'links.id')
  const by = [sortColumn(expressionBuilder(withTotals), key), 'links.id']
  const { rows, next } = await readSlice(withTotals.selectAll('links'), { by, descending }, query)
  return { rows: rows.map(readLink), next, total: Number(total) }
}

type LinkBuilder = ExpressionBuilder<Schema, 'links'>
type WithTotals = ExpressionBuilder<Schema, 'links' | 'link_totals'>

function filters(eb: LinkBuilder, query: LinkQuery) {
  const { search, domain, archived, within, createdFrom, createdTo } = query
  return [
    ...(search === undefined ? [] : [isFound(eb, query)]),
    ...(domain === undefined ? [] : [eb('links.domain', '=', domain)]),
    ...(archived === undefined ? [] : [eb('links.archived', '=', archived ? 1 : 0)]),
    ...within.map(rows => eb('links.id', 'in', rows)),
    ...(createdFrom ? [eb('links.created_at', '>=', createdFrom.getTime())] : []),
    ...(createdTo ? [eb('links.created_at', '<', createdTo.getTime())] : []),
  ]
}

/** What is searched for is in the title, the address or a code that leads to the link, or it is a short URL. */
function isFound(eb: LinkBuilder, { accountId, search = '', shortUrl }: LinkQuery) {
  const text = [eb.ref('links.original_url'), eb.ref('links.title'), foldText(search)]
  const codes = eb
    .selectFrom('short_codes')
    .select('link_id')
    .where('short_codes.account_id', '=', accountId)
    .where('link_id', 'is not', null)
  const byCode = shortUrl
    ? codes.where('domain', '=', shortUrl.domain).where('code', '=', shortUrl.code)
    : codes.where(sql<SqlBool>`code like ${`%${search.replaceAll('_', '\\_')}%`} escape '\\'`)
  return eb.or([
    sql<SqlBool>`link_has_text(${sql.join(text)})`,
    ...(shortUrl || isPartOfCode.test(search) ? [eb('links.id', 'in', byCode)] : []),
  ])
}

const isPartOfCode = /^[\w-]{1,64}$/

/** What was never visited or has no title sorts as the least. */
function sortColumn(eb: WithTotals, key: SortKey) {
  if (key === 'visits') return eb.fn.coalesce('link_totals.visits', eb.lit(0))
  if (key === 'last_visit_at') return eb.fn.coalesce('link_totals.last_visit_at', eb.lit(0))
  if (key === 'title') return eb.fn.coalesce('links.title', sql.lit(''))
  return key === 'short_code' ? eb.ref('links.short_code') : eb.ref('links.created_at')
}
