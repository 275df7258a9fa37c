import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { container, instanceCachingFactory } from 'tsyringe'
import { createCredentials } from './accounts/credentials.ts'
import { createEntitlements, type Entitlements } from './accounts/entitlements.ts'
import type { Features } from './accounts/features.ts'
import type { AnyPlans } from './accounts/plan.ts'
import { allows } from './accounts/scopes.ts'
import { createSetUp, type SetUp } from './accounts/set-up.ts'
import type { SettingsStore } from './accounts/settings.ts'
import { createSignIn } from './accounts/sign-in.ts'
import { createTokens } from './accounts/tokens.ts'
import { countLinkCreated } from './accounts/usage.ts'
import { checkHealth } from './health.ts'
import { createApi } from './http/api.ts'
import { clientAddress, type TrustedProxies } from './http/client-address.ts'
import type { Credentials } from './http/identify.ts'
import { readForm } from './http/read-body.ts'
import type { Route } from './http/route.ts'
import { accountRoutes } from './http/routes/accounts.ts'
import { analyticsRoutes } from './http/routes/analytics.ts'
import { featureRoutes } from './http/routes/features.ts'
import { healthRoutes } from './http/routes/health.ts'
import { jobRoutes } from './http/routes/jobs.ts'
import { linkRoutes } from './http/routes/links.ts'
import { openApiRoute } from './http/routes/openapi.ts'
import { planRoutes } from './http/routes/plans.ts'
import { pluginEndpointRoutes } from './http/routes/plugin-endpoints.ts'
import { pluginRoutes } from './http/routes/plugins.ts'
import { profileRoutes } from './http/routes/profile.ts'
import { sessionRoutes } from './http/routes/session.ts'
import { setUpRoutes } from './http/routes/setup.ts'
import { createServer, type Server } from './http/server.ts'
import { createSessionCookie, type SessionCookie } from './http/session-cookie.ts'
import type { Handler } from './http/split-paths.ts'
import { createVisitorPages } from './http/visitor-pages.ts'
import { allJobs } from './kernel/all-jobs.ts'
import { type Containment, createContainment } from './kernel/contain.ts'
import type { Services } from './kernel/context.ts'
import { createJobs, type Jobs } from './kernel/jobs.ts'
import { createLinkFields, type LinkFields } from './kernel/link-fields.ts'
import { createLinkHooks } from './kernel/link-hooks.ts'
import { createOwners } from './kernel/owners.ts'
import type { RunningPlugins } from './kernel/start-plugins.ts'
import { createLinkCache, type LinkCache } from './links/cache.ts'
import { createFollow } from './links/follow.ts'
import type { LinkHooks } from './links/hooks.ts'
import type { LinkDeps } from './links/link-deps.ts'
import { createLinkReader } from './links/link-reader.ts'
import { createPassKeeper } from './links/pass.ts'
import type { Log, Registry } from './plugin.ts'
import type { Storage } from './storage/database.ts'
import { createThrottle, type Throttle } from './throttle.ts'
import { dimensionsOf } from './visits/dimensions.ts'
import { createRecorder, type Recorder } from './visits/recorder.ts'

/** Everything the app is made of, by name. */
export interface Parts {
  readonly given: Given
  readonly plugins: RunningPlugins
  readonly contain: Containment
  readonly throttle: Throttle
  readonly services: Services
  readonly cache: LinkCache
  readonly entitlements: Entitlements
  readonly fields: LinkFields
  readonly hooks: LinkHooks
  readonly links: LinkDeps
  readonly recorder: Recorder
  readonly jobs: Jobs
  readonly setUp: SetUp
  readonly cookie: SessionCookie
  readonly credentials: Credentials
  readonly routes: readonly Route[]
  readonly follow: Handler
  readonly server: Server
}

/** What an app is built from; what is not here it does not look at. */
export interface AppOptions {
  readonly storage: Storage
  readonly settings: SettingsStore
  readonly registry: Registry
  /** The features that are on. */
  readonly on: readonly string[]
  readonly plans: AnyPlans
  readonly features: Features
  /** Origin of short URLs, as `https://go.example.org`. */
  readonly baseUrl: string
  readonly trustedProxies: TrustedProxies
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly now: () => Date
  /** Where the recorder's thread begins; absent: visits are counted in this thread. */
  readonly recorderUrl?: URL
  /** For tests: an answer that does not fit its schema is a bug. */
  readonly checkAnswers?: boolean
}

/** What the parts begin with. */
export interface Given extends AppOptions {
  /** Signs what visitors carry. */
  readonly secret: Buffer
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
}

type Get = <K extends keyof Parts>(name: K) => Parts[K]
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

const base = '/api/v1'
const newRequestId = () => randomUUID()

/** How each part is made from the others. */
const recipes: Recipes = {
  contain: get => createContainment(get('given').log),

  throttle: createThrottle,

  services(get) {
    const { storage, log, now, signal } = get('given')
    const throttle = get('throttle')
    return {
      db: storage.db,
      log,
      now,
      signal,
      links: createLinkReader(storage.db, get('cache')),
      tokens: createTokens({ db: storage.db, now }),
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

  hooks: get =>
    createLinkHooks(
      get('plugins').running,
      get('fields'),
      get('contain'),
      get('entitlements').check,
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

  recorder(get) {
    const { storage, log, recorderUrl } = get('given')
    const plugins = get('plugins').running.map(({ plugin }) => plugin)
    return createRecorder({
      storage,
      log,
      features: plugins.map(({ feature }) => feature),
      dimensions: dimensionsOf(plugins),
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

  routes(get) {
    const { storage, now, baseUrl } = get('given')
    const { db } = storage
    const [entitlements, cache, links, fields] = [
      get('entitlements'),
      get('cache'),
      get('links'),
      get('fields'),
    ]
    const { running } = get('plugins')
    const plugins = running.map(({ plugin }) => plugin)
    const settle = () => get('recorder').settle()
    const forgetLinks = () => cache.forgetAll()
    // Nothing brings tags or campaigns yet, so nobody has any.
    const profile = { db, entitlements, now, counts: async () => ({ tags: 0, campaigns: 0 }) }
    const session = { ...profile, cookie: get('cookie'), throttle: get('throttle') }
    const routes = [
      ...profileRoutes({ ...profile, forgetLinks }),
      ...linkRoutes({ links, fields, entitlements, baseUrl, settle }),
      ...analyticsRoutes({ db, plugins, entitlements, settle, now }),
      ...pluginEndpointRoutes({ running, contain: get('contain'), check: entitlements.check }),
      ...pluginRoutes({
        plugins,
        isEnabled: ({ plan }, feature) => !entitlements.check(plan, feature),
      }),
      ...setUpRoutes({ ...session, setUp: get('setUp') }),
      ...sessionRoutes({
        ...session,
        credentials: get('credentials'),
        signIn: createSignIn(db),
      }),
      ...accountRoutes({ db, now, forgetLinks }),
      ...planRoutes(entitlements),
      ...featureRoutes(entitlements),
      ...jobRoutes(get('jobs')),
    ]
    return [...routes, openApiRoute(routes, base)]
  },

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
      readForm,
      nowMs: () => now().getTime(),
      ...createOwners(
        get('plugins').running.map(({ plugin }) => plugin),
        get('entitlements'),
      ),
    })
  },

  server(get) {
    const { storage, log, trustedProxies, checkAnswers = false } = get('given')
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
        plugins: get('plugins'),
        contain: get('contain'),
      })
    return createServer({
      follow: get('follow'),
      mounts: {
        api: createApi({ ...shared, base, routes: get('routes') }),
        health: createApi({ ...shared, base: '/health', routes: healthRoutes(checks) }),
      },
      newRequestId,
      log,
    })
  },
}
