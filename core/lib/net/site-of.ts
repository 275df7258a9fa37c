import { parseUrl } from './parse-url.ts'

/** The protocols of referers of sites and Android apps, as opposed to browser extensions. */
const site = /^(https?|android-app):$/

/**
 * The site that a referer names, as visits are counted by it: its host name without `www.`; undefined if there is none, or if
 * it is an IP address.
 *
 * @example
 * siteOf('https://www.example.com/news') // example.com
 */
export function siteOf(referer: string): string | undefined {
  const url = parseUrl(referer)
  if (!url) return undefined
  const { protocol, hostname } = url
  const isAddress = hostname.startsWith('[') || /(^|\.)\d+$/.test(hostname)
  if (isAddress || !site.test(protocol)) return undefined
  return hostname.replace(/^www\.|\.$/g, '') || undefined
}
