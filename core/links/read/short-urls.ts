import { parseUrl } from '../../lib/net/parse-url.ts'
import { hostName } from '../../lib/net/web-address.ts'
import { codesIn, formOf, type RulesOf } from '../codes/code-rules.ts'
import { inCodeForm, pathOf } from '../codes/wide-code.ts'
import type { CodeOnHost } from './find-link.ts'

/** How the short URLs of an instance are written, and read back. */
export interface ShortUrls {
  /** The whole short URL of a link. Scheme and port are those of the base URL, whatever the host. */
  of(link: { readonly domain: string; readonly shortCode: string }): string
  /** The host that a link shows, with its port where that is part of the base URL. */
  hostOf(link: { readonly domain: string }): string
  /** The stored form of a host that somebody names: '' for that of the base URL. */
  domainOf(host: string): string
  /** Where a code that somebody names would be; `host` as in `domainOf`, undefined for that of the base URL. */
  placeOf(host: string | undefined, code: string): CodeOnHost
  /** What a short URL names that somebody wrote or copied; nothing for text that cannot be one. */
  read(text: string): readonly CodeOnHost[]
}

/** `baseUrl` is an origin, such as `https://go.example.org`. */
export function createShortUrls(baseUrl: string, rulesOf: RulesOf): ShortUrls {
  const { host, protocol, port } = new URL(baseUrl)
  const portPart = port === '' ? '' : `:${port}`
  const originOf = (domain: string) =>
    domain === '' ? baseUrl : `${protocol}//${domain}${portPart}`
  const domainOf = (text: string) => {
    const name = hostName(text)
    return name === hostName(host) ? '' : name
  }
  const placeIn = (domain: string, text: string): CodeOnHost => {
    const code = inCodeForm(text)
    return { domain, code, form: formOf(code, rulesOf(domain)) }
  }
  return {
    of: ({ domain, shortCode }) => `${originOf(domain)}/${pathOf(shortCode)}`,
    hostOf: ({ domain }) => domain || host,
    domainOf,
    placeOf: (host, code) => placeIn(host === undefined ? '' : domainOf(host), code),
    read(text) {
      const url = parseUrl(/^https?:\/\//i.test(text) ? text : `${protocol}//${text}`)
      if (!url) return []
      const domain = domainOf(url.host)
      return codesIn(url.pathname.slice(1), rulesOf(domain)).map(({ code }) =>
        placeIn(domain, code),
      )
    },
  }
}
