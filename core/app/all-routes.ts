import type { Credentials } from '../http/api/access/identify.ts'
import { openApiRoute } from '../http/api/openapi/openapi.ts'
import type { Route } from '../http/api/route/route.ts'
import { nameApart } from '../http/api/route/route-table.ts'
import { accountRoutes } from '../http/routes/accounts/account-routes.ts'
import { handOverRoutes } from '../http/routes/accounts/hand-over-routes.ts'
import { ownPasswordRoutes, profileRoutes } from '../http/routes/accounts/profile-routes.ts'
import { suspensionRoutes } from '../http/routes/accounts/suspension-routes.ts'
import { analyticsRoutes } from '../http/routes/analytics/analytics-routes.ts'
import { backupRoutes } from '../http/routes/backup-routes.ts'
import { brandRoutes } from '../http/routes/brand-routes.ts'
import { featureRoutes } from '../http/routes/feature-routes.ts'
import { doctorRoutes, instanceRoutes } from '../http/routes/instance-routes.ts'
import { jobRoutes } from '../http/routes/job-routes.ts'
import { languageRoutes } from '../http/routes/language-routes.ts'
import { bulkLinkRoutes } from '../http/routes/links/bulk-link-routes.ts'
import { deletedLinkRoutes } from '../http/routes/links/deleted-link-routes.ts'
import { keyedLinkRoutes } from '../http/routes/links/keyed-link-routes.ts'
import { linkRoutes } from '../http/routes/links/link-routes.ts'
import { shortCodeRoutes } from '../http/routes/links/short-code-routes.ts'
import { planRoutes } from '../http/routes/plan-routes.ts'
import { pluginEndpointRoutes } from '../http/routes/plugin-endpoint-routes.ts'
import { pluginPackageRoutes } from '../http/routes/plugin-package-routes.ts'
import { adminPluginRoutes, pluginRoutes } from '../http/routes/plugin-routes.ts'
import { identityRoutes } from '../http/routes/sign-in/identity-routes.ts'
import { oneTimeLinkRoutes } from '../http/routes/sign-in/one-time-link-routes.ts'
import { providerRoutes } from '../http/routes/sign-in/provider-routes.ts'
import { secondStepRoutes } from '../http/routes/sign-in/second-step-routes.ts'
import {
  accountAccessRoutes,
  ownSessionRoutes,
  sessionRoutes,
} from '../http/routes/sign-in/session-routes.ts'
import { setUpRoutes } from '../http/routes/sign-in/set-up-routes.ts'

/** The prefix of every path of the API. */
export const base = '/api/v1'

/** All routes of the API, in the order of the OpenAPI document. */
const groups = [
  profileRoutes,
  linkRoutes,
  keyedLinkRoutes,
  deletedLinkRoutes,
  bulkLinkRoutes,
  shortCodeRoutes,
  analyticsRoutes,
  pluginEndpointRoutes,
  pluginRoutes,
  languageRoutes,
  setUpRoutes,
  sessionRoutes,
  secondStepRoutes,
  providerRoutes,
  oneTimeLinkRoutes,
  ownPasswordRoutes,
  ownSessionRoutes,
  identityRoutes,
  accountRoutes,
  suspensionRoutes,
  handOverRoutes,
  accountAccessRoutes,
  planRoutes,
  featureRoutes,
  brandRoutes,
  instanceRoutes,
  doctorRoutes,
  jobRoutes,
  backupRoutes,
  pluginPackageRoutes,
  adminPluginRoutes,
] as const

/** The union of what the groups need. */
type Needs = Together<Parameters<(typeof groups)[number]>[0]>

type Together<Part> = (Part extends unknown ? (part: Part) => void : never) extends (
  whole: infer Whole,
) => void
  ? Whole
  : never

/** The routes of the API, including the one for the OpenAPI document. */
export function allRoutes(
  deps: Needs & {
    readonly credentials: Pick<Credentials, 'cookie'>
    /** The scopes that tokens can have. */
    readonly scopes: readonly string[]
  },
): readonly Route[] {
  const { contract, credentials, scopes } = deps
  const routes = nameApart(groups.flatMap(group => group(deps)))
  const { groups: first, problems } = contract
  const described = { base, cookie: credentials.cookie, groups: first, scopes, problems }
  return [...routes, openApiRoute(routes, described)]
}
