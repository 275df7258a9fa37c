import type { Registry } from '../core/plugin.ts'

/**
 * Every plugin that comes with Linnet, in running order: what protects a link runs before what routes
 * it. Each is imported only when it is on.
 */
export const registry = {
  'link.customShortCode': () => import('./link/custom-short-code.ts'),
  'link.editOriginalUrl': () => import('./link/edit-original-url.ts'),
  'link.passwordProtection': () => import('./link/password-protection.ts'),
  'analytics.visitsTracking': () => import('./analytics/visits-tracking.ts'),
  'analytics.visitsOverTime': () => import('./analytics/visits-over-time.ts'),
  'analytics.visitsByBrowser': () => import('./analytics/visits-by-browser.ts'),
  'analytics.visitsByOperatingSystem': () => import('./analytics/visits-by-operating-system.ts'),
  'analytics.visitsByDeviceType': () => import('./analytics/visits-by-device-type.ts'),
  'analytics.visitsByLanguage': () => import('./analytics/visits-by-language.ts'),
  'analytics.visitsByReferer': () => import('./analytics/visits-by-referer.ts'),
  'developer.apiKeys': () => import('./developer/api-keys.ts'),
} satisfies Registry

/** The features that plugins bring. */
export type PluginFeature = keyof typeof registry
