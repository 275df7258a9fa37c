import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { type LinkRows, type Part, readSlice, type Slice } from '../plugin.ts'
import type { Database } from '../storage/database.ts'
import type { Schema } from '../storage/schema.ts'
import { type Link, readLink } from './link.ts'

/** What links can be sorted by; a minus before it turns the order round. */
export const sortKeys = ['created_at', 'visits', 'title', 'short_code', 'last_visit_at'] as const

export type SortKey = (typeof sortKeys)[number]

export interface LinkQuery extends Slice {
  readonly accountId: number
  /** Part of code, address or title, in any case. */
  readonly search?: string | undefined
  /** '' is the host of the base URL. */
  readonly domain?: string | undefined
  /** The condition that a link shows some state. */
  readonly shows?: ((eb: LinkBuilder) => Expression<SqlBool>) | undefined
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
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .where('links.account_id', '=', query.accountId)
    .where(eb => eb.and(filters(eb, query)))
    .where(eb => query.shows?.(eb as unknown as LinkBuilder) ?? eb.lit(true))

  const { total } = await matching
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { key, descending } = query.sort
  const by = [sortColumn(expressionBuilder(matching), key), 'links.id']
  const { rows, next } = await readSlice(matching.selectAll('links'), { by, descending }, query)
  return { rows: rows.map(readLink), next, total: Number(total) }
}

type LinkBuilder = ExpressionBuilder<Schema, 'links'>
type Builder = ExpressionBuilder<Schema, 'links' | 'link_totals'>

function filters(eb: Builder, query: LinkQuery) {
  const { search, domain, within, createdFrom, createdTo } = query
  return [
    ...(search ? [eb.or(searched.map(column => contains(eb, column, search)))] : []),
    ...(domain === undefined ? [] : [eb('links.domain', '=', domain)]),
    ...within.map(rows => eb('links.id', 'in', rows)),
    ...(createdFrom ? [eb('links.created_at', '>=', createdFrom.getTime())] : []),
    ...(createdTo ? [eb('links.created_at', '<', createdTo.getTime())] : []),
  ]
}

const searched = ['links.short_code', 'links.original_url', 'links.title'] as const

function contains(eb: Builder, column: (typeof searched)[number], text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  // Both in lower case as the database has it: SQLite leaves letters beyond ASCII as they are.
  return sql<boolean>`lower(${eb.ref(column)}) like lower(${pattern}) escape '\\'`
}

/** What was never visited or has no title sorts as the least. */
function sortColumn(eb: Builder, key: SortKey) {
  if (key === 'visits') return eb.fn.coalesce('link_totals.visits', eb.lit(0))
  if (key === 'last_visit_at') return eb.fn.coalesce('link_totals.last_visit_at', eb.lit(0))
  if (key === 'title') return eb.fn.coalesce('links.title', sql.lit(''))
  return key === 'short_code' ? eb.ref('links.short_code') : eb.ref('links.created_at')
}
