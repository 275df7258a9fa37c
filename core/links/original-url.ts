import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isWebAddress } from '../lib/net/target-schemes.ts'
import { type CheckedUrl, checkAddress, problem } from '../lib/net/web-address.ts'

/** The hosts under which we answer ourselves, each with its port if that is not the usual one. */
export interface OwnHosts {
  has(host: string): boolean
}

/**
 * The host of a URL with its port, as `URL` gives them, in one form: a dot at the end and IPv4 written as IPv6
 * make no difference, and all names of this machine become one.
 */
export function hostKey(host: string): string {
  const [, written = host, port = ''] = /^(\[[^\]]*\]|[^:]*?)\.?(:\d+)?$/.exec(host) ?? []
  const bare = written.replace(/^\[|\]$/g, '')
  if (isIP(bare) === 0) return written + port
  const address = ipaddr.process(bare)
  const isHere = ['loopback', 'unspecified'].includes(address.range())
  return (isHere ? 'localhost' : address.toString()) + port
}

/** What decides where links may lead. */
export interface Targets {
  readonly ownHosts: OwnHosts
  /** Schemes that the operator allows besides http and https. */
  readonly targetSchemes: readonly string[]
}

/** Accepts an address unless it leads back to `ownHosts`, that is to us, in a loop. */
export function checkOriginalUrl(text: string, { ownHosts, targetSchemes }: Targets): CheckedUrl {
  const address = checkAddress(text, targetSchemes)
  return 'href' in address && leadsBack(address.href, ownHosts)
    ? problem('leads back to this link shortener')
    : address
}

/** Whether an address leads to us. What follows `myapp://` is a name in an app, even if we have the same. */
export function leadsBack(href: string, ownHosts: OwnHosts): boolean {
  return isWebAddress(href) && ownHosts.has(new URL(href).host)
}
