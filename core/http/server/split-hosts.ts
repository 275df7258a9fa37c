import { remember } from '../../lib/memory/remember.ts'
import { hostName } from '../../lib/net/web-address.ts'
import type { RequestHead } from '../../lib/request-head.ts'
import type { Hosts } from '../../links/follow/hosts.ts'
import type { CustomHost } from '../../plugin.ts'
import { choosing, type Handler } from '../request/split-paths.ts'

/** The hosts that have handlers of their own. */
export interface HostParts {
  /** The host that a request is for, as the client wrote it. */
  readonly hostOf: (head: RequestHead) => string
  /** Host of the base URL, with its port: what most requests are for. */
  readonly own: string
  /** Answers on any other host; absent if it is answered like that of the base URL. */
  readonly unknown?: Handler
  /**
   * Calls `use` with the handlers by host name, at once and after each change, until the returned function is
   * called.
   */
  watch(use: (handlers: ReadonlyMap<string, Handler>) => void): () => void
}

/**
 * Sends each request to the handler of its host: to `ours` on the host of the base URL, and to `unknown` on
 * hosts without a handler. While everything goes to `ours`, the host is not looked at; otherwise the host of
 * the base URL costs one comparison.
 */
export function splitHosts(
  ours: Handler,
  handlers: ReadonlyMap<string, Handler>,
  { hostOf, own, unknown = ours }: Pick<HostParts, 'hostOf' | 'own' | 'unknown'>,
): Handler {
  if (handlers.size === 0 && unknown === ours) return ours
  const byName = new Map([...handlers, [hostName(own), ours]])
  return choosing(head => {
    const host = hostOf(head)
    return host === own ? ours : (byName.get(hostName(host)) ?? unknown)
  })
}

/** Each takes some kilobytes, and is made in less than a millisecond. */
const keptHandlers = 500

/**
 * The handlers for the accounts' own hosts, made anew when the hosts change. There may be twenty thousand: each is made when it is
 * asked for, and those that were not asked for lately are forgotten.
 */
export function watchHosts(
  hosts: Pick<Hosts, 'all' | 'onChange'>,
  handlerFor: (host: CustomHost | 'shut') => Handler,
): HostParts['watch'] {
  return use => {
    const tell = () => {
      const all = hosts.all()
      const handlerOf = remember(name => handlerFor(all.get(name) ?? 'shut'), keptHandlers)
      use(new Map([...all.keys()].map(name => [name, choosing(() => handlerOf(name))])))
    }
    tell()
    return hosts.onChange(tell)
  }
}
