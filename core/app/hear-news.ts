import type { Delivery } from '../kernel/events/delivery.ts'
import { onceForAll } from '../lib/async/until-done.ts'
import type { LinkCache } from '../links/follow/cache.ts'
import type { Hosts } from '../links/follow/hosts.ts'
import type { Log } from '../plugin.ts'
import type { Storage } from '../storage/database.ts'
import { trustMs } from '../storage/news.ts'
import type { Recorder } from '../visits/collect/recorder.ts'
import { findHosts } from './switching/after-a-change.ts'

/** Forgets cached links and hosts when other servers on the database change them. */
export function hearNews({
  storage: { news },
  cache,
  hosts,
  delivery,
  recorder,
  log,
  signal,
}: {
  readonly storage: Pick<Storage, 'news'>
  readonly cache: LinkCache
  readonly hosts: Hosts
  readonly delivery: Pick<Delivery, 'wake' | 'learn'>
  readonly recorder: () => Pick<Recorder, 'stored'>
  readonly log: Log
  readonly signal: AbortSignal
}): void {
  // A deleted account takes its links and hosts with it. Hosts that cannot be listed are asked for again by themselves.
  const refresh = onceForAll(() => findHosts(hosts, log), signal)
  let trustedUntil = 0
  const doubtLinks = () => cache.doubtAll(trustedUntil)
  // Each change of many accounts at once is told by itself, and all links are looked through for what is forgotten.
  const changed = new Set<number>()
  function forgetOf(accountId: number): void {
    if (changed.size === 0) {
      queueMicrotask(() => {
        cache.forgetOf(changed)
        changed.clear()
      })
    }
    changed.add(accountId)
  }
  news.on('link', row => (row === undefined ? doubtLinks() : cache.forget(Number(row))))
  news.on('account', row => {
    if (row === undefined) doubtLinks()
    else forgetOf(Number(row))
    refresh()
  })
  news.on('hosts', refresh)
  news.on('visits', () => recorder().stored())
  news.on('events', delivery.wake)
  news.on('listeners', () => {
    delivery.learn().catch(error => log.warn('Who hears of events is not known', { error }))
  })
  news.onHeard(isHeard => {
    if (isHeard) log.info('Changes by other servers arrive again.')
    else {
      trustedUntil = performance.now() + trustMs
      log.warn(
        'Changes by other servers do not arrive. Until they do, protected links stay closed, and other links are read anew after five minutes.',
      )
    }
  })
}
