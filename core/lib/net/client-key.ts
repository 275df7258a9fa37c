import { type IpFamily, readIp, withoutMapping } from './ip-address.ts'

const words = new Uint32Array(4)

/** One key per client: its IPv4 address, or the /64 network of its IPv6 address, since a client has all of that. */
export function clientKey(ip: string): string {
  return clientKeyOf(ip, readIp(ip, words), words)
}

/** The same for an address that `readIp` has read. */
export function clientKeyOf(ip: string, family: IpFamily, words: Uint32Array): string {
  if (family !== 6) return family === 4 ? withoutMapping(ip) : ip
  const [first = 0, second = 0] = words
  return `${hexOf(first >>> 16)}:${hexOf(first & 0xffff)}:${hexOf(second >>> 16)}:${hexOf(second & 0xffff)}::/64`
}

function hexOf(group: number): string {
  return group.toString(16)
}

/** The /48 network that an IPv6 client's key is part of; undefined for any other. */
export function networkOf(key: string): string | undefined {
  const [, network] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(key) ?? []
  return network && `${network}::/48`
}

/** The network of an IP address, which many share: /24, or /48 of IPv6. That of a network is itself. */
export function networkOfAddress(ip: string): string {
  const key = clientKey(ip)
  return networkOf(key) ?? key.replace(/\.\d+$/, '.0/24')
}

/** Somebody who has a share of what there is only so much of. */
export interface Sharer {
  readonly key: string
  /** How many times the share of a client. */
  readonly shares: number
}

/** A /48 network may be one household, or thousands of phones. */
const sharesOfNetwork = 3

/** Returns whose shares a client takes from, given its key: its own, and that of its network. */
export function sharersOf(key: string): readonly Sharer[] {
  const own = { key, shares: 1 }
  const network = networkOf(key)
  return network === undefined ? [own] : [own, { key: network, shares: sharesOfNetwork }]
}
