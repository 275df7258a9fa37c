import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

/** An available plugin, on or off. */
export type PluginState =
  operations['admin.plugins.list']['responses'][200]['content']['application/json']['data'][number]

export type PluginSetting = PluginState['settings'][number]

/** What to change. A setting that is null returns to its default. */
export interface PluginChange {
  readonly enabled?: boolean
  readonly settings?: Record<string, unknown>
}

/** All available plugins. */
export const pluginStatesQuery = queryOptions({
  queryKey: ['admin', 'plugins'],
  queryFn: async () => (await dataOf(api.GET('/api/v1/admin/plugins'))).data,
})

/** Change a plugin. Resolves once the change is in effect. */
export async function updatePlugin(feature: string, body: PluginChange): Promise<PluginState> {
  const params = { path: { feature } }
  return (await dataOf(api.PATCH('/api/v1/admin/plugins/{feature}', { body, params }))).data
}
