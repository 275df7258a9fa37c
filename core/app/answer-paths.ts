import type { Credentials } from '../http/api/access/identify.ts'
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
import { requestedHost } from '../http/request/requested-host.ts'
import { type Handler, splitPaths } from '../http/request/split-paths.ts'
import { healthRoutes } from '../http/routes/health-routes.ts'
import { serveLogo } from '../http/server/serve-logo.ts'
import type { Answering } from '../http/server/server.ts'
import { siteMounts } from '../http/server/sites.ts'
import { watchHosts } from '../http/server/split-hosts.ts'
import { createOwners } from '../kernel/hooks/owners.ts'
import { clientKey } from '../lib/net/client-key.ts'
import { createAnonymousRequests } from '../limits/anonymous-requests.ts'
import { formsOn } from '../links/codes/code-rules.ts'
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
  set: Omit<PluginSet, 'everyJob' | 'counted' | 'answering'> & {
    readonly credentials: Credentials
  },
): Answering {
  const { storage, log, now, secret, baseUrl, trustedProxies, patienceMs } = options
  const { db, news } = storage
  const {
    contain,
    throttle,
    logEvent,
    cache,
    hosts,
    hostBlocks,
    ownHost,
    recorder,
    clients,
    warnLocal,
    pageSender,
    answerCounts,
    slots,
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
    placeOf: set.places.of,
    passes: createPassKeeper(secret, now),
    pages: createVisitorPages(pageSender, log),
    findClient: findClient(trustedProxies),
    nowMs: options.nowMs ?? (() => now().getTime()),
    ...createOwners(all, set.entitlements),
  }
  // After a visit by https, browsers use nothing else (RFC 6797). They ignore the header over http. Subdomains are left
  // out because they may belong to others.
  const isSecure = baseUrl.startsWith('https:')
  const always = isSecure ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
  const headers = Object.entries(always).flat()
  const follow = createFollow({
    ...following,
    headers,
    host: undefined,
    notFound: following.pages.notFound(headers),
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
    answerMs: patienceMs && 2 * patienceMs,
  }
  const routes = set.routes()
  const bounded = { ...shared, slots: slots.answers, routes, answerOnce }
  // Whoever watches Linnet hears of it however much is asked of the API: a supervisor ends what does not answer.
  const healthApi = (headers: Readonly<Record<string, string>>) =>
    createApi({ ...shared, headers, base: '/health', routes: healthRoutes(set.health) })
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
  return {
    follow: measured(follow),
    hosts: {
      hostOf: requestedHost(trustedProxies),
      own: ownHost,
      // Nothing binds a host that is not ours to https.
      ...(options.otherHosts === 'refuse' && {
        unknown: splitPaths(misdirected, { health: healthApi({}) }),
      }),
      watch: watchHosts(hosts, host => measured(onHost(host))),
    },
    mounts: {
      ...withHeaders(headers, {
        ...siteMounts(all, { log, pageSender }),
        ...mounts.own,
        [assets]: serveLogo(pageSender),
      }),
      api: warnLocal(createApi({ ...bounded, base, corsOrigins: options.corsOrigins })),
      health: healthApi(always),
    },
  }
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
