import { z } from 'zod'

/** A list's query: which page. Filters are added with `extend`. */
export const pageQuery = z.strictObject({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  perPage: z.coerce.number().int().min(1).max(100).default(20),
})

export type PageQuery = Readonly<z.output<typeof pageQuery>>

/** Which rows are on the page. */
export function sliceOf({ page, perPage }: PageQuery) {
  return { offset: (page - 1) * perPage, limit: perPage }
}

/** The body of every list: `{ data, meta, links }`. */
export function listSchema<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item),
    meta: z.strictObject({
      currentPage: z.int(),
      perPage: z.int(),
      total: z.int(),
      lastPage: z.int(),
      nextCursor: z.string().nullable(),
    }),
    links: z.strictObject({
      first: z.string(),
      prev: z.string().nullable(),
      next: z.string().nullable(),
      last: z.string(),
    }),
  })
}

/**
 * The body that shows one page of a list. `query` is the whole checked query, so that the links to
 * other pages keep its filters; `path` is the whole path, as `/api/v1/api-tokens`.
 */
export function listOf<Row>(
  rows: readonly Row[],
  total: number,
  query: PageQuery & Readonly<Record<string, unknown>>,
  path: string,
) {
  const { page, perPage } = query
  const lastPage = Math.max(Math.ceil(total / perPage), 1)
  const to = (number: number) => `${path}?${queryText({ ...query, page: number })}`
  return {
    data: [...rows],
    meta: { currentPage: page, perPage, total, lastPage, nextCursor: null },
    links: {
      first: to(1),
      prev: page > 1 ? to(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? to(page + 1) : null,
      last: to(lastPage),
    },
  }
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) text.append(snake(name), textOf(one))
  }
  return text.toString()
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}
