import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { profileQuery } from '../../../api/account/profile.ts'
import { type AnalyticsSearch, analyticsSearch } from './analytics-search.ts'
import { granularitiesOf } from './granularities.ts'

/** Undefined removes a parameter from the address. */
export type SearchChange = {
  readonly [Key in keyof AnalyticsSearch]?: AnalyticsSearch[Key] | undefined
}

/**
 * The analytics settings in the address, a function to change them, and the granularities that fit the span.
 * One that does not fit is dropped, because the API would refuse it.
 */
export function useAnalyticsSearch() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const navigate = useNavigate()
  const raw = useSearch({ strict: false })
  const { createdAt } = profile
  const search = useMemo(() => fitting(analyticsSearch(raw), createdAt), [raw, createdAt])
  return {
    search,
    granularities: granularitiesOf(search, createdAt),
    change: (change: SearchChange) =>
      void navigate({
        to: '.',
        search: fitting(analyticsSearch({ ...search, ...change }), createdAt),
        replace: true,
      }),
  }
}

/** Drops a granularity that does not fit. No link is older than its account, so all time starts there. */
function fitting(search: AnalyticsSearch, createdAt: string | null): AnalyticsSearch {
  const { granularity, ...rest } = search
  const fits = granularity && granularitiesOf(search, createdAt).includes(granularity)
  return fits ? search : rest
}
