import type { IncomingMessage } from 'node:http'
import {
  inNetworks,
  type Network,
  parseNetwork,
  readIp,
  withoutMapping,
} from '../../lib/net/ip-address.ts'
import type { RequestHead } from '../../lib/request-head.ts'

/** Who is trusted to tell the client's address. */
export type TrustedProxies =
  | { readonly kind: 'none' }
  /** The number of proxies between the clients and us. */
  | { readonly kind: 'hops'; readonly count: number }
  | { readonly kind: 'networks'; readonly networks: readonly Network[] }

/** Reads the setting: empty, a number of proxies, or CIDRs. Returns a sentence if there is a mistake. */
export function parseTrustedProxies(text: string): TrustedProxies | string {
  const items = text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)
  const [first = ''] = items
  if (items.length === 0 || text.trim() === '0') return { kind: 'none' }
  if (items.length === 1 && /^\d{1,2}$/.test(first)) return { kind: 'hops', count: Number(first) }
  const networks = items.map(parseNetwork)
  const wrong = items.find((_, index) => networks[index] === undefined)
  if (wrong === undefined)
    return { kind: 'networks', networks: networks.filter(it => it !== undefined) }
  return `"${wrong}" is neither an address nor a network. Enter the number of proxies, such as 1, or their networks, such as 10.0.0.0/8.`
}

/** Addresses of each kind that nobody's proxy has: RFC 5737, RFC 3849. */
const examples = [['192.0.2.1', '198.51.100.1', '203.0.113.1'], ['2001:db8::1']]

/** Whether all addresses of IPv4 or of IPv6 are trusted, as with `0.0.0.0/0`. */
export function trustsEverybody(trusted: TrustedProxies): boolean {
  if (trusted.kind !== 'networks') return false
  return examples.some(addresses => addresses.every(inNetworks(trusted.networks)))
}

/**
 * Finds the address of a client from the address of its socket and all of `X-Forwarded-For`: that of the socket
 * or, behind trusted proxies, the rightmost one that no trusted proxy owns. The text is as it was sent, but
 * mapped IPv4 is shown as IPv4.
 */
export type FindClient = (socket: string | undefined, forwardedFor: string) => string

/** Chooses how to find clients. On the redirecting thread an address stays text, so that nothing is parsed twice. */
export function findClient(trusted: TrustedProxies): FindClient {
  if (trusted.kind === 'none') return (socket = '') => withoutMapping(socket)
  const isTrusted = trustIn(trusted)
  return (socket = '', forwardedFor) => {
    let client = withoutMapping(socket)
    let end = forwardedFor.length
    for (let hop = 0; end > 0 && isTrusted(client, hop); hop += 1) {
      const start = forwardedFor.lastIndexOf(',', end - 1) + 1
      const before = addressIn(forwardedFor.slice(start, end))
      // A hop that cannot be read ends the walk: whoever wrote it is the last one we know.
      if (before === undefined) return client
      client = before
      end = start - 1
    }
    return client
  }
}

/** Finds the client of a request whose headers are parsed anyway. */
export type ClientAddress = (req: IncomingMessage) => string

export function clientAddress(trusted: TrustedProxies): ClientAddress {
  const find = findClient(trusted)
  return ({ socket, headers }) =>
    find(socket.remoteAddress, headers['x-forwarded-for']?.toString() ?? '')
}

/** Returns a function that tells whether a request comes from a trusted proxy. */
export function comesFromProxy(
  trusted: TrustedProxies,
): (req: Pick<RequestHead, 'socket'>) => boolean {
  const isTrusted = trustIn(trusted)
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '', 0)
}

/** Returns a function that tells whether the address `hop` hops away from us is that of a trusted proxy. */
function trustIn(trusted: TrustedProxies): (address: string, hop: number) => boolean {
  if (trusted.kind === 'none') return () => false
  if (trusted.kind === 'hops') return (_, hop) => hop < trusted.count
  return inNetworks(trusted.networks)
}

const words = new Uint32Array(4)

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function addressIn(part: string): string | undefined {
  const text = part.trim()
  if (readIp(text, words) !== 0) return withoutMapping(text)
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d+)?$|^([^:]+):\d+$/.exec(text) ?? []
  const address = bracketed ?? plain ?? ''
  return readIp(address, words) === 0 ? undefined : withoutMapping(address)
}
