import { z } from 'zod'
import { inNetworks as inParsed, networks, parseNetwork } from '../net/ip-address.ts'

const sentence = 'Enter an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.'

/**
 * The schema of a network: an IPv4 or IPv6 address, or a CIDR. Bits behind its length do not matter.
 *
 * @example
 * networkSchema().safeParse('192.0.2.0/33').success // false
 */
export function networkSchema() {
  return z
    .string()
    .max(60, { error: sentence, abort: true })
    .refine(text => parseNetwork(text) !== undefined, sentence)
}

/**
 * Returns a function that tells whether an address, such as `visit.ip`, is in one of these networks. What is no address is in
 * none. Throws if a network is not valid.
 *
 * @example
 * const isOurs = inNetworks(['192.0.2.0/24', '2001:db8::/32'])
 */
export function inNetworks(cidrs: readonly string[]): (ip: string) => boolean {
  return inParsed(networks(...cidrs))
}
