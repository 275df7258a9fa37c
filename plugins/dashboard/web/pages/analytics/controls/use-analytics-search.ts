import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { profileQuery } from '../../../api/account/profile.ts'
import { type AnalyticsSearch, analyticsSearch } from './analytics-search.ts'
import { granularitiesOf } from './granularities.ts'

/** Undefined takes something out of the address. */
export type SearchChange = {
  readonly [Key in keyof AnalyticsSearch]?: AnalyticsSearch[Key] | undefined
}

/**
 * What the address says of the numbers that are shown, and how to say something else; and how far apart
 * points of this span may be. Another distance is left out: the API would refuse it.
 */
export function useAnalyticsSearch() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const navigate = useNavigate()
  // No link is older than its account.
  const fitting = (search: AnalyticsSearch): AnalyticsSearch => {
    const { granularity, ...rest } = search
    const fits = granularity && granularitiesOf(search, profile.createdAt).includes(granularity)
    return fits ? search : rest
  }
  const search = fitting(analyticsSearch(useSearch({ strict: false })))
  return {
    search,
    granularities: granularitiesOf(search, profile.createdAt),
    change: (change: SearchChange) =>
      void navigate({
        to: '.',
        search: fitting(analyticsSearch({ ...search, ...change })),
        replace: true,
      }),
  }
}
