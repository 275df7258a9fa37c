import { readIp, withoutMapping } from './ip-address.ts'

const words = new Uint32Array(4)

/** One key per client: its IPv4 address, or the /64 network of its IPv6 address, since a client has all of that. */
export function clientKey(ip: string): string {
  const family = readIp(ip, words)
  if (family !== 6) return family === 4 ? withoutMapping(ip) : ip
  const [first = 0, second = 0] = words
  const parts = [first >>> 16, first & 0xffff, second >>> 16, second & 0xffff]
  return `${parts.map(part => part.toString(16)).join(':')}::/64`
}

/** The /48 network that an IPv6 client's key is part of; undefined for any other. */
export function networkOf(key: string): string | undefined {
  const [, network] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(key) ?? []
  return network && `${network}::/48`
}
