import { type Plan, type Plans, unlimited } from '../core/settings/plan.ts'
import type { PluginFeature } from '../plugins/index.ts'
import type { contract } from './contract.ts'

type Named = typeof contract

/**
 * What accounts may use, by plan. New accounts get `unlimited`. A plan that omits a feature of the registry, or names
 * an unknown one, does not compile. Admins can change plans and add others while the instance runs; these changes are
 * stored separately and override this file.
 */
const everything: Plan<Named, PluginFeature> = {
  name: 'Unlimited',
  limits: {
    maxLinksCreatedPerMonth: unlimited,
    maxTrackedVisitsPerMonth: unlimited,
  },
  organization: {
    maxTags: unlimited,
    maxCampaigns: unlimited,
  },
  analytics: {
    visitsTracking: true,
    visitsFromQrCodesTracking: true,
    utmTracking: true,
    visitsByBrowser: true,
    visitsByOperatingSystem: true,
    visitsByDeviceType: true,
    visitsByLanguage: true,
    visitsByCountry: true,
    visitsByCity: true,
    visitsByReferer: true,
    visitsOverTime: true,
  },
  link: {
    customShortCode: true,
    editShortCode: true,
    editOriginalUrl: true,
    linkExpiration: true,
    passwordProtection: true,
    dynamicRouting: true,
  },
  developer: {
    apiKeys: true,
  },
  extensions: {
    'organization.customDomains': true,
    'organization.frontPage': true,
    'organization.tags': true,
    'organization.campaigns': true,
    'organization.mail': true,
    'organization.notices': true,
    'organization.signUp': true,
    'organization.singleSignOn': true,
    'organization.savedSearches': true,
    'organization.imports': true,
    'organization.secondFactor': true,
    'organization.auditLog': true,
    'organization.exports': true,
    'link.codeRules': true,
    'link.pageTitle': true,
    'link.urlScanning': true,
    'link.utmParameters': true,
    'link.paths': true,
    'link.queryForwarding': true,
    'link.redirectStatus': true,
    'link.confirmation': true,
    'link.externalId': true,
    'link.linkPreview': true,
    'analytics.leftOutVisits': true,
    'analytics.visitsByRoutingRule': true,
    'analytics.uniqueVisitors': true,
    'analytics.trackingPixel': true,
    'analytics.annotations': true,
    'analytics.publicNumbers': true,
    'analytics.geoipUpdates': true,
    'developer.webhooks': true,
    'developer.mcp': true,
    'developer.metrics': true,
    'developer.yourls': true,
    'developer.shlink': true,
    'developer.kutt': true,
    'dashboard.web': true,
  },
}

export const plans: Plans<Named, PluginFeature> = {
  free: {
    name: 'Free',
    limits: {
      maxLinksCreatedPerMonth: 50,
      maxTrackedVisitsPerMonth: 5_000,
    },
    organization: {
      maxTags: 5,
      maxCampaigns: 1,
    },
    analytics: {
      ...everything.analytics,
      utmTracking: false,
      visitsByCity: false,
    },
    link: {
      ...everything.link,
      editShortCode: false,
      linkExpiration: false,
      passwordProtection: false,
      dynamicRouting: false,
    },
    developer: {
      apiKeys: false,
    },
    extensions: {
      ...everything.extensions,
      'organization.customDomains': false,
      'organization.frontPage': false,
      'developer.webhooks': false,
    },
  },

  pro: {
    ...everything,
    name: 'Pro',
    limits: {
      maxLinksCreatedPerMonth: 1_000,
      maxTrackedVisitsPerMonth: 100_000,
    },
    organization: {
      maxTags: 50,
      maxCampaigns: 20,
    },
    link: {
      ...everything.link,
      dynamicRouting: false,
    },
    recommended: true,
  },

  business: {
    ...everything,
    name: 'Business',
    limits: {
      maxLinksCreatedPerMonth: 10_000,
      maxTrackedVisitsPerMonth: 1_000_000,
    },
    organization: {
      maxTags: 500,
      maxCampaigns: 200,
    },
  },

  unlimited: everything,
}
