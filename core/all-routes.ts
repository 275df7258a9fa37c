import { createSignIn } from './accounts/sign-in.ts'
import { createLinkActions } from './http/link-actions.ts'
import type { Route } from './http/route.ts'
import { accountRoutes } from './http/routes/accounts.ts'
import { analyticsRoutes } from './http/routes/analytics.ts'
import { bulkLinkRoutes } from './http/routes/bulk-links.ts'
import { featureRoutes } from './http/routes/features.ts'
import { jobRoutes } from './http/routes/jobs.ts'
import { linkRoutes } from './http/routes/links.ts'
import { openApiRoute } from './http/routes/openapi.ts'
import { planRoutes } from './http/routes/plans.ts'
import { pluginEndpointRoutes } from './http/routes/plugin-endpoints.ts'
import { pluginRoutes } from './http/routes/plugins.ts'
import { profileRoutes } from './http/routes/profile.ts'
import { sessionRoutes } from './http/routes/session.ts'
import { setUpRoutes } from './http/routes/setup.ts'
import { createShowLinks } from './http/show-links.ts'
import { countUsage } from './kernel/count-usage.ts'
import type { Get } from './parts.ts'
import { settleSoon } from './visits/settle-soon.ts'

/** What every path of the API begins with. */
export const base = '/api/v1'

/** Everything the API answers, the plugins' endpoints among it. */
export function allRoutes(get: Get): readonly Route[] {
  const { storage, now, baseUrl, log } = get('given')
  const { db } = storage
  const { running } = get('plugins')
  const plugins = running.map(({ plugin }) => plugin)
  const entitlements = get('entitlements')
  const credentials = get('credentials')
  const settle = () => settleSoon(get('recorder'), log)
  const forgetLinks = () => get('cache').forgetAll()
  const counts = (accountId: number) => countUsage(running, accountId)
  const profile = { db, entitlements, now, counts }
  const session = { ...profile, cookie: get('cookie'), throttle: get('throttle') }
  const answers = get('answers')
  const statuses = get('statuses')
  const links = {
    links: get('links'),
    actions: createLinkActions(get('links'), entitlements),
    showAll: createShowLinks({ db, answers, statuses, baseUrl }),
    fields: get('fields'),
    answers,
  }

  const routes = [
    ...profileRoutes({ ...profile, forgetLinks }),
    ...linkRoutes({ ...links, statuses, filters: get('filters'), settle }),
    ...bulkLinkRoutes({ ...links, log }),
    ...analyticsRoutes({ db, plugins, entitlements, settle, now }),
    ...pluginEndpointRoutes({ running, contain: get('contain'), db, entitlements }),
    ...pluginRoutes({
      plugins,
      isEnabled: ({ plan }, feature) => !entitlements.check(plan, feature),
    }),
    ...setUpRoutes({ ...session, setUp: get('setUp') }),
    ...sessionRoutes({ ...session, credentials, signIn: createSignIn(db) }),
    ...accountRoutes({ db, now, forgetLinks }),
    ...planRoutes(entitlements),
    ...featureRoutes(entitlements),
    ...jobRoutes(get('jobs')),
  ]
  return [...routes, openApiRoute(routes, base)]
}
