import { createCredentials } from '../../accounts/access/credentials.ts'
import { allows } from '../../accounts/access/scopes.ts'
import { createSetUp } from '../../accounts/access/set-up.ts'
import { rememberLatest } from '../../doctor/examine-proxies.ts'
import { createApi } from '../../http/api/api.ts'
import { createCallApi } from '../../http/api/call-api.ts'
import { createAnswerCounts } from '../../http/api/count-answers.ts'
import { createIdempotency } from '../../http/api/idempotency.ts'
import { createSessionCookie } from '../../http/api/session-cookie.ts'
import { createPaging } from '../../http/api/signed-pages.ts'
import { createUnderWay } from '../../http/api/under-way.ts'
import { assets, lookOf } from '../../http/pages/look.ts'
import { misdirectedPage } from '../../http/pages/pages.ts'
import { createPageSender } from '../../http/pages/send-page.ts'
import { requestedHost } from '../../http/request/requested-host.ts'
import { type Handler, splitPaths } from '../../http/request/split-paths.ts'
import { healthRoutes } from '../../http/routes/health-routes.ts'
import { pluginMounts } from '../../http/routes/plugin-mounts.ts'
import { serveLogo } from '../../http/server/serve-logo.ts'
import { createServer } from '../../http/server/server.ts'
import { siteMounts } from '../../http/server/sites.ts'
import { watchHosts } from '../../http/server/watch-hosts.ts'
import { allJobs } from '../../kernel/jobs/all-jobs.ts'
import { clientKey } from '../../lib/client-key.ts'
import { createFollow } from '../../links/follow/follow.ts'
import { createFollowHost } from '../../links/follow/follow-host.ts'
import { brandOf } from '../../settings/brand.ts'
import { keptUnlessSaid } from '../../visits/upkeep/age-counts.ts'
import type { LastingRecipes, Recipes } from '../parts/parts.ts'
import { allRoutes, base } from './all-routes.ts'
import { checkHealth } from './check-health.ts'
import { newRequestId } from './new-request-id.ts'

/** What speaks HTTP. */
export const httpRecipes = {
  setUp(get) {
    const { storage, now } = get('given')
    return createSetUp({ db: storage.db, now, checkGuess: get('checkGuess') })
  },

  cookie: get => createSessionCookie({ secure: get('given').baseUrl.startsWith('https:') }),

  clients: get => rememberLatest(get('given').trustedProxies),

  pageSender(get) {
    const { settings, baseUrl } = get('given')
    const workOut = () => lookOf(brandOf(settings.read().brand), baseUrl)
    let look = workOut()
    settings.onChange(() => {
      look = workOut()
    })
    return createPageSender(() => look)
  },

  answerCounts: createAnswerCounts,

  server(get, { now }) {
    const { log, fastLane = false } = get('given')
    return createServer({
      ...now('answering'),
      pageSender: get('pageSender'),
      newRequestId,
      log,
      fastLane,
    })
  },
} satisfies Partial<LastingRecipes>

/** What answers over HTTP with a set of plugins, and to whom. */
export const answeringRecipes = {
  underWay: createUnderWay,

  everyJob(get) {
    const { storage, now, signal, kept = keptUnlessSaid, backupsKept = 7 } = get('given')
    return allJobs(get('plugins').running, {
      db: storage.db,
      backups: get('backups'),
      backupsKept,
      now,
      signal,
      kept,
    })
  },

  credentials(get) {
    const { storage, contract, now, log, baseUrl } = get('given')
    const entitlements = get('entitlements')
    return {
      ...createCredentials({ db: storage.db, entitlements, feature: contract.tokens, now, log }),
      allows,
      cookie: get('cookie').name,
      origins: [baseUrl],
    }
  },

  routes: allRoutes,

  health(get) {
    const { storage, settings, now } = get('given')
    return () =>
      checkHealth({
        storage,
        recorder: get('recorder'),
        places: get('places'),
        plugins: get('plugins'),
        contain: get('contain'),
        jobs: get('jobs'),
        settings,
        now: now(),
      })
  },

  answering(get) {
    const {
      storage,
      now,
      log,
      secret,
      baseUrl,
      trustedProxies,
      corsOrigins,
      otherHosts,
      patienceMs,
      checkAnswers = false,
    } = get('given')
    const following = get('following')
    const pageSender = get('pageSender')
    const shared = {
      credentials: get('credentials'),
      clientAddress: get('clients').addressOf,
      paging: createPaging(secret),
      onRefusedToken: (ip: string) => get('noteEvent')('refused_token', { client: clientKey(ip) }),
      newRequestId,
      log,
      track: get('underWay').track,
      answerMs: patienceMs && 2 * patienceMs,
      checkAnswers,
    }
    const plugins = get('plugins').running.map(({ plugin }) => plugin)
    const { counting } = get('answerCounts')
    const countedIfWanted = plugins.some(({ measures }) => measures)
      ? counting
      : (follow: Handler) => follow
    const followHost = createFollowHost(following)
    const answerOnce = createIdempotency({ db: storage.db, now, log })
    const headers = headersOf(baseUrl)
    const health = createApi({ ...shared, base: '/health', routes: healthRoutes(get('health')) })
    const misdirected: Handler = (req, res) =>
      pageSender.page(req, res, misdirectedPage, newRequestId())
    return {
      follow: countedIfWanted(
        createFollow({
          ...following,
          headers,
          notFound: following.pages.notFound(headers),
          findLink: code => following.findLink('', code),
        }),
      ),
      headers,
      hosts: {
        hostOf: requestedHost(trustedProxies),
        own: new URL(baseUrl).host,
        ...(otherHosts === 'refuse' && { unknown: splitPaths(misdirected, { health }) }),
        watch: watchHosts(get('hosts'), host => countedIfWanted(followHost(host))),
      },
      mounts: {
        ...siteMounts(plugins, { log, pageSender, newRequestId }),
        ...pluginMounts(get('plugins').running, {
          contain: get('contain'),
          callApi: createCallApi({ ...shared, routes: get('routes'), answerOnce }),
          newRequestId,
          track: get('underWay').track,
        }),
        [assets]: serveLogo(pageSender, newRequestId),
        api: createApi({ ...shared, base, routes: get('routes'), answerOnce, corsOrigins }),
        health,
      },
    }
  },
} satisfies Partial<Recipes>

/**
 * What is reached by https stays so: browsers come back by nothing else (RFC 6797), and take no notice of it
 * over http. Subdomains may be anybody's.
 */
function headersOf(baseUrl: string): readonly string[] {
  return baseUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : []
}
