import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** A plugin that there is, whether it is on or off. */
export type PluginState =
  operations['admin.plugins.list']['responses'][200]['content']['application/json']['data'][number]

export type PluginSetting = PluginState['settings'][number]

/** What shall be otherwise; a setting that is null goes back to its default. */
export interface PluginChange {
  readonly enabled?: boolean
  readonly settings?: Record<string, unknown>
}

/** Every plugin that there is. */
export const pluginStatesQuery = queryOptions({
  queryKey: ['admin', 'plugins'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/plugins'))).data,
})

/** Change a plugin; done when it runs so. */
export async function updatePlugin(feature: string, body: PluginChange): Promise<PluginState> {
  const params = { path: { feature } }
  return (await dataOf(api.PATCH('/api/v1/admin/plugins/{feature}', { body, params }))).data
}
