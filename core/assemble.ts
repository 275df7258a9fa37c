import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { container, instanceCachingFactory } from 'tsyringe'
import { createCredentials } from './accounts/credentials.ts'
import { createEntitlements } from './accounts/entitlements.ts'
import { allows } from './accounts/scopes.ts'
import { createSetUp } from './accounts/set-up.ts'
import { createTokens } from './accounts/tokens.ts'
import { countLinkCreated } from './accounts/usage.ts'
import { allRoutes, base } from './all-routes.ts'
import { checkHealth } from './health.ts'
import { createApi } from './http/api.ts'
import { clientAddress } from './http/client-address.ts'
import { createIdempotency } from './http/idempotency.ts'
import { readForm } from './http/read-body.ts'
import { healthRoutes } from './http/routes/health.ts'
import { createServer } from './http/server.ts'
import { createSessionCookie } from './http/session-cookie.ts'
import { createVisitorPages } from './http/visitor-pages.ts'
import { allJobs } from './kernel/all-jobs.ts'
import { createContainment } from './kernel/contain.ts'
import { createGuardedFetch } from './kernel/guarded-fetch.ts'
import { createJobs } from './kernel/jobs.ts'
import { createAddressesOf, unchanged } from './kernel/link-addresses.ts'
import { createLinkAnswers } from './kernel/link-answers.ts'
import { createLinkFields } from './kernel/link-fields.ts'
import { createLinkFilters } from './kernel/link-filters.ts'
import { createLinkHooks } from './kernel/link-hooks.ts'
import { createLinkStatuses } from './kernel/link-statuses.ts'
import { createOwners } from './kernel/owners.ts'
import { isPublicAddress } from './kernel/public-address.ts'
import type { RunningPlugins } from './kernel/start-plugins.ts'
import { createLinkCache } from './links/cache.ts'
import { createFollow } from './links/follow.ts'
import { createLinkReader } from './links/link-reader.ts'
import { createPassKeeper } from './links/pass.ts'
import type { Get, Given, Parts } from './parts.ts'
import { createThrottle } from './throttle.ts'
import { dimensionsOf } from './visits/dimensions.ts'
import { noPlaces, openPlaces } from './visits/open-places.ts'
import { createRecorder } from './visits/recorder.ts'
import { imagineVisit } from './visits/visit.ts'

type Recipes = { readonly [K in Exclude<keyof Parts, 'given' | 'plugins'>]: (get: Get) => Parts[K] }

/** The parts, each made when it is first asked for. `plugins` is set once they have started. */
export function createParts(given: Given): {
  readonly get: Get
  set(name: 'plugins', plugins: RunningPlugins): void
} {
  const house = container.createChildContainer()
  const get: Get = name => house.resolve<Parts[typeof name]>(name)
  house.register('given', { useValue: given })
  for (const [name, make] of Object.entries(recipes)) {
    house.register(name, { useFactory: instanceCachingFactory(() => make(get)) })
  }
  return { get, set: (name, plugins) => house.register(name, { useValue: plugins }) }
}

const newRequestId = () => randomUUID()

/** How each part is made from the others. */
const recipes: Recipes = {
  contain: get => createContainment(get('given').log),

  throttle: createThrottle,

  services(get) {
    const { storage, log, now, signal, baseUrl } = get('given')
    const { fetch = createGuardedFetch({ isAllowed: isPublicAddress, signal }) } = get('given')
    const throttle = get('throttle')
    return {
      db: storage.db,
      log,
      now,
      signal,
      links: feature =>
        createLinkReader(
          {
            db: storage.db,
            cache: get('cache'),
            baseUrl,
            addressesOf: link => get('addresses')(unchanged(link)),
          },
          feature,
        ),
      tokens: createTokens({ db: storage.db, now }),
      fetch,
      imagineVisit: (link, said) => imagineVisit(link, said, get('places').of),
      isOn: feature => get('entitlements').isOn(feature),
      throttle: async (key, max, seconds) => (await throttle(key, max, seconds)).allowed,
    }
  },

  cache: get => createLinkCache(() => get('entitlements').features().redirectCacheEnabled),

  entitlements(get) {
    const { plans, features, settings } = get('given')
    const { running } = get('plugins')
    const installed = new Map(running.map(({ plugin }) => [plugin.feature as string, plugin]))
    const entitlements = createEntitlements({ plans, features, installed, settings })
    // What was compiled before may count or cache what is off now.
    entitlements.onChange(() => get('cache').forgetAll())
    return entitlements
  },

  fields: get => createLinkFields(get('plugins').running.map(({ plugin }) => plugin)),

  addresses: get => createAddressesOf(get('plugins').running.map(({ plugin }) => plugin)),

  answers: get => createLinkAnswers(get('plugins').running, get('fields'), get('contain')),

  statuses: get => createLinkStatuses(get('plugins').running),

  filters: get => createLinkFilters(get('plugins').running),

  hooks: get =>
    createLinkHooks(
      get('plugins').running,
      get('fields'),
      get('contain'),
      get('entitlements').check,
      get('addresses'),
    ),

  links(get) {
    const { storage, baseUrl, now } = get('given')
    return {
      db: storage.db,
      hooks: get('hooks'),
      cache: get('cache'),
      ownHosts: new Set([new URL(baseUrl).host]),
      now,
      countCreated(tx, { accountId, account }) {
        const { maxLinksCreatedPerMonth } = get('entitlements').plan(account.plan).limits
        return countLinkCreated(tx, accountId, maxLinksCreatedPerMonth, 1, now)
      },
    }
  },

  places(get) {
    const { geoipFile, log } = get('given')
    const areRead = get('plugins').running.some(({ plugin }) => plugin.reads?.includes('place'))
    return areRead ? openPlaces(log, geoipFile) : noPlaces
  },

  recorder(get) {
    const { storage, log, recorderUrl } = get('given')
    const plugins = get('plugins').running.map(({ plugin }) => plugin)
    return createRecorder({
      storage,
      log,
      features: plugins.map(({ feature }) => feature),
      dimensions: dimensionsOf(plugins),
      places: get('places'),
      ...(recorderUrl && { workerUrl: recorderUrl }),
      onVisited: visits => get('hooks').announceVisits(visits),
    })
  },

  jobs(get) {
    const { storage, now, log } = get('given')
    const jobs = allJobs(get('plugins').running, { db: storage.db, now })
    return createJobs(jobs, { db: storage.db, now, log })
  },

  setUp(get) {
    const { storage, now } = get('given')
    return createSetUp({ db: storage.db, now })
  },

  cookie: get => createSessionCookie({ secure: get('given').baseUrl.startsWith('https:') }),

  credentials(get) {
    const { storage, now, log, baseUrl } = get('given')
    const entitlements = get('entitlements')
    return {
      ...createCredentials({ db: storage.db, entitlements, now, log }),
      allows,
      cookie: get('cookie').name,
      origins: [baseUrl],
    }
  },

  routes: allRoutes,

  follow(get) {
    const { storage, secret, now, log, trustedProxies } = get('given')
    const recorder = get('recorder')
    return createFollow({
      cache: get('cache'),
      findLink: storage.findLink,
      hooks: get('hooks'),
      passes: createPassKeeper(secret, now),
      pages: createVisitorPages(newRequestId, log),
      record: visit => recorder.record(visit),
      addressOf: clientAddress(trustedProxies),
      placeOf: get('places').of,
      readForm,
      nowMs: () => now().getTime(),
      ...createOwners(
        get('plugins').running.map(({ plugin }) => plugin),
        get('entitlements'),
      ),
    })
  },

  server(get) {
    const { storage, now, log, trustedProxies, checkAnswers = false } = get('given')
    const shared = {
      credentials: get('credentials'),
      clientAddress: clientAddress(trustedProxies),
      newRequestId,
      log,
      checkAnswers,
    }
    const checks = () =>
      checkHealth({
        db: storage.db,
        recorder: get('recorder'),
        places: get('places'),
        plugins: get('plugins'),
        contain: get('contain'),
      })
    const answerOnce = createIdempotency({ db: storage.db, now, log })
    return createServer({
      follow: get('follow'),
      mounts: {
        api: createApi({ ...shared, base, routes: get('routes'), answerOnce }),
        health: createApi({ ...shared, base: '/health', routes: healthRoutes(checks) }),
      },
      newRequestId,
      log,
    })
  },
}
