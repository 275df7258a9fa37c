import { z } from 'zod'
import { readPublicId } from '../../lib/public-id.ts'
import { toSnake } from '../../lib/text/casing.ts'
import type { Method } from '../called.ts'
import type { Context } from '../context.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Json } from '../fields.ts'
import { listOf, listSchema, type PageQuery, pageQuery, sliceOf } from '../lists/paging.ts'
import { type Order, readSlice } from '../lists/slice.ts'
import { isRefusal, type Later, notFound, type Refusal } from '../outcomes.ts'
import type { Caller } from '../token-keeper.ts'
import type { OwnEvent } from '../unstable.ts'
import type { LinkAddress } from '../visit.ts'
import {
  type CollectionRow,
  type CollectionRows,
  type Columns,
  changedIn,
  countRows,
  ownRows,
} from './own-rows.ts'

/**
 * Things that each account has of its own, such as notes: one table, and five endpoints. The table has at least
 * `id bigint primary key` and `account_id bigint`, a foreign key to `accounts.id` that cascades.
 *
 * @example
 * const notes = collection({ path: '/notes', table: 'acme_notes', idKind: 'nte', … })
 */
export interface Collection<
  Row extends CollectionRow,
  Body extends z.ZodObject,
  Item extends z.ZodObject,
  Filters extends z.ZodRawShape,
> {
  /** The path of the list below `/api/v1`, such as `/notes`. Each thing has one below it: `/notes/:id`. */
  readonly path: `/${string}`
  readonly table: string
  /** Begins the public ids, as for `publicId`: three lower-case letters that nobody else uses. */
  readonly idKind: string
  /** The scopes that tokens need, of the plugin's `scopes` or existing ones. */
  readonly scopes: { readonly read: string; readonly write: string }
  /** What each endpoint does, in a few words, for OpenAPI. */
  readonly summaries: Readonly<Record<'list' | 'create' | 'show' | 'change' | 'delete', string>>
  /** One of the plugin's `limits`, for the number of things. */
  readonly limit?: string
  /** True: creating runs in a transaction, as changing and deleting do. `create` awaits nothing but the database then. */
  readonly inTransaction?: true
  /** Set this if rows have `created_at` and `updated_at`, in milliseconds since 1970 UTC. The collection writes them. */
  readonly dated?: true
  /** The kind of thing that plugins hear of when one is created, changed or deleted, such as `note`. Default: they do not. */
  readonly kind?: string
  /** Columns that together are different in each row of an account, with a unique index, and the refusal if they are not. */
  readonly unique?: { readonly columns: readonly string[]; readonly refusal: Refusal }

  /** Schema of the body that creates a thing: a `z.strictObject`. */
  readonly body: Body
  /** Schema of the body that changes a thing. Default: `body.partial()`. */
  readonly changes?: z.ZodObject
  /** The columns of a new row, or a refusal. Default: the fields of the body, with their names in snake_case. */
  create?(
    body: z.output<Body>,
    call: { readonly caller: Caller; count(): Promise<number> },
    context: Context,
  ): Later<Columns | Refusal>
  /** The columns to change, or a refusal. Undefined ones stay. Default: the fields of the body. */
  change?(body: Changed<Body>, before: Row, context: Context): Later<Columns | Refusal>
  /** Deletes a row, or refuses to. Default: the row is deleted. */
  remove?(row: Row, context: Context): Later<Refusal | undefined>
  /** URLs in a body that visitors would be sent to, as in an endpoint. */
  addresses?(body: Changed<Body>): readonly LinkAddress[]

  /** The order of the list. */
  readonly order: Order
  /** Query parameters that filter the list. */
  readonly filter?: {
    /** The schema of each parameter, by name. */
    readonly query: Filters
    /** The rows of an account that match. */
    where(rows: CollectionRows, query: z.output<z.ZodObject<Filters>>): CollectionRows
  }
  /** All rows, with more columns than those of the table. Default: `db.selectFrom(table).selectAll()`. */
  rows?(db: Context['db']): CollectionRows

  /** Schema of a thing in answers. */
  readonly item: Item
  /** Things as answers show them, in the order of their rows. */
  show(rows: readonly Row[], context: Context): Later<readonly z.input<Item>[]>
  /** The part of an item that changes only if somebody changes the thing: its hash is the `ETag`. Default: all of it. */
  version?(item: z.output<Item>): Json
  /** What may change with any version of Linnet. */
  readonly unstable?: UnstableCollection
}

/**
 * Parts of a collection that few plugins have tried so far. They may change with any version of Linnet.
 *
 * @example
 * unstable: { tools: { list: 'List the notes of the account.' } },
 */
export interface UnstableCollection {
  /** The `unstable.tool` of its endpoints. Default: none is a tool. */
  readonly tools?: Readonly<
    Partial<Record<'list' | 'create' | 'show' | 'change' | 'delete', string>>
  >
}

/** What the endpoints of collections tell of. */
const kinds = new WeakMap<Endpoint, string>()

/** The kind of thing that an endpoint of a collection tells of; undefined if it tells of none. */
export function kindOfEndpoint(it: Endpoint): string | undefined {
  return kinds.get(it)
}

type Changed<Body extends z.ZodType> = {
  readonly [Key in keyof z.output<Body>]?: z.output<Body>[Key] | undefined
}

/**
 * The endpoints of a collection, and what else the plugin needs of it. Everything sees one account only.
 *
 * @example
 * usage: { notesCount: notes.count },
 * endpoints: { ...notes.endpoints, 'POST /notes/:id/send': endpoint({ … }) },
 */
export interface Collected<Row> {
  readonly endpoints: Readonly<Record<`${Method} ${string}`, Endpoint>>
  /** How many an account has, for the plugin's `usage`. */
  count(accountId: number, context: Pick<Context, 'db'>): Promise<number>
  /** The row with this public id; undefined if another account has it, and for any other text. */
  find(
    caller: Pick<Caller, 'accountId'>,
    id: string,
    context: Pick<Context, 'db'>,
  ): Promise<Row | undefined>
}

/**
 * Make the five endpoints of a kind of thing: list, create, show, change and delete. The list has pages and cursors,
 * creating keeps to the plan's limit, changing and deleting honour `If-Match`.
 *
 * @example
 * const notes = collection({
 *   path: '/notes',
 *   table: 'acme_notes',
 *   idKind: 'nte',
 *   scopes: { read: 'links:read', write: 'links:write' },
 *   summaries: {
 *     list: 'List your notes',
 *     create: 'Write a note',
 *     show: 'Read a note',
 *     change: 'Change a note',
 *     delete: 'Delete a note',
 *   },
 *   body: z.strictObject({ text: line(200) }),
 *   order: { by: ['id'] },
 *   item: z.strictObject({ id: z.string(), text: z.string() }),
 *   show: (rows: readonly Note[]) => rows.map(({ id, text }) => ({ id: publicId('nte', id), text })),
 * })
 *
 * export default definePlugin({
 *   feature: 'acme.notes',
 *   about: 'Write notes.',
 *   migrations: { '001-notes': makeTable },
 *   endpoints: notes.endpoints,
 * })
 */
export function collection<
  Row extends CollectionRow,
  Body extends z.ZodObject,
  Item extends z.ZodObject,
  Filters extends z.ZodRawShape = Record<never, never>,
>(of: Collection<Row, Body, Item, Filters>): Collected<Row> {
  const { path, table, idKind, kind, scopes, summaries, body, order, filter, unique } = of
  const tool = (it: keyof typeof summaries) => {
    const tool = of.unstable?.tools?.[it]
    return tool === undefined ? {} : { unstable: { tool } }
  }
  const answer = z.strictObject({ data: of.item })

  const rows = ownRows<Row>({
    table,
    unique: unique?.columns,
    all: of.rows ?? (db => db.selectFrom(table).selectAll()),
  })

  // Rows are numbered from 1: 0 matches none.
  const find: Collected<Row>['find'] = ({ accountId }, id, { db }) =>
    rows.find(db, accountId, readPublicId(idKind, id) ?? 0)

  const count: Collected<Row>['count'] = (accountId, { db }) => countRows(rows.of(db, accountId))

  async function shown(row: Row, context: Context) {
    const [data] = await of.show([row], context)
    return { data }
  }

  async function tell(
    what: OwnEvent['what'],
    { account_id: accountId }: { readonly account_id: number },
    [before, after]: readonly [object | undefined, object | undefined],
    { unstable }: Context,
  ): Promise<void> {
    if (kind === undefined) return
    const json = (item: object | undefined) => (item ? JSON.parse(JSON.stringify(item)) : null)
    await unstable.tell(kind, () => ({ what, accountId, before: json(before), after: json(after) }))
  }

  /** Shows a row that was written, as it is now: the database may have filled in columns. */
  async function written(id: number, { accountId }: Caller, context: Context) {
    const row = await rows.find(context.db, accountId, id)
    return row && shown(row, context)
  }

  const create: Endpoint = {
    summary: summaries.create,
    ...tool('create'),
    scope: scopes.write,
    body,
    answer,
    status: 201,
    ...(of.limit !== undefined && { limit: of.limit }),
    ...((kind !== undefined || of.inTransaction) && { inTransaction: true as const }),
    addresses: sent => of.addresses?.(sent as Changed<Body>) ?? [],
    async handle({ caller, body }, context) {
      const { accountId } = caller
      const given = body as z.output<Body>
      const call = { caller, count: () => count(accountId, context) }
      const values = of.create ? await of.create(given, call, context) : columnsOf(given)
      if (isRefusal(values)) return values
      const at = context.now().getTime()
      const times = of.dated && { created_at: at, updated_at: at }
      const id = await rows.add(context.db, accountId, { ...values, ...times })
      if (id === undefined) return unique?.refusal
      const made = await written(id, caller, context)
      await tell('created', { account_id: accountId }, [undefined, made?.data], context)
      return made
    },
  }

  if (kind !== undefined) kinds.set(create, kind)

  const list: Endpoint = {
    summary: summaries.list,
    ...tool('list'),
    scope: scopes.read,
    query: pageQuery.extend(filter?.query ?? {}),
    answer: listSchema(of.item),
    async handle({ caller, query }, context) {
      const page = query as PageQuery & z.output<z.ZodObject<Filters>>
      const all = rows.of(context.db, caller.accountId)
      const found = filter ? filter.where(all, page) : all
      const part = await readSlice(found, order, sliceOf(page))
      const items = await of.show(part.rows as readonly Row[], context)
      return listOf(items, await countRows(found), page, `/api/v1${path}`, part.next)
    },
  }

  const show: Endpoint = {
    summary: summaries.show,
    ...tool('show'),
    scope: scopes.read,
    answer,
    version(answered) {
      const { data } = answered as { readonly data: z.output<Item> }
      return of.version ? of.version(data) : (data as Json)
    },
    async handle({ caller, params: { id = '' } }, context) {
      const row = await find(caller, id, context)
      return row && shown(row, context)
    },
  }

  const change: Endpoint = {
    summary: summaries.change,
    ...tool('change'),
    scope: scopes.write,
    body: of.changes ?? body.partial(),
    answer,
    addresses: sent => of.addresses?.(sent as Changed<Body>) ?? [],
    async handle({ caller, params: { id = '' }, body }, context) {
      const before = await find(caller, id, context)
      if (!before) return undefined
      const given = body as Changed<Body>
      const values = of.change ? await of.change(given, before, context) : columnsOf(given)
      if (isRefusal(values)) return values
      const changed = changedIn(values, before)
      if (!changed) return shown(before, context)
      const was = kind === undefined ? undefined : await shown(before, context)
      const times = of.dated && { updated_at: context.now().getTime() }
      const columns = { ...changed, ...times }
      const isChanged = await rows.change(context.db, caller.accountId, before, columns)
      if (!isChanged) return unique?.refusal
      const after = await written(before.id, caller, context)
      await tell('updated', { account_id: caller.accountId }, [was?.data, after?.data], context)
      return after
    },
  }

  const remove: Endpoint = {
    summary: summaries.delete,
    ...tool('delete'),
    scope: scopes.write,
    answer: z.strictObject({}),
    status: 204,
    async handle({ caller, params: { id = '' } }, context) {
      const row = await find(caller, id, context)
      if (!row) return notFound
      const was = kind === undefined ? undefined : await shown(row, context)
      const refused = of.remove ? await of.remove(row, context) : undefined
      if (refused) return refused
      if (!of.remove) await rows.remove(context.db, row)
      await tell('deleted', { account_id: caller.accountId }, [was?.data, undefined], context)
    },
  }

  const endpoints = {
    [`POST ${path}`]: create,
    [`GET ${path}`]: list,
    [`GET ${path}/:id`]: show,
    [`PATCH ${path}/:id`]: change,
    [`DELETE ${path}/:id`]: remove,
  }
  return { endpoints, count, find }
}

function columnsOf(body: object): Columns {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [toSnake(name), value]))
}
