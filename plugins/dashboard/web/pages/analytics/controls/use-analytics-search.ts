import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
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

/** No link is older than its account. */
function fitting(search: AnalyticsSearch, createdAt: string | null): AnalyticsSearch {
  const { granularity, ...rest } = search
  const fits = granularity && granularitiesOf(search, createdAt).includes(granularity)
  return fits ? search : rest
}
