import { parseUrl } from '../../lib/net/parse-url.ts'
import { hostName } from '../../lib/net/web-address.ts'
import { readPath } from '../follow/read-path.ts'

/** How the short URLs of an instance are written, and read back. */
export interface ShortUrls {
  /** The whole short URL of a link. Scheme and port are those of the base URL, whatever the host. */
  of(link: { readonly domain: string; readonly shortCode: string }): string
  /** The host that a link shows, with its port where that is part of the base URL. */
  hostOf(link: { readonly domain: string }): string
  /** The stored form of a host that somebody names: '' for that of the base URL. */
  domainOf(host: string): string
  /** The domain and code in a short URL that somebody wrote or copied; undefined for text that cannot be one. */
  read(text: string): { readonly domain: string; readonly code: string } | undefined
}

/** `baseUrl` is an origin, such as `https://go.example.org`. */
export function createShortUrls(baseUrl: string): ShortUrls {
  const { host, protocol, port } = new URL(baseUrl)
  const portPart = port === '' ? '' : `:${port}`
  const originOf = (domain: string) =>
    domain === '' ? baseUrl : `${protocol}//${domain}${portPart}`
  const domainOf = (text: string) => {
    const name = hostName(text)
    return name === hostName(host) ? '' : name
  }
  return {
    of: ({ domain, shortCode }) => `${originOf(domain)}/${shortCode}`,
    hostOf: ({ domain }) => domain || host,
    domainOf,
    read(text) {
      const url = parseUrl(/^https?:\/\//i.test(text) ? text : `${protocol}//${text}`)
      const path = url && readPath(url.pathname.slice(1))
      return path && { domain: domainOf(url.host), code: path.code }
    },
  }
}
