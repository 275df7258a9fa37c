import { randomBytes } from 'node:crypto'
import {
  type Context,
  type HandedOver,
  type Migration,
  newRowId,
  type Part,
  publicId,
  readPublicId,
  readSlice,
  type Slice,
} from '../../../core/plugin.ts'

type Db = Context['db']

const table = 'analytics_public_numbers'

/** A row of the table. Times are in milliseconds since 1970 UTC. */
interface PageRow {
  readonly id: number
  readonly account_id: number
  /** The public id, such as `tag_x`. */
  readonly of: string
  readonly link_id: number | null
  readonly title: string | null
  /** The last segment of its path. */
  readonly secret: string
  readonly is_open: number
  readonly created_at: number
}

export interface PublicPage extends PageRow {
  readonly publicId: string
}

export const makePagesTable: Migration = async ({ schema }) => {
  await schema
    .createTable(table)
    .addColumn('id', 'bigint', c => c.primaryKey())
    .addColumn('account_id', 'bigint', c =>
      c.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('of', 'text', c => c.notNull())
    // Of a link, so that its page ends with it, also while the plugin is off.
    .addColumn('link_id', 'bigint', c => c.references('links.id').onDelete('cascade'))
    .addColumn('title', 'text')
    .addColumn('secret', 'text', c => c.notNull().unique())
    .addColumn('is_open', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addUniqueConstraint(`${table}_of`, ['account_id', 'of'])
    .execute()
  await schema.createIndex(`${table}_link`).on(table).column('link_id').execute()
}

/** The bytes of a secret. Nobody can guess 192 bits. */
const secretBytes = 24

const kinds = { lnk: '/links', tag: '/tags', cmp: '/campaigns' } as const

/** The path in the API of a link, tag or campaign; undefined if the text is no such id. */
export function pathOf(id: string): string | undefined {
  const kind = Object.entries(kinds).find(([kind]) => readPublicId(kind, id) !== undefined)
  return kind && `${kind[1]}/${id}`
}

interface NewPage {
  readonly of: string
  readonly title?: string | null | undefined
}

/** Adds a page. Undefined if there already is one. */
export async function addPage(
  db: Db,
  accountId: number,
  page: NewPage,
  at: Date,
): Promise<PublicPage | undefined> {
  const row = newPage(accountId, page, at)
  const added = await db
    .insertInto(table)
    .values({ ...row })
    .onConflict(conflict => conflict.columns(['account_id', 'of']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return added && named(row)
}

/** The page that would be added now, with another address. Undefined if there already is one. */
export async function draftPage(
  db: Db,
  accountId: number,
  page: NewPage,
  at: Date,
): Promise<PublicPage | undefined> {
  const before = await ofAccount(db, accountId).where('of', '=', page.of).executeTakeFirst()
  return before ? undefined : named(newPage(accountId, page, at))
}

function newPage(accountId: number, { of, title = null }: NewPage, at: Date): PageRow {
  return {
    id: newRowId(),
    account_id: accountId,
    of,
    link_id: readPublicId('lnk', of) ?? null,
    title,
    secret: randomBytes(secretBytes).toString('base64url'),
    is_open: 1,
    created_at: at.getTime(),
  }
}

export async function findPage(
  db: Db,
  accountId: number,
  id: string,
): Promise<PublicPage | undefined> {
  const row = await ofAccount(db, accountId).where('id', '=', rowOf(id)).executeTakeFirst()
  return row && named(row as PageRow)
}

/** The page with this secret, if it is open. */
export async function findOpenPage(db: Db, secret: string): Promise<PageRow | undefined> {
  const found = db.selectFrom(table).selectAll().where('secret', '=', secret)
  return (await found.where('is_open', '=', 1).executeTakeFirst()) as PageRow | undefined
}

/** Lists pages, newest first. */
export async function listPages(
  db: Db,
  accountId: number,
  { of, ...slice }: Slice & { readonly of: string | undefined },
): Promise<Part<PublicPage> & { readonly total: number }> {
  const all = ofAccount(db, accountId)
  const asked = of === undefined ? all : all.where('of', '=', of)
  const order = { by: ['created_at', 'id'], descending: true }
  const { rows, next } = await readSlice(asked, order, slice)
  const { count } = await asked
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return { rows: (rows as PageRow[]).map(named), next, total: Number(count) }
}

export async function changePage(
  db: Db,
  accountId: number,
  id: string,
  {
    open,
    title,
  }: { readonly open?: boolean | undefined; readonly title?: string | null | undefined },
): Promise<PublicPage | undefined> {
  const page = await findPage(db, accountId, id)
  if (!page) return undefined
  const change = {
    is_open: open === undefined ? page.is_open : Number(open),
    title: title === undefined ? page.title : title,
  }
  await db.updateTable(table).set(change).where('id', '=', page.id).execute()
  return { ...page, ...change }
}

/** Deletes a page. False if there is none. */
export async function removePage(db: Db, accountId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('account_id', '=', accountId)
    .where('id', '=', rowOf(id))
    .executeTakeFirst()
  return Number(numDeletedRows) > 0
}

function ofAccount(db: Db, accountId: number) {
  return db.selectFrom(table).selectAll().where('account_id', '=', accountId)
}

function rowOf(id: string): number {
  return readPublicId('pnu', id) ?? 0
}

function named(row: PageRow): PublicPage {
  return { ...row, publicId: publicId('pnu', row.id) }
}

/** Gives pages to another account: those of some links, or all. Their addresses stay. */
export async function handOverPages(db: Db, { from, to, links }: HandedOver): Promise<undefined> {
  const all = db.updateTable(table).set({ account_id: to }).where('account_id', '=', from)
  await (links ? all.where('link_id', 'in', links) : all).execute()
  return undefined
}
