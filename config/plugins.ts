import { type PluginFeature, registry } from '../plugins/index.ts'

/**
 * The features that are on, unless `PLUGINS` in the environment or `linnet plugins off` says otherwise:
 * all there are. Name some instead to have no others, as `['link.passwordProtection']`.
 */
export const plugins: readonly PluginFeature[] = Object.keys(registry) as PluginFeature[]
