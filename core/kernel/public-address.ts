import ipaddr, { type IPv6 } from 'ipaddr.js'

/** All that is routed on the internet: https://www.iana.org/assignments/ipv6-unicast-address-assignments */
const globalUnicast: readonly [IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/** Looks public, but is the host's own agent on every machine of Azure. */
const azureAgent = '168.63.129.16'

/**
 * Whether an IP address belongs to the internet at large: not to this machine, a private network, a
 * provider's metadata service or any range with a special meaning. Mapped IPv4 counts as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6
    ? address.match(...globalUnicast)
    : address.toString() !== azureAgent
}
