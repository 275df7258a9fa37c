import type { ExpressionBuilder } from 'kysely'
import { readPublicId } from '../../lib/public-id.ts'
import type { LinkRows } from '../../plugin.ts'
import type { Database } from '../../storage/database.ts'
import type { Schema } from '../../storage/schema.ts'
import { formsOn } from '../codes/code-rules.ts'
import { type Link, readLink } from '../link.ts'

/** An account's link by its public id; undefined for other people's and for any other text. */
export async function findLink(
  db: Database,
  accountId: number,
  id: string,
): Promise<Link | undefined> {
  const link = await findAnyLink(db, id)
  return link?.accountId === accountId ? link : undefined
}

/** A link by its public id, whoever owns it: for plugins. */
export async function findAnyLink(db: Database, id: string): Promise<Link | undefined> {
  const rowId = readPublicId('lnk', id)
  if (rowId === undefined) return undefined
  const row = await db.selectFrom('links').selectAll().where('id', '=', rowId).executeTakeFirst()
  return row && readLink(row)
}

/** The link of an account that is in all of these; undefined if there is none. */
export async function findLinkIn(
  db: Database,
  accountId: number,
  within: readonly LinkRows[],
): Promise<Link | undefined> {
  const row = await within
    .reduce(
      (query, rows) => query.where('id', 'in', rows),
      db.selectFrom('links').selectAll().where('account_id', '=', accountId),
    )
    .executeTakeFirst()
  return row && readLink(row)
}

/** Links by row number. */
export async function linksOfRows(
  db: Database,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, Link>> {
  if (rowIds.length === 0) return new Map()
  const rows = await db.selectFrom('links').selectAll().where('id', 'in', rowIds).execute()
  return new Map(rows.map(row => [row.id, readLink(row)]))
}

/** Where a link is found: a host, '' for that of the base URL, and a code there. */
export interface CodeOnHost {
  readonly domain: string
  readonly code: string
  /** What is the same there; undefined where only the code itself is. */
  readonly form?: string | undefined
}

/** The rows of `short_codes` that a place has. */
export function isAt({ domain, code, form }: CodeOnHost) {
  return ({ eb, or, and }: ExpressionBuilder<Schema, 'short_codes'>) => {
    const at = (host: string, text: string) =>
      and([eb('short_codes.domain', '=', host), eb('short_codes.code', '=', text)])
    return form === undefined ? at(domain, code) : or([at(domain, code), at(formsOn(domain), form)])
  }
}

/** An account's link by its current short code or a former one. */
export async function findLinkByCode(
  db: Database,
  accountId: number,
  place: CodeOnHost,
): Promise<Link | undefined> {
  const link = await findAnyByCode(db, place)
  return link?.accountId === accountId ? link : undefined
}

/** A link by its current short code or a former one, whoever owns it: for plugins. */
export async function findAnyByCode(db: Database, place: CodeOnHost): Promise<Link | undefined> {
  const row = await db
    .selectFrom('short_codes')
    .innerJoin('links', 'links.id', 'short_codes.link_id')
    .selectAll('links')
    .where(isAt(place))
    .executeTakeFirst()
  return row && readLink(row)
}
