import { inNetworks, type Network, parseNetwork } from './ip-address.ts'

/** What an operator lets plugins reach in private networks. */
export interface OwnNetwork {
  readonly networks: readonly Network[]
  /** Host names, in lower case. */
  readonly hosts: readonly string[]
}

const hostName = /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i

/** Reads addresses, networks and host names separated by commas, or `none`. Returns a sentence if one is wrong. */
export function parseOwnNetwork(text: string): OwnNetwork | string {
  const items = text === 'none' ? [] : text.split(',').map(item => item.trim())
  const networks = items.map(parseNetwork)
  const names = items.filter((_, index) => networks[index] === undefined)
  // A name that looks like an address is a wrong address, and one that says yes is meant for everything, or for nothing.
  const wrong = names.find(
    name => !hostName.test(name) || /^([\d.-]+|all|any|true|false|yes|no|on|off)$/i.test(name),
  )
  if (wrong === undefined) {
    const hosts = names.map(name => name.toLowerCase())
    return { networks: networks.filter(it => it !== undefined), hosts }
  }
  return `${JSON.stringify(wrong)} is not an address, network or host. Enter them separated by commas, such as 192.168.1.0/24,n8n.lan, or none.`
}

/** An address of each kind of private network: this machine, the three for everybody's use, and what clouds tell machines. */
const ofEachKind = [
  ['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254'],
  ['::1', 'fd00::1', 'fe80::1'],
]

/** Whether every private address of IPv4, or of IPv6, is the operator's, as with `0.0.0.0/0`. */
export function isEverything({ networks }: OwnNetwork): boolean {
  return ofEachKind.some(addresses => addresses.every(inNetworks(networks)))
}

/** Returns a function that tells whether a host, by its name or by all its addresses, is the operator's. */
export function inOwnNetwork({
  networks,
  hosts,
}: OwnNetwork): (host: string, addresses: readonly string[]) => boolean {
  const isInside = inNetworks(networks)
  return (host, addresses) => hosts.includes(host) || addresses.every(isInside)
}
