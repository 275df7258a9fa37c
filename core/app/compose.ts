import 'reflect-metadata'
import { container, instanceCachingFactory } from 'tsyringe'
import { z } from 'zod'
import { createConfirmPassword } from '../accounts/access/confirm-password.ts'
import { createCredentials } from '../accounts/access/credentials.ts'
import { allows, scopesOf } from '../accounts/access/scopes.ts'
import { createSetUp } from '../accounts/access/set-up.ts'
import { createSignIn } from '../accounts/access/sign-in.ts'
import { createTokens, tokensWithPassword } from '../accounts/access/tokens.ts'
import { profileSchema } from '../accounts/profile.ts'
import { countLinkCreated } from '../accounts/usage.ts'
import { examine } from '../doctor/examine.ts'
import { rememberLatest } from '../doctor/examine-proxies.ts'
import type { Credentials } from '../http/api/access/identify.ts'
import { createSessionCookie } from '../http/api/access/session-cookie.ts'
import { createPaging } from '../http/api/access/signed-pages.ts'
import { createApi } from '../http/api/api.ts'
import { createCallApi } from '../http/api/call-api.ts'
import { createAnswerCounts } from '../http/api/count-answers.ts'
import { readForm } from '../http/api/input/read-body.ts'
import { createIdempotency } from '../http/api/repeat/idempotency.ts'
import { createUnderWay } from '../http/api/under-way.ts'
import { assets, watchLook } from '../http/pages/look.ts'
import { pageColorsOf } from '../http/pages/page-colors.ts'
import { misdirectedPage } from '../http/pages/pages.ts'
import { createPageSender, createVisitorPages } from '../http/pages/send-page.ts'
import { findClient } from '../http/request/client-address.ts'
import { requestedHost } from '../http/request/requested-host.ts'
import { type Handler, splitPaths } from '../http/request/split-paths.ts'
import { knownDimensions } from '../http/routes/analytics/known-dimensions.ts'
import { createReadNumbers } from '../http/routes/analytics/read-numbers.ts'
import { healthRoutes } from '../http/routes/health-routes.ts'
import { createLinkActions } from '../http/routes/links/link-actions.ts'
import { createShowLinks } from '../http/routes/links/show-links.ts'
import { pluginMounts } from '../http/routes/plugin-mounts.ts'
import { serveLogo } from '../http/server/serve-logo.ts'
import { type Answering, createServer } from '../http/server/server.ts'
import { siteMounts } from '../http/server/sites.ts'
import { watchHosts } from '../http/server/split-hosts.ts'
import { createContainment } from '../kernel/contain/contain.ts'
import { countUsage } from '../kernel/hooks/count-usage.ts'
import { createAddressesOf, unchanged } from '../kernel/hooks/link-addresses.ts'
import { createLinkAnswers } from '../kernel/hooks/link-answers.ts'
import { createLinkFields } from '../kernel/hooks/link-fields.ts'
import { createLinkFilters } from '../kernel/hooks/link-filters.ts'
import { createLinkHooks } from '../kernel/hooks/link-hooks.ts'
import { createLinkStatuses } from '../kernel/hooks/link-statuses.ts'
import { createListHosts } from '../kernel/hooks/list-hosts.ts'
import { createOwners } from '../kernel/hooks/owners.ts'
import { allJobs } from '../kernel/jobs/all-jobs.ts'
import { createJobs } from '../kernel/jobs/jobs.ts'
import { contractWith } from '../kernel/load/contract-with.ts'
import { pathsOf } from '../kernel/load/taken-names.ts'
import type { Services } from '../kernel/run/create-context.ts'
import { createGuardedFetch } from '../kernel/run/guarded-fetch.ts'
import { newsOfPlugin } from '../kernel/run/plugin-news.ts'
import { createPluginState } from '../kernel/run/plugin-state.ts'
import type { RunningPlugins } from '../kernel/run/start-plugins.ts'
import { createBoundedQueue } from '../lib/async/bounded-queue.ts'
import { within } from '../lib/async/within.ts'
import { clientKey } from '../lib/net/client-key.ts'
import { isPublicAddress } from '../lib/net/public-address.ts'
import { createResolveTxt } from '../lib/net/resolve-txt.ts'
import { hostName } from '../lib/net/web-address.ts'
import { createAnonymousRequests } from '../limits/anonymous-requests.ts'
import { createGuesses, kindOfPlugin } from '../limits/guesses.ts'
import { createSecurityLog } from '../limits/security-log.ts'
import { shareThrottle } from '../limits/share-throttle.ts'
import { createThrottle } from '../limits/throttle.ts'
import { createLinkCache } from '../links/follow/cache.ts'
import { createFollow } from '../links/follow/follow.ts'
import { createFollowHost } from '../links/follow/follow-host.ts'
import { createHostBlocks } from '../links/follow/host-blocks.ts'
import { createHosts } from '../links/follow/hosts.ts'
import { createPassKeeper } from '../links/follow/pass.ts'
import type { Link } from '../links/link.ts'
import { hostKey, type OwnHosts } from '../links/original-url.ts'
import { createLinkReader } from '../links/read/link-reader.ts'
import { createShortUrls } from '../links/read/short-urls.ts'
import { deleteAccountAndLinks } from '../links/write/delete-account-and-links.ts'
import type { LinkDeps } from '../links/write/link-deps.ts'
import { nothingOutside } from '../outside/load-outside.ts'
import { brandOf } from '../settings/brand.ts'
import { createEntitlements } from '../settings/entitlements.ts'
import { backUp } from '../storage/backups/backup.ts'
import { createBackups } from '../storage/backups/backups.ts'
import { copyInThread, previewInThread } from '../storage/backups/copy-in-thread.ts'
import { previewRestore } from '../storage/backups/preview-restore.ts'
import type { Database } from '../storage/database.ts'
import { expectedFile } from '../storage/open/sqlite.ts'
import { type Counted, createRecorder } from '../visits/collect/recorder.ts'
import { dimensionsOf } from '../visits/facts/dimensions.ts'
import { noPlaces, openPlaces } from '../visits/facts/open-places.ts'
import { imagineVisit } from '../visits/facts/open-visit.ts'
import { onceForReads } from '../visits/facts/place-files.ts'
import { keepPlaces } from '../visits/facts/replace-places.ts'
import { keptUnlessSaid } from '../visits/upkeep/age-counts.ts'
import { removeWhenIdle } from '../visits/upkeep/remove-when-idle.ts'
import { allRoutes, base } from './all-routes.ts'
import type { AppOptions } from './app-options.ts'
import { checkHealth } from './check-health.ts'
import { measure } from './measure.ts'
import { createSwitcher } from './switching/create-switcher.ts'
import type { PluginSet, PluginSets } from './switching/plugin-set.ts'

/** What the parts begin with. */
export interface Given extends AppOptions {
  /** Signs what visitors carry. */
  readonly secret: Buffer
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
}

/**
 * Everything the app is made of, from top to bottom: first what stays while plugins are switched, then, in `makeSet`,
 * what is made anew for each set of plugins, then who answers which path. What stays asks `sets` for what it needs of
 * the plugins that run, at the moment when it needs it.
 */
export function compose(given: Given) {
  const { storage, settings, log, now, secret, signal, baseUrl, patienceMs } = given
  const { trustedProxies, version, packages, backupsKept = 7 } = given
  const { db, news } = storage
  const later = createLater()
  const sets = createSets(makeSet)

  // Limits, and what holds plugins in bounds.
  const contain = createContainment(log, { patienceMs })
  const ownThrottle = createThrottle()
  const throttle = storage.tally
    ? shareThrottle(ownThrottle, { tally: storage.tally, secret })
    : ownThrottle
  const noteEvent = createSecurityLog({
    log,
    throttle: ownThrottle,
    showsClients: given.logsAddresses ?? false,
  })
  // Deriving a key takes one of Node's four threads for a fifth of a second: guesses get two of them, and
  // wait at most a second for that, as the guard of a visitor has two.
  const guesses = createBoundedQueue({ atOnce: 2, maxWaiting: 16, maxWaitMs: patienceMs ?? 1_000 })
  const checkGuess = createGuesses({ throttle, queue: guesses, note: noteEvent })
  const confirm = createConfirmPassword(db, checkGuess)
  const setUp = createSetUp({ db, now, checkGuess })

  // Links, and the hosts they are on.
  const cache = createLinkCache(
    () => news.isHeard() && sets.now().entitlements.features().redirectCacheEnabled,
  )
  storage.onFailedFlush(cache.forgetAll)
  // What was compiled before may count or cache what is off now.
  settings.onChange(cache.forgetAll)
  const ownHost = new URL(baseUrl).host
  const hosts = createHosts({
    db,
    ownName: hostName(ownHost),
    ask: () => createListHosts(sets.now().plugins.running, contain)(),
  })
  const hostBlocks = createHostBlocks()
  const ownHosts: OwnHosts = {
    has: host => hostKey(host) === hostKey(ownHost) || hosts.all().has(hostName(host)),
  }
  const shortUrls = createShortUrls(baseUrl)

  // Visits, and what runs by the clock.
  const placesFor = onceForReads(reads =>
    reads.size > 0 ? openPlaces(log, reads, given.placeSource) : noPlaces,
  )
  const recorder = later('recorder', () =>
    createRecorder({
      ...sets.now().counted,
      storage,
      log,
      ...(given.placeSource && { placeSource: given.placeSource }),
      ...(given.recorderUrl && { workerUrl: given.recorderUrl }),
      onVisited: visits => sets.now().hooks.announceVisits(visits),
    }),
  )
  const remover = removeWhenIdle({ db, log })
  // A disk in trouble must not take the numbers away: those that are there are shown, a little older.
  const catchUp = async () => {
    const settled = Promise.all([recorder().catchUp(), remover.catchUp()]).catch(error =>
      log.warn('The numbers shown are not up to date', { error }),
    )
    await within(patienceMs ?? 1_500, settled, undefined)
  }
  const backups =
    storage.file === undefined
      ? undefined
      : createBackups({
          file: storage.file,
          copy: given.backupUrl ? copyInThread(given.backupUrl) : backUp,
          onFailed: storage.damage.note,
          now,
          signal,
        })
  const compare = given.backupUrl
    ? previewInThread(given.backupUrl)
    : async (from: string, file: string) => previewRestore(from, file, expectedFile)
  const many = storage.locks && { locks: storage.locks, machine: given.machine ?? '' }
  const jobs = later('jobs', () => createJobs(sets.now().everyJob, { db, now, log, many }))

  // HTTP.
  const cookie = createSessionCookie({ secure: baseUrl.startsWith('https:') })
  const clients = rememberLatest(trustedProxies)
  const pageSender = createPageSender(watchLook(settings, baseUrl))
  const answerCounts = createAnswerCounts()
  const server = later('server', () =>
    createServer({ ...sets.now().answering(), pageSender, log, fastLane: given.fastLane ?? true }),
  )

  // What plugins are lent.
  const scopes = () => scopesOf(sets.now().plugins.running.map(({ plugin }) => plugin))
  const reader = {
    cache,
    baseUrl,
    shortUrls,
    ownHosts,
    catchUp,
    addressesOf: (link: Link) => sets.now().addresses(unchanged(link)),
    tellOfLink: (db: Database, rowId: number) => news.tell(db, 'link', String(rowId)),
  }
  const services: Services = {
    db,
    log,
    now,
    signal,
    links: (feature, db) => createLinkReader({ ...reader, db }, feature),
    hosts: life => ({
      all: () => [...hosts.all().values()].filter(host => host !== 'shut'),
      block: refusals => hostBlocks.set(life, refusals),
    }),
    unblockHosts: life => hostBlocks.drop(life),
    news: (feature, { signal }) => newsOfPlugin(feature, { news, contain, signal }),
    tokens: db => tokensWithPassword(createTokens({ db, now, scopes }), confirm),
    places: keepPlaces(given.placeSource?.folder),
    // Only the web is asked: what else a public host runs is no business of who makes a link.
    fetch:
      given.fetch ??
      createGuardedFetch({
        isAllowed: isPublicAddress,
        ports: [80, 443],
        ownNetwork: given.ownNetwork,
        signal,
      }),
    resolveTxt: given.resolveTxt ?? createResolveTxt(signal),
    readNumbers: async (feature, of) => await sets.now().readNumbers()(feature, of),
    brand() {
      const { name, logo, color } = brandOf(settings.read().brand)
      return { name, logo, accent: color === null ? null : pageColorsOf(color) }
    },
    imagineVisit: (link, said) => imagineVisit(link, said, sets.now().places.of),
    measure: () =>
      measure({
        answerCounts,
        cache,
        storage,
        contain,
        recorder: recorder(),
        jobs: jobs(),
        health: sets.now().health,
      }),
    isOn: feature => sets.now().entitlements.isOn(feature),
    throttle: async (key, max, seconds) => (await throttle(key, max, seconds)).allowed,
    guess: (feature, guess, isRight) => checkGuess(kindOfPlugin(feature), guess, isRight),
  }
  const switcher = createSwitcher(
    { ...given, services, contain, hosts, cache, recorder, server, jobs },
    sets,
  )

  const startedAt = new Date(now().getTime() - process.uptime() * 1_000)

  /** The parts that are made anew for each set of plugins that run together. */
  function makeSet(plugins: RunningPlugins): PluginSet {
    const { running } = plugins
    const all = running.map(({ plugin }) => plugin)
    const underWay = createUnderWay()

    // What accounts may do, and what plugins make of links.
    const contract = contractWith(all, given.contract)
    const entitlements = createEntitlements({
      plans: given.plans,
      features: given.features,
      contract,
      settings,
      installed: new Map(all.map(plugin => [plugin.feature as string, plugin])),
    })
    const fields = createLinkFields(all)
    const addresses = createAddressesOf(all)
    const answers = createLinkAnswers(running, fields, contain)
    const statuses = createLinkStatuses(running, contain)
    const filters = createLinkFilters(running, contain)
    const hooks = createLinkHooks(running, fields, contain, entitlements.check, addresses)
    const links: LinkDeps = {
      db,
      hooks,
      cache,
      now,
      shortUrls,
      ownHosts,
      remover,
      paths: new Set(all.flatMap(pathsOf)),
      countCreated(tx, { accountId, account }, count) {
        const { maxLinksCreatedPerMonth } = entitlements.plan(account.plan).limits
        return countLinkCreated(tx, accountId, maxLinksCreatedPerMonth, count, now)
      },
    }

    // What is counted, what runs by the clock, and how all of it is.
    const places = placesFor(all)
    const { outside = nothingOutside } = plugins.offer
    const counted: Counted = {
      features: all.map(({ feature }) => feature),
      outside: outside.plugins.flatMap(({ feature, url }) => {
        const plugin = all.find(it => it.feature === feature)
        return plugin ? [{ feature, url, dimensions: Object.keys(plugin.dimensions ?? {}) }] : []
      }),
      dimensions: dimensionsOf(all),
      places,
      namesVisited: all.some(({ on }) => on?.visited),
    }
    const { kept = keptUnlessSaid } = given
    const everyJob = allJobs(running, { db, backups, backupsKept, now, signal, kept })
    const health = () =>
      checkHealth({
        storage,
        places,
        plugins,
        contain,
        settings,
        now: now(),
        recorder: recorder(),
        jobs: jobs(),
      })

    // What the API answers.
    const credentials = {
      ...createCredentials({ db, entitlements, feature: given.contract.tokens, now, log }),
      allows,
      cookie: cookie.name,
      origins: [baseUrl],
    }
    const show = createShowLinks({ db, answers, statuses, shortUrls })
    const later = createLater()
    const routes = later('routes', () =>
      allRoutes({
        db,
        now,
        log,
        storage,
        settings,
        version,
        packages,
        startedAt,
        contain,
        throttle,
        confirm,
        setUp,
        cookie,
        hosts: {
          ...hosts,
          async refresh() {
            await hosts.refresh()
            await news.tell(db, 'hosts')
          },
        },
        backups,
        preview: path => compare(path, storage.file ?? ''),
        catchUp,
        recent: recorder().recent,
        switcher,
        plugins: all,
        running,
        contract,
        entitlements,
        credentials,
        jobs: jobs(),
        links,
        shortUrls,
        fields,
        answers,
        statuses,
        filters,
        hooks,
        places,
        scopes: scopesOf(all),
        actions: createLinkActions(links, entitlements, show),
        show,
        signIn: createSignIn(db, checkGuess),
        answer: z.strictObject({ data: profileSchema(contract) }),
        counts: accountId => countUsage(contract.usage, running, contain, accountId),
        deleteAccount: (id, object) => deleteAccountAndLinks(links, id, object),
        forgetLinks(accountId) {
          cache.forgetAll()
          hosts.forget(accountId)
        },
        isEnabled: ({ plan }, feature) => !entitlements.check(plan, feature),
        examine() {
          // The request that asks is the latest that came in.
          const cameIn = clients.latest()
          const request = cameIn && { cameIn, trustedProxies, baseUrl }
          const { file, address } = storage
          const onServer = address && 'url' in address ? db : undefined
          const patient = { file, onServer, places, backupsKept, now: now() }
          return examine({ ...patient, ...(request && { request }) })
        },
        state: createPluginState({
          settings,
          env: given.env,
          choice: () => switcher.offer().choice,
        }),
      }),
    )
    const readNumbers = later('readNumbers', () =>
      createReadNumbers({
        ...{ db, running, contain, entitlements, now, catchUp },
        known: knownDimensions(all, entitlements, log),
      }),
    )
    const set = { plugins, underWay, entitlements, hooks, addresses, places, readNumbers }
    const answering = later('answering', () => answer({ ...set, credentials, routes, health }))
    return { ...set, everyJob, counted, health, routes, answering }
  }

  /** Who answers which path on which host, with a set of plugins. */
  function answer(
    set: Omit<PluginSet, 'everyJob' | 'counted' | 'answering'> & {
      readonly credentials: Credentials
    },
  ): Answering {
    const { hooks, underWay, credentials } = set
    const { track } = underWay
    const { running } = set.plugins
    const all = running.map(({ plugin }) => plugin)

    const following = {
      cache,
      hostBlocks,
      findLink: storage.findLink,
      hooks,
      readForm,
      track,
      record: recorder().record,
      isBehind: recorder().isBehind,
      isCutOff: () => !news.isHeard(),
      placeOf: set.places.of,
      passes: createPassKeeper(secret, now),
      pages: createVisitorPages(pageSender, log),
      findClient: findClient(trustedProxies),
      nowMs: given.nowMs ?? (() => now().getTime()),
      ...createOwners(all, set.entitlements),
    }
    // What is reached by https stays so: browsers come back by nothing else (RFC 6797), and take no notice of
    // it over http. Subdomains may be anybody's.
    const isSecure = baseUrl.startsWith('https:')
    const headers = isSecure ? ['Strict-Transport-Security', 'max-age=31536000'] : []
    const follow = createFollow({
      ...following,
      headers,
      notFound: following.pages.notFound(headers),
      findLink: code => following.findLink('', code),
    })
    const followHost = createFollowHost(following)
    const isMeasured = all.some(({ measures }) => measures)
    const measured = isMeasured ? answerCounts.counting : (it: Handler) => it

    const answerOnce = createIdempotency({ db, now, log })
    const shared = {
      credentials,
      log,
      track,
      checkAnswers: given.checkAnswers ?? false,
      clientAddress: clients.addressOf,
      paging: createPaging(secret),
      onRefusedToken: (ip: string) => noteEvent('refused_token', { client: clientKey(ip) }),
      answerMs: patienceMs && 2 * patienceMs,
    }
    const routes = set.routes()
    const health = createApi({ ...shared, base: '/health', routes: healthRoutes(set.health) })
    const misdirected: Handler = (req, res) => pageSender.page(req, res, misdirectedPage)
    return {
      follow: measured(follow),
      headers,
      hosts: {
        hostOf: requestedHost(trustedProxies),
        own: ownHost,
        ...(given.otherHosts === 'refuse' && { unknown: splitPaths(misdirected, { health }) }),
        watch: watchHosts(hosts, host => measured(followHost(host))),
      },
      mounts: {
        ...siteMounts(all, { log, pageSender }),
        ...pluginMounts(running, {
          contain,
          track,
          callApi: createCallApi({ ...shared, routes, answerOnce }),
          anonymous: createAnonymousRequests(throttle),
          clientAddress: shared.clientAddress,
        }),
        [assets]: serveLogo(pageSender),
        api: createApi({ ...shared, base, routes, answerOnce, corsOrigins: given.corsOrigins }),
        health,
      },
    }
  }

  return { sets, contain, setUp, cache, hosts, recorder, remover, jobs, server, switcher }
}

/** Sets of plugins, of which one runs. */
function createSets(make: PluginSets['make']): PluginSets {
  let running: PluginSet | undefined
  return {
    make,
    now() {
      if (!running) throw new Error('No plugins run yet.')
      return running
    },
    use(set) {
      running = set
    },
  }
}

/** Has parts made when they are first asked for, and keeps them: what cannot be made before plugins run. */
function createLater(): <T>(name: string, make: () => T) => () => T {
  const made = container.createChildContainer()
  return (name, make) => {
    made.register(name, { useFactory: instanceCachingFactory(make) })
    return () => made.resolve(name)
  }
}
