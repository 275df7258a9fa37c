import { useSuspenseQuery } from '@tanstack/react-query'
import { type Manifest, manifestQuery } from '../instance/manifest.ts'

/** What plugins want the list and the page of a link to show of it. */
export function useColumns(): Manifest[number]['dashboard']['columns'] {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  return plugins.flatMap(({ dashboard }) => dashboard.columns)
}

/** The filters of plugins that the list of links offers. */
export function useFilters(): Manifest[number]['dashboard']['filters'] {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  return plugins.flatMap(({ dashboard }) => dashboard.filters)
}
