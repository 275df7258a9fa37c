import { z } from 'zod'
import { queryNumber } from '../../lib/schema/query-values.ts'
import { toSnake } from '../../lib/text/casing.ts'
import { parseJson } from '../../lib/text/json.ts'
import type { Position, Slice } from './slice.ts'

/** A cursor in a request. The signature proves that this server issued it. */
export interface Cursor {
  /** The number of the page, as shown in `currentPage`. */
  readonly page: number
  readonly after: Position
  readonly signature: string
}

const positionSchema = z.tuple([z.int().min(1)], z.union([z.string(), z.number()]))

/** The error for a cursor that does not fit the list. */
export const wrongCursor =
  'This is not a cursor of this list. Use the nextCursor of a page with the same filters and order.'

const cursorSchema = z
  .string()
  .max(8_192)
  .transform((text, context): Cursor => {
    const [payload = '', signature = ''] = text.split('.')
    const read = positionSchema.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()))
    if (read.success) {
      const [page, ...after] = read.data
      return { page, after, signature }
    }
    context.addIssue(wrongCursor)
    return z.NEVER
  })
  .optional()
  .meta({
    description:
      '`nextCursor` of the previous page, instead of `page`; with the same filters and order.',
  })

/**
 * The query of a list: which page, by number or by cursor. Add filters with `extend`.
 *
 * @example
 * query: pageQuery.extend({ mood: z.string().optional() })
 */
export const pageQuery = z.strictObject({
  page: queryNumber(1, 1_000_000)
    .default(1)
    .meta({ description: 'Number of the page, from 1; or read on by `cursor`.' }),
  perPage: queryNumber(1, 100).default(20).meta({ description: 'How many rows a page has.' }),
  cursor: cursorSchema,
})

export type PageQuery = Readonly<z.output<typeof pageQuery>>

/** Whether this is the query of a list that is read in pages. */
export function isPageQuery(query: z.ZodType | undefined): boolean {
  return query instanceof z.ZodObject && query.shape.cursor === cursorSchema
}

/**
 * The rows of the requested page, for `readSlice`.
 *
 * @example
 * sliceOf(pageQuery.parse({ page: '3' })).offset // 40
 */
export function sliceOf({ page, perPage, cursor }: PageQuery): Slice {
  if (!cursor) return { offset: (page - 1) * perPage, limit: perPage }
  return { offset: 0, limit: perPage, after: cursor.after }
}

/**
 * The schema of a list in answers: `{ data, meta, links }`.
 *
 * @example
 * listSchema(z.strictObject({ id: z.string(), name: z.string() }))
 */
export function listSchema<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item),
    meta: pageMeta,
    links: pageLinks,
  })
}

const pageMeta = z
  .strictObject({
    currentPage: z.int().min(1),
    perPage: z
      .int()
      .min(1)
      .meta({ examples: [20] }),
    total: z
      .int()
      .min(0)
      .meta({ examples: [1] }),
    lastPage: z.int().min(1),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Cursor of the next page; null: this is the last page.' }),
  })
  .meta({ id: 'PageMeta' })

const pageLinks = z
  .strictObject({
    first: z.string().meta({ examples: ['/api/v1/…?page=1'] }),
    prev: z.string().nullable(),
    next: z.string().nullable(),
    last: z.string().meta({ examples: ['/api/v1/…?page=1'] }),
  })
  .meta({ id: 'PageLinks', description: 'Relative URLs of other pages; null: there is none.' })

/**
 * The body of an answer with one page of a list. `query` is the whole query, so that the links to other pages keep its
 * filters. `path` is the whole path, such as `/api/v1/api-tokens`. `next` is what `readSlice` returned; the API makes
 * the signed cursor from it.
 *
 * @example
 * listOf([{ mood: 'glad' }], 1, pageQuery.parse({}), '/api/v1/moods').data.length // 1
 */
export function listOf<Row>(
  rows: readonly Row[],
  total: number,
  query: PageQuery & Readonly<Record<string, unknown>>,
  path: string,
  next: Position | null = null,
) {
  const { cursor, perPage } = query
  const page = cursor?.page ?? query.page
  const lastPage = Math.max(Math.ceil(total / perPage), 1)
  const to = (number: number) => pageLink(path, query, { page: number })
  return {
    data: [...rows],
    meta: {
      currentPage: page,
      perPage,
      total,
      lastPage,
      nextCursor: next && cursorText({ page: page + 1, after: next }),
    },
    links: {
      first: to(1),
      prev: page > 1 ? to(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? to(page + 1) : null,
      last: to(lastPage),
    },
  }
}

/** A cursor as text, without its signature. */
export function cursorText({ page, after }: Pick<Cursor, 'page' | 'after'>): string {
  return Buffer.from(JSON.stringify([page, ...after])).toString('base64url')
}

/** The address of another page of the same list. */
export function pageLink(
  path: string,
  { page, cursor, ...rest }: PageQuery & Readonly<Record<string, unknown>>,
  to: { readonly page: number } | { readonly cursor: string },
): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...to, ...rest })) {
    for (const one of [value].flat()) if (one !== undefined) text.append(toSnake(name), textOf(one))
  }
  return `${path}?${text}`
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}
