import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'

interface Part<T> {
  readonly data: readonly T[]
  readonly meta: {
    readonly total: number
    readonly nextCursor: string | null
  }
}

/** Which part of a list to read, as the API names it. */
export interface PartQuestion {
  readonly cursor?: string
  readonly per_page: number
}

const perPage = 50

/** A list that is read fifty at a time: `fetchNextPage` appends the next fifty. */
export function longList<T>(
  queryKey: QueryKey,
  read: (query: PartQuestion, signal: AbortSignal) => Promise<Part<T>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) =>
      read({ per_page: perPage, ...(cursor !== null && { cursor }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.nextCursor,
    select: ({ pages }) => ({
      items: pages.flatMap(({ data }) => data),
      total: pages[0]?.meta.total ?? 0,
    }),
  })
}
