import { type PluginFeature, registry } from '../plugins/index.ts'

/** Those that somebody has to want: `linnet plugins on developer.metrics`. */
const offAtFirst: readonly PluginFeature[] = ['analytics.freshPlaces', 'developer.metrics']

/**
 * The features that are on, unless `PLUGINS` in the environment or `linnet plugins off` says otherwise:
 * nearly all there are. Name some instead to have no others, as `['link.passwordProtection']`.
 */
export const plugins: readonly PluginFeature[] = (Object.keys(registry) as PluginFeature[]).filter(
  feature => !offAtFirst.includes(feature),
)
