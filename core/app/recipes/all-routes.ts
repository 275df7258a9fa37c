import { z } from 'zod'
import { scopesOf } from '../../accounts/access/scopes.ts'
import { createSignIn } from '../../accounts/access/sign-in.ts'
import { profileSchema } from '../../accounts/profile.ts'
import { examine } from '../../doctor/examine.ts'
import type { Finding } from '../../doctor/finding.ts'
import type { Route } from '../../http/api/route.ts'
import { thenRefresh } from '../../http/api/then-refresh.ts'
import { accountRoutes } from '../../http/routes/account-routes.ts'
import { adminPluginRoutes } from '../../http/routes/admin-plugin-routes.ts'
import { analyticsRoutes } from '../../http/routes/analytics/analytics-routes.ts'
import { backupRoutes } from '../../http/routes/backup-routes.ts'
import { brandRoutes } from '../../http/routes/brand-routes.ts'
import { doctorRoutes } from '../../http/routes/doctor-routes.ts'
import { featureRoutes } from '../../http/routes/feature-routes.ts'
import { instanceRoutes } from '../../http/routes/instance-routes.ts'
import { jobRoutes } from '../../http/routes/job-routes.ts'
import { bulkLinkRoutes } from '../../http/routes/links/bulk-link-routes.ts'
import { createLinkActions } from '../../http/routes/links/link-actions.ts'
import { linkRoutes } from '../../http/routes/links/link-routes.ts'
import { shortCodeRoutes } from '../../http/routes/links/short-code-routes.ts'
import { createShowLinks } from '../../http/routes/links/show-links.ts'
import { openApiRoute } from '../../http/routes/openapi-route.ts'
import { ownPasswordRoutes } from '../../http/routes/own-password-routes.ts'
import { ownSessionRoutes } from '../../http/routes/own-session-routes.ts'
import { planRoutes } from '../../http/routes/plan-routes.ts'
import { pluginEndpointRoutes } from '../../http/routes/plugin-endpoint-routes.ts'
import { pluginPackageRoutes } from '../../http/routes/plugin-package-routes.ts'
import { pluginRoutes } from '../../http/routes/plugin-routes.ts'
import { type DeleteAccount, profileRoutes } from '../../http/routes/profile-routes.ts'
import { sessionRoutes } from '../../http/routes/session-routes.ts'
import { setUpRoutes } from '../../http/routes/set-up-routes.ts'
import { countUsage } from '../../kernel/hooks/count-usage.ts'
import { createPluginState } from '../../kernel/run/plugin-state.ts'
import type { RunningPlugin } from '../../kernel/run/start-plugins.ts'
import { deleteAccountAndLinks } from '../../links/write/delete-account-and-links.ts'
import type { Get } from '../parts/parts.ts'

/** What every path of the API begins with. */
export const base = '/api/v1'

/** Everything the API answers, the plugins' endpoints among it. */
export function allRoutes(get: Get): readonly Route[] {
  const { storage, now, log } = get('given')
  const { settings, env, version, packages } = get('given')
  const startedAt = new Date(now().getTime() - process.uptime() * 1_000)
  const switcher = get('switcher')
  const { db } = storage
  const { running } = get('plugins')
  const plugins = running.map(({ plugin }) => plugin)
  const entitlements = get('entitlements')
  const credentials = get('credentials')
  const settle = get('settle')
  const forgetLinks = (accountId: number) => {
    get('cache').forgetAll()
    get('hosts').forget(accountId)
  }
  const deleteAccount: DeleteAccount = (id, object) =>
    deleteAccountAndLinks(get('links'), id, object)
  const contract = get('contract')
  const counts = (accountId: number) =>
    countUsage(contract.usage, running, get('contain'), accountId)
  const answer = z.strictObject({ data: profileSchema(contract) })
  const profile = { db, entitlements, now, counts, answer }
  const confirm = get('confirm')
  const session = { ...profile, confirm, cookie: get('cookie') }
  const answers = get('answers')
  const statuses = get('statuses')
  const links = {
    links: get('links'),
    actions: createLinkActions(get('links'), entitlements),
    show: createShowLinks({ db, answers, statuses, shortUrls: get('shortUrls') }),
    fields: get('fields'),
    answers,
  }

  const routes = [
    ...profileRoutes({ ...profile, confirm, deleteAccount, forgetLinks }),
    ...linkRoutes({ ...links, statuses, filters: get('filters'), settle }),
    ...bulkLinkRoutes({ ...links, log }),
    ...shortCodeRoutes(links.links, get('hosts')),
    ...analyticsRoutes({ db, running, contain: get('contain'), entitlements, settle, now, log }),
    ...running.flatMap(member => endpointsOf(member, get)),
    ...pluginRoutes({
      plugins,
      isEnabled: ({ plan }, feature) => !entitlements.check(plan, feature),
      attributionOf: get('places').attribution,
    }),
    ...setUpRoutes({ ...session, setUp: get('setUp') }),
    ...sessionRoutes({ ...session, credentials, signIn: createSignIn(db, get('checkGuess')) }),
    ...ownPasswordRoutes(session),
    ...ownSessionRoutes({ db, now }),
    ...accountRoutes({ db, now, deleteAccount, forgetLinks }),
    ...planRoutes(entitlements, contract),
    ...featureRoutes(entitlements, contract),
    ...brandRoutes(settings),
    ...instanceRoutes({ version, file: storage.file, startedAt }),
    ...doctorRoutes(() => examineNow(get)),
    ...jobRoutes({ jobs: get('jobs'), log }),
    ...backupRoutes({ backups: get('backups'), log }),
    ...pluginPackageRoutes({ packages, switcher, log }),
    ...adminPluginRoutes({
      db,
      contain: get('contain'),
      switcher,
      state: createPluginState({ choice: () => switcher.offer().choice, settings, env }),
    }),
  ]
  const described = {
    base,
    cookie: credentials.cookie,
    groups: contract.groups,
    scopes: scopesOf(plugins),
  }
  return [...routes, openApiRoute(routes, described)]
}

/** The request that asks is the latest that came in. */
function examineNow(get: Get): Promise<readonly Finding[]> {
  const { storage, now, backupsKept = 7, trustedProxies, baseUrl } = get('given')
  const cameIn = get('clients').latest()
  return examine({
    file: storage.file,
    places: get('places'),
    backupsKept,
    now: now(),
    ...(cameIn && { request: { cameIn, trustedProxies, baseUrl } }),
  })
}

/** The endpoints of a plugin; after those of one that answers for hosts, visitors see what changed. */
function endpointsOf(member: RunningPlugin, get: Get): readonly Route[] {
  const routes = pluginEndpointRoutes({
    running: [member],
    contain: get('contain'),
    db: get('given').storage.db,
    entitlements: get('entitlements'),
    hooks: get('hooks'),
    throttle: get('throttle'),
    confirm: get('confirm'),
  })
  return member.plugin.hosts ? thenRefresh(routes, () => get('hosts').refresh()) : routes
}
