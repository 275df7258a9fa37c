import type { Credentials } from '../http/api/access/identify.ts'
import { createIsByOwner } from '../http/api/access/is-by-owner.ts'
import { createPaging } from '../http/api/access/signed-pages.ts'
import { createApi } from '../http/api/api.ts'
import { createCallApi, createFindCaller, createHasToken } from '../http/api/call-api.ts'
import { readForm } from '../http/api/input/read-body.ts'
import { createIdempotency } from '../http/api/repeat/idempotency.ts'
import { pluginMounts } from '../http/mounts/plugin-mounts.ts'
import { assets } from '../http/pages/page-theme.ts'
import { misdirectedPage } from '../http/pages/pages.ts'
import { createVisitorPages } from '../http/pages/send-page.ts'
import { findClient } from '../http/request/client-address.ts'
import { requestedHost, requestedHostApart } from '../http/request/requested-host.ts'
import { type Handler, splitPaths } from '../http/request/split-paths.ts'
import { healthRoutes } from '../http/routes/health-routes.ts'
import { serveLogo } from '../http/server/serve-logo.ts'
import type { Answering } from '../http/server/server.ts'
import { siteMounts } from '../http/server/sites.ts'
import { type HostParts, watchHosts } from '../http/server/split-hosts.ts'
import { createOwners } from '../kernel/hooks/owners.ts'
import { clientKey } from '../lib/net/client-key.ts'
import { hasScheme } from '../lib/net/target-schemes.ts'
import { hostName } from '../lib/net/web-address.ts'
import { publicId } from '../lib/public-id.ts'
import { createAnonymousRequests } from '../limits/anonymous-requests.ts'
import { formsOn } from '../links/codes/code-rules.ts'
import { pathIn } from '../links/codes/read-path.ts'
import { createFollow } from '../links/follow/follow.ts'
import { createFollowHost } from '../links/follow/follow-host.ts'
import { createPassKeeper } from '../links/follow/pass.ts'
import { setHeaders } from '../links/follow/ready-response.ts'
import { recordUnlessLeftOut } from '../links/follow/record-visit.ts'
import type { CustomHost } from '../plugin.ts'
import { base } from './all-routes.ts'
import type { LastingParts, RunOptions } from './lasting-parts.ts'
import type { PluginSet } from './switching/plugin-set.ts'

/** Decides which part answers which path on which host, for a set of plugins. */
export function answerPaths(
  options: RunOptions,
  parts: LastingParts,
  set: Omit<PluginSet, 'everyJob' | 'counted' | 'answering' | 'callAs' | 'tools'> & {
    readonly credentials: Credentials
  },
): Answering {
  const { storage, log, now, secret, baseUrl, trustedProxies, patienceMs } = options
  const { dashboardUrl = baseUrl, targetSchemes = [] } = options
  const { db, news } = storage
  const {
    contain,
    throttle,
    logEvent,
    cache,
    hosts,
    hostBlocks,
    ownHost,
    dashboardHost,
    recorder,
    clients,
    warnLocal,
    pageSender,
    answerCounts,
    slots,
    lists,
    bodies,
  } = parts
  const { hooks, runningWork, credentials } = set
  const { track } = runningWork
  const { running } = set.plugins
  const all = running.map(({ plugin }) => plugin)

  const following = {
    cache,
    hostBlocks,
    findLink: storage.findLink,
    rulesOf: hosts.rulesOf,
    hooks,
    readForm,
    track,
    slots: slots.visits,
    bodies,
    record: recordUnlessLeftOut(recorder().record, hooks, set.places.of),
    isBehind: recorder().isBehind,
    isCutOff: () => !news.isHeard(),
    mayLeadTo: (url: string) => hasScheme(url, targetSchemes),
    placeOf: set.places.of,
    passes: createPassKeeper(secret, now),
    pages: createVisitorPages(pageSender, log),
    findClient: findClient(trustedProxies),
    nowMs: options.nowMs ?? (() => now().getTime()),
    ...createOwners(all, set.entitlements),
  }
  // After a visit by https, browsers use nothing else (RFC 6797). They ignore the header over http. Subdomains are left
  // out because they may belong to others.
  const headers = Object.entries(boundToHttps(baseUrl)).flat()
  const always = boundToHttps(dashboardUrl)
  const sites = siteMounts(all, { log, pageSender })
  const unlessHome = following.pages.notFound(headers)
  // Plugins are asked first what is at the bare address.
  const home = dashboardUrl === baseUrl ? sites.home : undefined
  const isByOwner = createIsByOwner({ db, now, log, track, cookie: credentials.cookie })
  const follow = createFollow({
    ...following,
    isByOwner: hooks.seesOwner ? isByOwner : undefined,
    headers,
    host: undefined,
    notFound: (req, res) => (home && pathIn(req) === '' ? home : unlessHome)(req, res),
    rules: () => hosts.rulesOf(''),
    findLink: code => following.findLink('', code),
    findForm: form => following.findLink(formsOn(''), form),
  })
  const followHost = createFollowHost(following)
  const isMeasured = all.some(({ unstable }) => unstable?.measures)
  const measured = isMeasured ? answerCounts.counting : (it: Handler) => it

  const answerOnce = createIdempotency({ db, now, log })
  const shared = {
    credentials,
    log,
    track,
    bodies,
    headers: always,
    checkAnswers: options.checkAnswers ?? false,
    clientAddress: clients.addressOf,
    paging: createPaging(secret),
    confirm: parts.confirm,
    onRefusedToken: (ip: string) => logEvent('refused_token', { client: clientKey(ip) }),
    onRefusedCall: (ip: string, accountId: number, needed: string) =>
      logEvent('refused_call', {
        ...{ client: clientKey(ip), of: publicId('acc', accountId), needed },
      }),
    answerMs: patienceMs && 2 * patienceMs,
  }
  const routes = set.routes()
  const bounded = { ...shared, slots: slots.answers, lists, routes, answerOnce }
  const hasLinks = (host: string) =>
    hostName(host) === hostName(ownHost) || typeof hosts.all().get(hostName(host)) === 'object'
  const isServed = (host: string) => hostName(host) === hostName(dashboardHost) || hasLinks(host)
  // Whoever watches Linnet hears of it however much is asked of the API: a supervisor ends what does not answer.
  const healthApi = (headers: Readonly<Record<string, string>>) =>
    createApi({ ...shared, headers, base: '/health', routes: healthRoutes(set.health, isServed) })
  const mounts = pluginMounts(running, {
    contain,
    track,
    pageSender,
    callApi: createCallApi(bounded),
    findCaller: createFindCaller(shared),
    hasToken: createHasToken(shared),
    anonymous: createAnonymousRequests(throttle),
    slots: slots.visits,
    bodies,
    clientAddress: shared.clientAddress,
  })
  const onHost = (host: CustomHost | 'shut'): Handler => {
    const links = followHost(host)
    const paths = host === 'shut' ? {} : mounts.on(host)
    return Object.keys(paths).length === 0 ? links : splitPaths(links, paths)
  }
  const misdirected: Handler = (req, res) => pageSender.page(req, res, misdirectedPage)
  // Nothing binds a host that is not ours to https.
  const health = { health: healthApi({}) }
  const ofLinks = withHeaders(headers, { ...mounts.own, [assets]: serveLogo(pageSender) })
  const ofDashboard = {
    ...withHeaders(Object.entries(always).flat(), sites.mounts),
    api: warnLocal(createApi({ ...bounded, base, corsOrigins: options.corsOrigins })),
    ...mounts.besideApi,
    health: healthApi(always),
  }
  const isApart = dashboardUrl !== baseUrl
  /** On a host of its own, where no code is followed. */
  const dashboard = (): Handler => {
    const nothing = following.pages.notFound(Object.entries(always).flat())
    const root: Handler = (req, res) =>
      (pathIn(req) === '' && sites.home ? sites.home : nothing)(req, res)
    return splitPaths(root, {
      ...mounts.everywhere,
      ...ofDashboard,
      [assets]: serveLogo(pageSender),
    })
  }
  const own = measured(follow)
  // Who watches Linnet asks it by its address.
  const answerAll = isApart ? splitPaths(own, { ...ofLinks, ...health }) : undefined
  const unknown = options.otherHosts === 'refuse' ? splitPaths(misdirected, health) : answerAll
  const hostOf = requestedHost(trustedProxies)
  const watch = watchHosts(hosts, host => measured(onHost(host)))
  return {
    follow: own,
    hosts: {
      hostOf: isApart ? requestedHostApart(hostOf, dashboardHost, hasLinks) : hostOf,
      own: ownHost,
      ...(unknown && { unknown }),
      watch: isApart ? withHost(hostName(dashboardHost), dashboard(), watch) : watch,
    },
    mounts: isApart ? ofLinks : { ...ofLinks, ...ofDashboard },
  }
}

/** After a visit by https, browsers use nothing else. */
function boundToHttps(origin: string): Readonly<Record<string, string>> {
  return origin.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}

/** The same hosts, and one that is always there. */
function withHost(name: string, handler: Handler, watch: HostParts['watch']): HostParts['watch'] {
  return use => watch(handlers => use(new Map([...handlers, [name, handler]])))
}

function withHeaders(headers: readonly string[], mounts: Answering['mounts']): Answering['mounts'] {
  const add =
    (handle: Handler): Handler =>
    (req, res) => {
      setHeaders(res, headers)
      return handle(req, res)
    }
  return Object.fromEntries(Object.entries(mounts).map(([path, handle]) => [path, add(handle)]))
}
