import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSafeToFollow } from '../../lib/net/web-address.ts'
import type { RequestHead } from '../../lib/request-head.ts'
import type { Refusal } from '../../plugin/outcomes.ts'
import type { CustomHost } from '../../plugin.ts'
import type { Storage } from '../../storage/database.ts'
import { formsOn, type RulesOf } from '../codes/code-rules.ts'
import type { LinkCache } from './cache.ts'
import { closedLink } from './compile.ts'
import { createFollow, type Follower } from './follow.ts'
import type { FollowDeps, NotFound } from './follow-deps.ts'
import { sendRedirect } from './ready-response.ts'
import { redirectTo } from './redirect.ts'

/** What following links on any host needs from the rest of the program. */
interface FollowHostDeps
  extends Omit<
    FollowDeps,
    'cache' | 'findForm' | 'findLink' | 'headers' | 'host' | 'notFound' | 'rules'
  > {
  readonly cache: LinkCache
  readonly rulesOf: RulesOf
  readonly findLink: Storage['findLink']
  readonly hostBlocks: HostBlocks
}

type Handle = (req: IncomingMessage, res: ServerResponse) => void

/**
 * Returns how to answer on an account's own host. Every path there but `/` is a short code, so neither the API
 * nor any page of ours can be reached under somebody else's name.
 */
export function createFollowHost(
  deps: FollowHostDeps,
): (host: CustomHost | 'shut') => Handle | Follower {
  // We cannot promise that somebody else's host is, and stays, on https.
  const headers: readonly string[] = []
  const unlessSaid = deps.pages.notFound(headers)
  return host => {
    if (host === 'shut') return (req, res) => deps.pages.stopped(req, res, closedLink())
    const notFound = leadTo(host.notFoundUrl, deps, unlessSaid)
    const find = async (domain: string, code: string) => {
      const found = await deps.findLink(domain, code)
      // Visitors of a host's present owner do not follow links of the one before.
      return [found?.account_id, null].includes(host.accountId) ? found : undefined
    }
    const follow = createFollow({
      ...deps,
      // The next owner of a host finds nothing of the one before.
      cache: deps.cache.on(`${host.name} ${host.accountId}`),
      headers,
      host,
      notFound,
      rules: () => deps.rulesOf(host.name),
      findLink: code => find(host.name, code),
      findForm: form => find(formsOn(host.name), form),
    })
    const root = leadTo(host.rootUrl, deps, follow)
    return Object.assign(
      (req: IncomingMessage, res: ServerResponse) =>
        isRoot(req.url) ? root(req, res) : follow(req, res),
      { ready: (head: RequestHead) => (isRoot(head.url) ? undefined : follow.ready(head)) },
    )
  }
}

/** Sends visitors to an address. If there is none, it is not allowed, or the method is not GET or HEAD, `otherwise` answers. */
function leadTo(
  url: string | null,
  { hostBlocks, mayLeadTo, pages }: Pick<FollowHostDeps, 'hostBlocks' | 'mayLeadTo' | 'pages'>,
  otherwise: NotFound,
): NotFound {
  if (url === null || !isSafeToFollow(url, 'any') || !mayLeadTo(url)) return otherwise
  const redirect = redirectTo(url)
  return (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return otherwise(req, res)
    const refusal = hostBlocks.of(url)
    if (refusal) pages.stopped(req, res, refusal)
    else sendRedirect(res, redirect)
  }
}

function isRoot(url = '/'): boolean {
  return url === '/' || url.startsWith('/?')
}

/** Addresses that no host may lead to, whatever its account says. */
export interface HostBlocks {
  /** Sets which addresses a plugin blocks, in place of those it blocked before. Any object can stand for the plugin. */
  set(plugin: object, refusals: ReadonlyMap<string, Refusal>): void
  /** Forgets what a plugin blocks. */
  drop(plugin: object): void
  /** What visitors are told instead of being sent to an address. */
  of(url: string): Refusal | undefined
}

export function createHostBlocks(): HostBlocks {
  const byPlugin = new Map<object, ReadonlyMap<string, Refusal>>()
  return {
    set(plugin, refusals) {
      byPlugin.set(plugin, refusals)
    },
    drop(plugin) {
      byPlugin.delete(plugin)
    },
    of(url) {
      for (const refusals of byPlugin.values()) {
        const refusal = refusals.get(url)
        if (refusal) return refusal
      }
      return undefined
    },
  }
}
