import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/**
 * The host of links without a domain of their own, and the schemes that their addresses may have besides http and https. Every
 * page has the manifest; until then the host is ours.
 */
export const main: { host: string; schemes: readonly string[] } = {
  host: location.host,
  schemes: [],
}

/** What the installed plugins bring: fields, dimensions, scopes. */
export const manifestQuery = queryOptions({
  queryKey: ['plugins'],
  queryFn: async () => {
    const { data, meta } = await dataOf(api.GET('/api/v1/plugins'))
    main.host = meta.mainHost
    main.schemes = meta.targetSchemes
    return data
  },
  staleTime: 5 * 60_000,
})

export type Manifest =
  operations['plugins.list']['responses'][200]['content']['application/json']['data']

/** A page of a plugin's own. */
export type SiteInMenu = NonNullable<Manifest[number]['site']>

/**
 * `absent`: the feature is not installed and nothing of it is shown. `barred`: it is not in the plan or is off
 * for everybody, and is shown as unavailable.
 */
export type FeatureState = 'on' | 'barred' | 'absent'

/** The state of a feature, such as `organization.tags`. */
export function useFeature(feature: string): FeatureState {
  const { data: plugins } = useSuspenseQuery(manifestQuery)
  const entry = plugins.find(it => it.feature === feature)
  if (!entry) return 'absent'
  return entry.enabled ? 'on' : 'barred'
}
