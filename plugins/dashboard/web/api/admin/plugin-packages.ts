import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../client/client.ts'
import type { operations } from '../schema.d.ts'

type Packages =
  operations['admin.pluginPackages.list']['responses'][200]['content']['application/json']

/** A plugin that did not come with Linnet. */
export type PluginPackage = Packages['data'][number]

export type NewerVersion =
  operations['admin.pluginPackages.outdated']['responses'][200]['content']['application/json']['data'][number]

export type ListedPlugin =
  operations['admin.pluginIndex.list']['responses'][200]['content']['application/json']['data'][number]

const path = '/api/v1/admin/plugins/packages'

/** Nested under the key of the plugins, so that invalidating them invalidates the packages too. */
export const pluginPackagesKey = ['admin', 'plugins', 'packages'] as const

/** What is installed, and whether it may be changed here. */
export const pluginPackagesQuery = queryOptions({
  queryKey: pluginPackagesKey,
  queryFn: () => dataOf(api.GET(path)),
})

/** Install a package, such as `linnet-plugin-hours@^1`, or another version of it. Resolves once the plugin runs. */
export async function addPluginPackage(name: string): Promise<PluginPackage> {
  return (await dataOf(api.POST(path, { body: { package: name } }))).data
}

export async function removePluginPackage(name: string): Promise<void> {
  await api.DELETE(path, { body: { package: name } })
}

/** Read the index of plugins, which asks another server. */
export async function readPluginIndex(): Promise<readonly ListedPlugin[]> {
  return (await dataOf(api.GET('/api/v1/admin/plugins/index'))).data
}

/** Ask the npm registry for newer versions. */
export async function findNewerVersions(): Promise<readonly NewerVersion[]> {
  return (await dataOf(api.GET(`${path}/outdated`))).data
}
