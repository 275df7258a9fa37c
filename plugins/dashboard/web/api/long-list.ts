import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'

interface Part<T> {
  readonly data: readonly T[]
  readonly meta: {
    readonly total: number
    readonly currentPage: number
    readonly lastPage: number
  }
}

/** What part of a list is asked for, as the API names it. */
export interface PartQuestion {
  readonly page: number
  readonly per_page: number
}

const perPage = 50

/** A list that is read fifty at a time: `fetchNextPage` adds the next ones to what is there. */
export function longList<T>(
  queryKey: QueryKey,
  read: (query: PartQuestion, signal: AbortSignal) => Promise<Part<T>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: page, signal }) => read({ page, per_page: perPage }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ meta: { currentPage, lastPage } }) =>
      currentPage < lastPage ? currentPage + 1 : undefined,
    select: ({ pages }) => ({
      items: pages.flatMap(({ data }) => data),
      total: pages[0]?.meta.total ?? 0,
    }),
  })
}
