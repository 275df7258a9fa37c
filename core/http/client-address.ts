import type { IncomingMessage } from 'node:http'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

type Address = IPv4 | IPv6
type Network = readonly [Address, number]

/** Whose word on the client's address is taken. */
export type TrustedProxies =
  | { readonly kind: 'none' }
  /** So many proxies stand between the clients and us. */
  | { readonly kind: 'hops'; readonly count: number }
  | { readonly kind: 'networks'; readonly networks: readonly Network[] }

/** Read the setting: empty, a number of proxies, or CIDRs. A mistake gives a sentence that says it. */
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
  return `Trusted proxies: "${wrong}" is no address and no network; write how many proxies there are, as 1, or their networks, as 10.0.0.0/8.`
}

/**
 * How to find a request's client: the socket's address, or, behind trusted proxies, the rightmost
 * address in `X-Forwarded-For` that no trusted proxy owns. Mapped IPv4 is shown as IPv4.
 */
export function clientAddress(trusted: TrustedProxies): (req: IncomingMessage) => string {
  if (trusted.kind === 'none') return socketAddress
  const isTrusted = trustIn(trusted)
  return req => rightmostUntrusted(req, isTrusted)
}

/** Whether a request was handed to us by a proxy whose word is taken. */
export function comesFromProxy(trusted: TrustedProxies): (req: IncomingMessage) => boolean {
  const isTrusted = trustIn(trusted)
  return req => {
    const address = parseAddress(socketAddress(req))
    return address !== undefined && isTrusted(address, 0)
  }
}

/** Whether the address that is so many hops away from us is that of a trusted proxy. */
type IsTrusted = (address: Address, hop: number) => boolean

function trustIn(trusted: TrustedProxies): IsTrusted {
  if (trusted.kind === 'none') return () => false
  if (trusted.kind === 'hops') return (_, hop) => hop < trusted.count
  return address => trusted.networks.some(network => contains(network, address))
}

function socketAddress(req: IncomingMessage): string {
  const address = req.socket.remoteAddress ?? ''
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

/** A hop that cannot be read ends the walk: whoever wrote it is the last one we know. */
function rightmostUntrusted(req: IncomingMessage, isTrusted: IsTrusted): string {
  let client = socketAddress(req)
  const forwarded = String(req.headers['x-forwarded-for'] ?? '').split(',')
  for (let hop = 0; ; hop += 1) {
    const address = parseAddress(client)
    const before = parseAddress(withoutPort(forwarded[forwarded.length - 1 - hop] ?? ''))
    if (address === undefined || before === undefined || !isTrusted(address, hop)) return client
    client = before.toString()
  }
}

function contains([network, bits]: Network, address: Address): boolean {
  if (address instanceof ipaddr.IPv4)
    return network instanceof ipaddr.IPv4 && address.match(network, bits)
  return network instanceof ipaddr.IPv6 && address.match(network, bits)
}

function parseNetwork(text: string): Network | undefined {
  const [address = '', bits] = text.split('/')
  const network = parseAddress(address)
  if (network === undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined
  const all = network.kind() === 'ipv4' ? 32 : 128
  const prefix = bits === undefined ? all : Number(bits)
  return prefix <= all ? [network, prefix] : undefined
}

/** Four decimal parts or IPv6; `127.1` and `0x7f000001` are no addresses here. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d+)?$|^([^:]+):\d+$/.exec(text.trim()) ?? []
  return bracketed ?? plain ?? text.trim()
}
