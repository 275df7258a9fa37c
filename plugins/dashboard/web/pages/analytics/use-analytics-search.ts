import { useNavigate, useSearch } from '@tanstack/react-router'
import { type AnalyticsSearch, analyticsSearch } from './analytics-search.ts'

/** Undefined takes something out of the address. */
export type SearchChange = {
  readonly [Key in keyof AnalyticsSearch]?: AnalyticsSearch[Key] | undefined
}

/** What the address says of the numbers that are shown, and how to say something else. */
export function useAnalyticsSearch() {
  const search = analyticsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return {
    search,
    change: (change: SearchChange) =>
      void navigate({ to: '.', search: analyticsSearch({ ...search, ...change }), replace: true }),
  }
}
