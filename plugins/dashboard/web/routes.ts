import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { linksQuery } from './api/links/links.ts'
import { analyticsSearch } from './pages/analytics/controls/analytics-search.ts'
import { LinksPage } from './pages/links/links-page.tsx'
import { newLinkSearch } from './pages/links/new-link/new-link-search.ts'
import { linksSearch, questionOf } from './pages/links/search/links-search.ts'
import { signInSearch } from './pages/sign-in/sign-in-search.ts'
import { Shell } from './shell/shell.tsx'
import { mustBeNew, mustBeSetUp, mustBeSignedIn } from './shell/start/guard.ts'
import { lazyPage } from './shell/start/lazy-page.ts'

/**
 * All pages by their paths below `/dashboard`. Each is loaded when it is first opened, except the list of
 * links: most people come for it, and would wait for its code after everything else.
 */

const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()()

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  beforeLoad: mustBeNew,
  component: lazyPage(() => import('./pages/set-up/set-up-page.tsx'), 'SetUpPage'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  beforeLoad: mustBeSetUp,
  component: lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const oneTimeLink = createRoute({
  getParentRoute: () => root,
  path: '/one-time-link',
  component: lazyPage(
    () => import('./pages/one-time-link/one-time-link-page.tsx'),
    'OneTimeLinkPage',
  ),
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: mustBeSignedIn,
  component: Shell,
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/links', replace: true })
  },
})

const links = createRoute({
  getParentRoute: () => inside,
  path: '/links',
  validateSearch: linksSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchQuery(linksQuery(questionOf(deps)))
  },
  component: LinksPage,
})

const newLink = createRoute({
  getParentRoute: () => inside,
  path: '/links/new',
  validateSearch: newLinkSearch,
  component: lazyPage(() => import('./pages/links/new-link/new-link-page.tsx'), 'NewLinkPage'),
})

const importLinks = createRoute({
  getParentRoute: () => inside,
  path: '/links/import',
  component: lazyPage(() => import('./pages/links/import/import-page.tsx'), 'ImportPage'),
})

const moveIn = createRoute({
  getParentRoute: () => inside,
  path: '/links/move-in',
  component: lazyPage(() => import('./pages/links/move-in/move-in-page.tsx'), 'MoveInPage'),
})

const editLink = createRoute({
  getParentRoute: () => inside,
  path: '/links/$id',
  component: lazyPage(() => import('./pages/links/edit/edit-link-page.tsx'), 'EditLinkPage'),
})

const linkAnalytics = createRoute({
  getParentRoute: () => inside,
  path: '/links/$id/analytics',
  validateSearch: analyticsSearch,
  component: lazyPage(
    () => import('./pages/analytics/link-analytics-page.tsx'),
    'LinkAnalyticsPage',
  ),
})

const analytics = createRoute({
  getParentRoute: () => inside,
  path: '/analytics',
  validateSearch: analyticsSearch,
  component: lazyPage(() => import('./pages/analytics/analytics-page.tsx'), 'AnalyticsPage'),
})

const tagAnalytics = createRoute({
  getParentRoute: () => inside,
  path: '/tags/$id/analytics',
  validateSearch: analyticsSearch,
  component: lazyPage(() => import('./pages/analytics/tag-analytics-page.tsx'), 'TagAnalyticsPage'),
})

const campaignAnalytics = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns/$id/analytics',
  validateSearch: analyticsSearch,
  component: lazyPage(
    () => import('./pages/analytics/campaign-analytics-page.tsx'),
    'CampaignAnalyticsPage',
  ),
})

const tags = createRoute({
  getParentRoute: () => inside,
  path: '/tags',
  component: lazyPage(() => import('./pages/tags/tags-page.tsx'), 'TagsPage'),
})

const campaigns = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns',
  component: lazyPage(() => import('./pages/campaigns/campaigns-page.tsx'), 'CampaignsPage'),
})

const campaign = createRoute({
  getParentRoute: () => inside,
  path: '/campaigns/$id',
  component: lazyPage(() => import('./pages/campaigns/campaign-page.tsx'), 'CampaignPage'),
})

const domains = createRoute({
  getParentRoute: () => inside,
  path: '/domains',
  component: lazyPage(() => import('./pages/domains/domains-page.tsx'), 'DomainsPage'),
})

const tokens = createRoute({
  getParentRoute: () => inside,
  path: '/tokens',
  component: lazyPage(() => import('./pages/tokens/tokens-page.tsx'), 'TokensPage'),
})

const apps = createRoute({
  getParentRoute: () => inside,
  path: '/tokens/apps',
  component: lazyPage(() => import('./pages/tokens/apps/apps-page.tsx'), 'AppsPage'),
})

const apiReference = createRoute({
  getParentRoute: () => inside,
  path: '/tokens/api',
  component: lazyPage(() => import('./pages/tokens/api/api-page.tsx'), 'ApiPage'),
})

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
})

const panels = createRoute({
  getParentRoute: () => inside,
  path: '/plugins/$group/$name',
  component: lazyPage(() => import('./pages/panels/panels-page.tsx'), 'PanelsPage'),
})

const site = createRoute({
  getParentRoute: () => inside,
  path: '/sites/$site',
  component: lazyPage(() => import('./pages/site/site-page.tsx'), 'SitePage'),
})

const admin = createRoute({
  getParentRoute: () => inside,
  path: '/admin',
  component: lazyPage(() => import('./pages/admin/admin-page.tsx'), 'AdminPage'),
})

const adminHome = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/accounts', replace: true })
  },
})

const adminAccounts = createRoute({
  getParentRoute: () => admin,
  path: '/accounts',
  component: lazyPage(() => import('./pages/admin/accounts/accounts-page.tsx'), 'AccountsPage'),
})

const adminPlans = createRoute({
  getParentRoute: () => admin,
  path: '/plans',
  component: lazyPage(() => import('./pages/admin/plans/plans-page.tsx'), 'PlansPage'),
})

const adminPlan = createRoute({
  getParentRoute: () => admin,
  path: '/plans/$slug',
  component: lazyPage(() => import('./pages/admin/plans/plan-page.tsx'), 'PlanPage'),
})

const adminFeatures = createRoute({
  getParentRoute: () => admin,
  path: '/features',
  component: lazyPage(() => import('./pages/admin/features/features-page.tsx'), 'FeaturesPage'),
})

const adminBrand = createRoute({
  getParentRoute: () => admin,
  path: '/brand',
  component: lazyPage(() => import('./pages/admin/brand/brand-page.tsx'), 'BrandPage'),
})

const adminPlugins = createRoute({
  getParentRoute: () => admin,
  path: '/plugins',
  component: lazyPage(() => import('./pages/admin/plugins/plugins-page.tsx'), 'PluginsPage'),
})

const adminPackages = createRoute({
  getParentRoute: () => admin,
  path: '/plugins/packages',
  component: lazyPage(
    () => import('./pages/admin/plugins/packages/packages-page.tsx'),
    'PackagesPage',
  ),
})

const adminPlugin = createRoute({
  getParentRoute: () => admin,
  path: '/plugins/$group/$name',
  component: lazyPage(() => import('./pages/admin/plugins/plugin-page.tsx'), 'PluginPage'),
})

const adminJobs = createRoute({
  getParentRoute: () => admin,
  path: '/jobs',
  component: lazyPage(() => import('./pages/admin/jobs/jobs-page.tsx'), 'JobsPage'),
})

const adminBackups = createRoute({
  getParentRoute: () => admin,
  path: '/backups',
  component: lazyPage(() => import('./pages/admin/backups/backups-page.tsx'), 'BackupsPage'),
})

const adminBlockedLinks = createRoute({
  getParentRoute: () => admin,
  path: '/blocked-links',
  component: lazyPage(
    () => import('./pages/admin/blocked-links/blocked-links-page.tsx'),
    'BlockedLinksPage',
  ),
})

const adminHealth = createRoute({
  getParentRoute: () => admin,
  path: '/health',
  component: lazyPage(() => import('./pages/admin/health/health-page.tsx'), 'HealthPage'),
})

export const routes = root.addChildren([
  setUp,
  signIn,
  oneTimeLink,
  inside.addChildren([
    home,
    links,
    newLink,
    importLinks,
    moveIn,
    editLink,
    linkAnalytics,
    analytics,
    tagAnalytics,
    campaignAnalytics,
    tags,
    campaigns,
    campaign,
    domains,
    tokens,
    apiReference,
    apps,
    settings,
    panels,
    site,
    admin.addChildren([
      adminHome,
      adminAccounts,
      adminPlans,
      adminPlan,
      adminFeatures,
      adminBrand,
      adminPlugins,
      adminPackages,
      adminPlugin,
      adminJobs,
      adminBackups,
      adminBlockedLinks,
      adminHealth,
    ]),
  ]),
])
