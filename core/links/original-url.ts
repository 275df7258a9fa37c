import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type CheckedUrl, checkWebAddress, problem } from '../lib/net/web-address.ts'

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

/** Accepts a web address unless it leads back to `ownHosts`, that is to us, in a loop. */
export function checkOriginalUrl(text: string, ownHosts: OwnHosts): CheckedUrl {
  const address = checkWebAddress(text)
  if ('problem' in address || !ownHosts.has(new URL(address.href).host)) return address
  return problem('leads back to this link shortener')
}
