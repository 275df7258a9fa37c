import { type PluginFeature, registry } from '../plugins/index.ts'

/** Plugins that are off until somebody switches them on: `linnet plugins on developer.metrics`. */
const offAtFirst: readonly PluginFeature[] = [
  'analytics.geoipUpdates',
  'analytics.leftOutVisits',
  'analytics.trackingPixel',
  'developer.kutt',
  'developer.metrics',
  'organization.auditLog',
  'developer.shlink',
  'developer.yourls',
  'organization.mail',
  'organization.signUp',
  'organization.singleSignOn',
]

/**
 * The features that are on, unless `PLUGINS` in the environment or `linnet plugins off` says otherwise: nearly all. To
 * have only some, list them, such as `['link.passwordProtection']`.
 */
export const plugins: readonly PluginFeature[] = (Object.keys(registry) as PluginFeature[]).filter(
  feature => !offAtFirst.includes(feature),
)
