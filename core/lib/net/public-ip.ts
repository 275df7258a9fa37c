import { type IpFamily, inNetworks, networks, readIp, within } from './ip-address.ts'

/**
 * Networks with a meaning of their own: https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry, and those for multicast.
 */
const isSpecial = within(
  networks(
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
    ...['172.16.0.0/12'],
    ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
    ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
    ...['224.0.0.0/4', '240.0.0.0/4'],
    ...['::/128', '::1/128', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64'],
    ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16'],
    ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
  ),
)
const words = new Uint32Array(4)

/** Whether an address, as text, is an ordinary one of the internet, outside all special networks. */
export function isPublicIp(text: string): boolean {
  return readPublicIp(text, words) !== 0
}

/** Reads an address as `readIp` does, but also returns 0 for one that is not public. */
export function readPublicIp(text: string, words: Uint32Array): IpFamily {
  const family = readIp(text, words)
  return isPublic(family, words) ? family : 0
}

/** The same for an address that `readIp` has read. */
export function isPublic(family: IpFamily, words: Uint32Array): boolean {
  return family !== 0 && !isSpecial(family, words)
}

/**
 * The IPv6 addresses that are routed on the internet, and all of IPv4:
 * https://www.iana.org/assignments/ipv6-unicast-address-assignments
 */
const isRouted = inNetworks(networks('0.0.0.0/0', '2000::/3'))

/** Looks public, but is the host's own agent on every machine of Azure. */
const isAzureAgent = inNetworks(networks('168.63.129.16'))

/**
 * Whether an IP address belongs to the internet at large: not to this machine, a private network, a
 * provider's metadata service or any range with a special meaning. Mapped IPv4 counts as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  return isPublicIp(text) && isRouted(text) && !isAzureAgent(text)
}
