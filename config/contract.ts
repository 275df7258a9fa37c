import type { Contract } from '../core/settings/contract.ts'
import { problemCodes } from './problem-codes.ts'

/**
 * The names that the interface specification fixes (sections 2 and 5). They are in every profile, even without the
 * plugins that implement them. All other names come from plugins.
 */
export const contract = {
  limits: {
    limits: ['maxLinksCreatedPerMonth', 'maxTrackedVisitsPerMonth'],
    organization: ['maxTags', 'maxCampaigns'],
  },
  features: {
    analytics: [
      'visitsTracking',
      'visitsFromQrCodesTracking',
      'utmTracking',
      'visitsByBrowser',
      'visitsByOperatingSystem',
      'visitsByDeviceType',
      'visitsByLanguage',
      'visitsByCountry',
      'visitsByCity',
      'visitsByReferer',
      'visitsOverTime',
    ],
    link: [
      'customShortCode',
      'editShortCode',
      'editOriginalUrl',
      'linkExpiration',
      'passwordProtection',
      'dynamicRouting',
    ],
    developer: ['apiKeys'],
  },
  usage: ['linksCreatedThisMonth', 'visitsTrackedThisMonth', 'tagsCount', 'campaignsCount'],
  flags: [
    'billingEnabled',
    'linkCreationEnabled',
    'campaignCreationEnabled',
    'tagCreationEnabled',
    'redirectCacheEnabled',
    'visitTrackingEnabled',
    'urlScanningEnabled',
    'apiAccessEnabled',
  ],
  tokens: 'developer.apiKeys',
  groups: ['Profile', 'Tags', 'Campaigns', 'Links', 'Analytics', 'Api Tokens'],
  problems: problemCodes,
} as const satisfies Contract
