import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { yieldToRedirects } from '../../lib/async/yield-to-redirects.ts'
import { compileOnce, type Places } from '../../lib/compile-once.ts'
import { type LinkRows, type Part, readSlice, type Slice } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import { isInProcess } from '../../storage/database-kind.ts'
import type { Schema } from '../../storage/schema.ts'
import { inCodeForm } from '../codes/wide-code.ts'
import { type Link, readLink } from '../link.ts'
import { conditionOf, type LinkSearch, searchLinks } from './search-links.ts'

/** What links can be sorted by; a leading minus reverses the order. */
export const sortKeys = ['created_at', 'visits', 'title', 'short_code', 'last_visit_at'] as const

export type SortKey = (typeof sortKeys)[number]

export interface LinkQuery extends Slice {
  readonly accountId: number
  /** Words that must all occur in the codes, address, title or notes of a link, in any case and order. */
  readonly search?: string | undefined
  /** The search as a short URL, if it is one. */
  readonly shortUrl?: LinkSearch['shortUrl']
  /** The whole short code, on whatever host. */
  readonly shortCode?: string | undefined
  /** The whole address to which links lead, as it is stored. */
  readonly originalUrl?: string | undefined
  /** '' is the host of the base URL. */
  readonly domain?: string | undefined
  /** The condition that a link has some status. */
  readonly hasStatus?: ((eb: LinkBuilder) => Expression<SqlBool>) | undefined
  readonly archived?: boolean | undefined
  /** Rows of links that plugins filter by; a link must be in all of them. */
  readonly within: readonly LinkRows[]
  readonly createdFrom?: Date | undefined
  readonly createdTo?: Date | undefined
  readonly sort: { readonly key: SortKey; readonly descending: boolean }
}

/** A part of an account's links by their rows, and how many there are in all. */
export async function listLinks(
  db: Database,
  query: LinkQuery,
): Promise<Part<number> & { readonly total: number }> {
  const matching = await matchingOf(db, query)
  if (matching === undefined) return { rows: [], next: null, total: 0 }
  const { key, descending } = query.sort
  const withTotals = matching.links.leftJoin('link_totals', 'link_totals.link_id', 'links.id')
  const by = [sortColumn(expressionBuilder(withTotals), key), 'links.id']
  // Whole rows are read only of the links that are shown: sorting finds everything else in indexes.
  const counting = matching.count()
  const known = query.offset >= late ? await counting : undefined
  const [total, { rows, next }] = await Promise.all([
    counting,
    readSlice(withTotals.select('links.id'), { by, descending }, query, known),
  ])
  return { rows: rows.map(({ id }) => id), next, total }
}

/** From this offset on, a page waits for the total, because reading it from the end may be faster. */
const late = 1_000

type Links = SelectQueryBuilder<Schema, 'links', object>

/** The links that a query asks for; undefined if there are none. */
async function matchingOf(
  db: Database,
  query: LinkQuery,
): Promise<{ readonly links: Links; count(): Promise<number> } | undefined> {
  const { accountId, search, shortUrl, within } = query
  const mineWhere = (conditions: readonly Expression<SqlBool>[]) =>
    db
      .selectFrom('links')
      .where('links.account_id', '=', accountId)
      .where(eb => eb.and(conditions))
  const among = conditionsOf({ ...query, within: [] })
  const conditions = conditionsOf(query)
  if (isInProcess(db) && (search !== undefined || (await isMuch(db, within)))) {
    const asked = { accountId, search: search ?? '', shortUrl, conditions: among }
    const rowIds = search === undefined ? idsOf(mineWhere(among)) : searchLinks(db, asked)
    const found = await thoseIn(db, await rowIds, within)
    if (found.length === 0) return undefined
    const links = db.selectFrom('links').where(isAmong(found, accountId))
    return { links, count: async () => found.length }
  }
  const mine = mineWhere(conditions)
  if (search === undefined) return { links: mine, count: () => countAll(mine) }
  const { isFound, count } = await conditionOf(db, { accountId, search, shortUrl, conditions })
  return { links: mine.where(isFound), count }
}

/** So many rows of other tables are found with one statement. */
const notMuch = 10_000

/** Whether queries have so many rows together that reading them would keep redirects waiting. */
async function isMuch(db: Database, within: readonly LinkRows[]): Promise<boolean> {
  let left = notMuch
  for (const rows of within) {
    const some = rows.limit(left + 1).as('some')
    const { count } = await db
      .selectFrom(some)
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    left -= Number(count)
    if (left < 0) return true
  }
  return false
}

async function idsOf(links: Links): Promise<readonly number[]> {
  // One text, because a row for each link takes twice as long.
  const { ids } = await links
    .select(sql<string | null>`group_concat(links.id)`.as('ids'))
    .executeTakeFirstOrThrow()
  return JSON.parse(`[${ids ?? ''}]`) as number[]
}

/** So many links are looked for at once, then redirects have their turn. */
const lookedForAtOnce = 256

/** Those of the rows that are in all of some others: SQLite looks each up, and does not read all of the others. */
async function thoseIn(
  db: Database,
  rowIds: readonly number[],
  within: readonly LinkRows[],
): Promise<readonly number[]> {
  if (within.length === 0) return rowIds
  const found: number[] = []
  for (let from = 0; from < rowIds.length; from += lookedForAtOnce) {
    await yieldToRedirects()
    const some = rowIds.slice(from, from + lookedForAtOnce)
    const { rows } = await sql<{ id: number }>`
      select value as id from json_each(${JSON.stringify(some)}) as asked
      where ${sql.join(
        within.map(it => sql`exists (select 1 from ${it.as('other')} where link_id = asked.value)`),
        sql` and `,
      )}
    `.execute(db)
    for (const { id } of rows) found.push(id)
  }
  return found
}

/** How many bytes the texts of links have, by their rows. */
export async function sizeOfLinks(db: Database, rowIds: readonly number[]): Promise<number> {
  if (rowIds.length === 0) return 0
  const { rows } = await sumOfTexts(db, { rowIds })
  return Number(rows[0]?.bytes ?? 0)
}

const sumOfTexts = compileOnce((db: Database, { rowIds }: Places<{ rowIds: readonly number[] }>) =>
  db
    .selectFrom('links')
    .select(
      sql<number>`sum(octet_length(fields) + octet_length(original_url) + octet_length(coalesce(notes, '')))`.as(
        'bytes',
      ),
    )
    .where('id', 'in', rowIds),
)

/** Links by their rows, in that order, without links that were deleted meanwhile. */
export async function readLinks(db: Database, rowIds: readonly number[]): Promise<readonly Link[]> {
  if (rowIds.length === 0) return []
  const { rows } = await selectLinks(db, { rowIds })
  const links = new Map(rows.map(row => [row.id, readLink(row)]))
  return rowIds.flatMap(id => links.get(id) ?? [])
}

const selectLinks = compileOnce((db: Database, { rowIds }: Places<{ rowIds: readonly number[] }>) =>
  db.selectFrom('links').selectAll().where('id', 'in', rowIds),
)

async function countAll(links: Links): Promise<number> {
  const { total } = await links
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

type LinkBuilder = ExpressionBuilder<Schema, 'links'>
type WithTotals = ExpressionBuilder<Schema, 'links' | 'link_totals'>

/** The conditions of a query besides the words to search for; all of them must be true. */
function conditionsOf(query: LinkQuery): readonly Expression<SqlBool>[] {
  const { shortCode, originalUrl, domain, archived, within, createdFrom, createdTo, hasStatus } =
    query
  const eb = expressionBuilder<Schema, 'links'>()
  return [
    ...(shortCode === undefined ? [] : [eb('links.short_code', '=', inCodeForm(shortCode))]),
    ...(originalUrl === undefined ? [] : [eb('links.id', 'in', leadingTo(query, originalUrl))]),
    ...(domain === undefined ? [] : [eb('links.domain', '=', domain)]),
    ...(archived === undefined ? [] : [eb('links.archived', '=', archived ? 1 : 0)]),
    ...within.map(rows => eb('links.id', 'in', rows)),
    ...(createdFrom ? [eb('links.created_at', '>=', createdFrom.getTime())] : []),
    ...(createdTo ? [eb('links.created_at', '<', createdTo.getTime())] : []),
    ...(hasStatus ? [hasStatus(eb)] : []),
  ]
}

/** By themselves, since SQLite would rather go through all links of the account in the order of the list. */
function leadingTo({ accountId }: LinkQuery, originalUrl: string) {
  return (
    expressionBuilder<Schema>()
      .selectFrom('links')
      .select('links.id')
      .where('links.account_id', '=', accountId)
      // Written as in the index, or SQLite does not recognise it.
      .where(sql`substr(original_url, 1, 500)`, '=', originalUrl.slice(0, 500))
      .where('links.original_url', '=', originalUrl)
  )
}

/** Up to this many links are faster to look up one by one than to find among all links of an account. */
const few = 5_000

/** However many ids there are, they are one value of the statement, so SQLite cannot know whether they are few. */
function isAmong(rowIds: readonly number[], accountId: number) {
  const ids = sql<number>`(select value from json_each(${JSON.stringify(rowIds)}))`
  return (eb: LinkBuilder) => {
    const column = eb.ref('links.account_id')
    // A plus before a column keeps SQLite from using an index on it.
    const owner = rowIds.length <= few ? sql<number>`+${column}` : column
    return eb.and([eb('links.id', 'in', ids), eb(owner, '=', accountId)])
  }
}

/** Links that were never visited or have no title sort lowest. */
function sortColumn(eb: WithTotals, key: SortKey) {
  if (key === 'visits') return eb.fn.coalesce('link_totals.visits', eb.lit(0))
  if (key === 'last_visit_at') return eb.fn.coalesce('link_totals.last_visit_at', eb.lit(0))
  if (key === 'title') return eb.fn.coalesce('links.title', sql.lit(''))
  return key === 'short_code' ? eb.ref('links.short_code') : eb.ref('links.created_at')
}
