import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** An address of a name. */
export interface Resolved {
  readonly address: string
  readonly family: number
}

/** Finds the addresses of a name; throws if it has none, or if nobody answers. */
export type ResolveName = (host: string, signal: AbortSignal) => Promise<readonly Resolved[]>

const underWay = new Map<string, Promise<readonly Resolved[]>>()

/**
 * Asks the system, which also knows its hosts file and short names. It holds one of Node's four threads until it has an
 * answer, and nothing can break it off, so it is only for names that somebody trusted has given, and all who ask for a name
 * meanwhile share the answer.
 */
export const resolveBySystem: ResolveName = host => {
  const shared =
    underWay.get(host) ?? lookup(host, { all: true }).finally(() => underWay.delete(host))
  underWay.set(host, shared)
  return shared
}

/**
 * Asks the name servers of the system, or those given, over sockets of its own. Names whose servers never answer cost
 * nobody else anything, however many there are.
 */
export function createAskNameServers(servers?: readonly string[]): ResolveName {
  return async (host, signal) => {
    const known = isLocalhost(host) ? '127.0.0.1' : host
    if (isIP(known) !== 0) return [{ address: known, family: isIP(known) }]
    const resolver = new Resolver({ timeout: 1_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    signal.addEventListener('abort', () => resolver.cancel(), { once: true })
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = [...addressesIn(four, 4), ...addressesIn(six, 6)]
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  }
}

/** Whether a name is this machine’s, as RFC 6761, section 6.3 says. */
export function isLocalhost(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host)
}

function addressesIn(answer: PromiseSettledResult<string[]>, family: number): Resolved[] {
  return answer.status === 'fulfilled' ? answer.value.map(address => ({ address, family })) : []
}
