import { countLinkCreated } from '../../accounts/usage.ts'
import { readForm } from '../../http/api/read-body.ts'
import { createVisitorPages } from '../../http/pages/visitor-pages.ts'
import { findClient } from '../../http/request/client-address.ts'
import { createAskHosts } from '../../kernel/hooks/ask-hosts.ts'
import { createOwners } from '../../kernel/hooks/owners.ts'
import { pathsOf } from '../../kernel/load/taken-names.ts'
import { hostName } from '../../lib/web-address.ts'
import { createLinkCache } from '../../links/follow/cache.ts'
import { createHostBlocks } from '../../links/follow/host-blocks.ts'
import { createHosts } from '../../links/follow/hosts.ts'
import { createPassKeeper } from '../../links/follow/pass.ts'
import { hostKey } from '../../links/original-url.ts'
import { createShortUrls } from '../../links/read/short-urls.ts'
import type { LastingRecipes, Recipes } from '../parts/parts.ts'
import { newRequestId } from './new-request-id.ts'

/** What links live by, whatever plugins run. */
export const linkRecipes = {
  cache(get, { now }) {
    const cache = createLinkCache(() => now('entitlements').features().redirectCacheEnabled)
    const { storage, settings } = get('given')
    storage.onFailedFlush(cache.forgetAll)
    // What was compiled before may count or cache what is off now.
    settings.onChange(cache.forgetAll)
    return cache
  },

  hosts(get, { now }) {
    const { storage, baseUrl } = get('given')
    return createHosts({
      db: storage.db,
      ownName: hostName(new URL(baseUrl).host),
      ask: () => createAskHosts(now('plugins').running, get('contain'))(),
    })
  },

  hostBlocks: createHostBlocks,

  ownHosts(get) {
    const own = hostKey(new URL(get('given').baseUrl).host)
    return { has: host => hostKey(host) === own || get('hosts').all().has(hostName(host)) }
  },

  shortUrls: get => createShortUrls(get('given').baseUrl),
} satisfies Partial<LastingRecipes>

/** How links are made and followed. */
export const followingRecipes = {
  links(get) {
    const { storage, now } = get('given')
    return {
      db: storage.db,
      hooks: get('hooks'),
      cache: get('cache'),
      remover: get('remover'),
      ownHosts: get('ownHosts'),
      shortUrls: get('shortUrls'),
      paths: new Set(get('plugins').running.flatMap(({ plugin }) => pathsOf(plugin))),
      now,
      countCreated(tx, { accountId, account }, count) {
        const { maxLinksCreatedPerMonth } = get('entitlements').plan(account.plan).limits
        return countLinkCreated(tx, accountId, maxLinksCreatedPerMonth, count, now)
      },
    }
  },

  following(get) {
    const { storage, secret, now, log, trustedProxies } = get('given')
    const recorder = get('recorder')
    return {
      cache: get('cache'),
      findLink: storage.findLink,
      hostBlocks: get('hostBlocks'),
      hooks: get('hooks'),
      passes: createPassKeeper(secret, now),
      pages: createVisitorPages(get('pageSender'), newRequestId, log),
      track: get('underWay').track,
      record: visit => recorder.record(visit),
      findClient: findClient(trustedProxies),
      placeOf: get('places').of,
      readForm,
      nowMs: get('given').nowMs ?? (() => now().getTime()),
      ...createOwners(
        get('plugins').running.map(({ plugin }) => plugin),
        get('entitlements'),
      ),
    }
  },
} satisfies Partial<Recipes>
