import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One key per client: its IPv4 address, or the /64 network of an IPv6 one, which a client has whole. */
export function clientKey(ip: string): string {
  if (isIPv4(ip)) return ip
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4).map(part => part.toString(16))
  return `${network.join(':')}::/64`
}

/** The /48 network that an IPv6 client's key is part of; undefined for any other. */
export function networkOf(key: string): string | undefined {
  const [, network] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(key) ?? []
  return network && `${network}::/48`
}
