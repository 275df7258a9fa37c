import type { IncomingMessage } from 'node:http'
import { hostName } from '../web-address.ts'
import type { Handler } from './split-paths.ts'

/** The hosts that are answered in a way of their own. */
export interface HostParts {
  /** The host that a request is for, as whoever sent it wrote it. */
  readonly hostOf: (req: IncomingMessage) => string
  /** Host of the base URL, with its port: what most requests are for. */
  readonly own: string
  /** Gives the handlers by name of the host: at once, and again after each change. */
  watch(use: (handlers: ReadonlyMap<string, Handler>) => void): void
}

/**
 * Send each request to the handler of its host, and to `others` on every host that has none. While no
 * host has one, nothing is looked at; after that the host of the base URL costs one comparison.
 */
export function splitHosts(
  others: Handler,
  handlers: ReadonlyMap<string, Handler>,
  { hostOf, own }: Pick<HostParts, 'hostOf' | 'own'>,
): Handler {
  if (handlers.size === 0) return others
  return (req, res) => {
    const host = hostOf(req)
    if (host === own) return others(req, res)
    return (handlers.get(hostName(host)) ?? others)(req, res)
  }
}
