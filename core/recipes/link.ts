import { countLinkCreated } from '../accounts/usage.ts'
import { findClient } from '../http/client-address.ts'
import { readForm } from '../http/read-body.ts'
import { createVisitorPages } from '../http/visitor-pages.ts'
import { createAskHosts } from '../kernel/ask-hosts.ts'
import { createOwners } from '../kernel/owners.ts'
import { createLinkCache } from '../links/cache.ts'
import { createHostBlocks } from '../links/host-blocks.ts'
import { createHosts } from '../links/hosts.ts'
import { hostKey } from '../links/original-url.ts'
import { createPassKeeper } from '../links/pass.ts'
import { createShortUrls } from '../links/short-urls.ts'
import type { Recipes } from '../parts.ts'
import { hostName } from '../web-address.ts'
import { newRequestId } from './new-request-id.ts'

/** What links live by, from being made to being followed. */
export const linkRecipes = {
  cache(get) {
    const cache = createLinkCache(() => get('entitlements').features().redirectCacheEnabled)
    get('given').storage.onFailedFlush(cache.forgetAll)
    return cache
  },

  hosts(get) {
    const { storage, baseUrl } = get('given')
    return createHosts({
      db: storage.db,
      ownName: hostName(new URL(baseUrl).host),
      ask: createAskHosts(get('plugins').running, get('contain')),
    })
  },

  hostBlocks: createHostBlocks,

  ownHosts(get) {
    const own = hostKey(new URL(get('given').baseUrl).host)
    return { has: host => hostKey(host) === own || get('hosts').all().has(hostName(host)) }
  },

  shortUrls: get => createShortUrls(get('given').baseUrl),

  links(get) {
    const { storage, now } = get('given')
    return {
      db: storage.db,
      hooks: get('hooks'),
      cache: get('cache'),
      remover: get('remover'),
      ownHosts: get('ownHosts'),
      shortUrls: get('shortUrls'),
      now,
      countCreated(tx, { accountId, account }) {
        const { maxLinksCreatedPerMonth } = get('entitlements').plan(account.plan).limits
        return countLinkCreated(tx, accountId, maxLinksCreatedPerMonth, 1, now)
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
