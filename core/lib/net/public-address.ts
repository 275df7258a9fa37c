import { inNetworks, networks } from './ip-address.ts'
import { isPublicIp } from './public-ip.ts'

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
