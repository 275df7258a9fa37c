import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** The switches that apply to every account. */
export type Features =
  operations['features.show']['responses'][200]['content']['application/json']['data']

export type Flag = keyof Features

export const featuresKey = ['admin', 'features'] as const

/** What is on for every account. */
export const featuresQuery = queryOptions({
  queryKey: featuresKey,
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/features'))).data,
})

/** Switch a feature on or off for every account, at once. Refused if no plugin brings the feature. */
export async function switchFeature(flag: Flag, isOn: boolean): Promise<Features> {
  const body = { [flag]: isOn }
  return (await dataOf(api.PATCH('/api/v1/admin/features', { body }))).data
}
