import type { Registry } from '../core/plugin.ts'

/**
 * Every plugin that comes with Linnet, in the order in which they run: plugins that protect a link run before those
 * that route it. A plugin is imported only if it is on.
 */
export const registry = {
  'link.customShortCode': () => import('./link/custom-short-code.ts'),
  'link.editShortCode': () => import('./link/edit-short-code.ts'),
  'link.codeRules': () => import('./link/code-rules.ts'),
  'link.editOriginalUrl': () => import('./link/edit-original-url.ts'),
  'link.pageTitle': () => import('./link/page-title.ts'),
  'link.urlScanning': () => import('./link/url-scanning.ts'),
  'link.utmParameters': () => import('./link/utm-parameters.ts'),
  'link.linkExpiration': () => import('./link/link-expiration.ts'),
  'link.passwordProtection': () => import('./link/password-protection.ts'),
  'link.dynamicRouting': () => import('./link/dynamic-routing.ts'),
  'link.paths': () => import('./link/paths.ts'),
  'link.queryForwarding': () => import('./link/query-forwarding.ts'),
  'link.redirectStatus': () => import('./link/redirect-status.ts'),
  'link.confirmation': () => import('./link/confirmation.ts'),
  'link.externalId': () => import('./link/external-id.ts'),
  'link.linkPreview': () => import('./link/link-preview.ts'),
  'organization.customDomains': () => import('./organization/custom-domains.ts'),
  'organization.frontPage': () => import('./organization/front-page.ts'),
  'organization.tags': () => import('./organization/tags.ts'),
  'organization.campaigns': () => import('./organization/campaigns.ts'),
  'organization.mail': () => import('./organization/mail.ts'),
  'organization.singleSignOn': () => import('./organization/single-sign-on.ts'),
  'organization.secondFactor': () => import('./organization/second-factor.ts'),
  'organization.auditLog': () => import('./organization/audit-log.ts'),
  'organization.savedSearches': () => import('./organization/saved-searches.ts'),
  'organization.exports': () => import('./organization/exports.ts'),
  'organization.imports': () => import('./organization/imports.ts'),
  'analytics.leftOutVisits': () => import('./analytics/left-out-visits.ts'),
  'analytics.visitsTracking': () => import('./analytics/visits-tracking.ts'),
  'analytics.uniqueVisitors': () => import('./analytics/unique-visitors.ts'),
  'analytics.visitsFromQrCodesTracking': () =>
    import('./analytics/visits-from-qr-codes-tracking.ts'),
  'analytics.visitsOverTime': () => import('./analytics/visits-over-time.ts'),
  'analytics.visitsByBrowser': () => import('./analytics/visits-by-browser.ts'),
  'analytics.visitsByOperatingSystem': () => import('./analytics/visits-by-operating-system.ts'),
  'analytics.visitsByDeviceType': () => import('./analytics/visits-by-device-type.ts'),
  'analytics.visitsByLanguage': () => import('./analytics/visits-by-language.ts'),
  'analytics.visitsByCountry': () => import('./analytics/visits-by-country.ts'),
  'analytics.visitsByCity': () => import('./analytics/visits-by-city.ts'),
  'analytics.visitsByRoutingRule': () => import('./analytics/visits-by-routing-rule.ts'),
  'analytics.visitsByReferer': () => import('./analytics/visits-by-referer.ts'),
  'analytics.utmTracking': () => import('./analytics/utm-tracking.ts'),
  'analytics.trackingPixel': () => import('./analytics/tracking-pixel.ts'),
  'analytics.annotations': () => import('./analytics/annotations.ts'),
  'analytics.publicNumbers': () => import('./analytics/public-numbers.ts'),
  'analytics.geoipUpdates': () => import('./analytics/geoip-updates.ts'),
  'developer.apiKeys': () => import('./developer/api-keys.ts'),
  'developer.webhooks': () => import('./developer/webhooks.ts'),
  'developer.metrics': () => import('./developer/metrics.ts'),
  'developer.yourls': () => import('./developer/yourls.ts'),
  'developer.shlink': () => import('./developer/shlink.ts'),
  'developer.kutt': () => import('./developer/kutt.ts'),
  'dashboard.web': () => import('./dashboard/web.ts'),
} satisfies Registry

/** The features that plugins bring. */
export type PluginFeature = keyof typeof registry
