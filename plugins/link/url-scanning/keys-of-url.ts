import { isIP } from 'node:net'
import { parseUrl } from '../../../core/plugin.ts'

/** No DNS name has more labels. Without a limit, splitting a name would take time quadratic in its length. */
const maxLabels = 127

/** How many beginnings of a URL, ending within its path or query, are looked up at most. */
const maxBorders = 16

/**
 * Returns every entry of a list that would block a URL: its domain and the domains above it, the whole URL without the
 * protocol, and its beginnings up to each `/`, `?` and `&`. An address without a host, such as that of a mail, is on no list.
 */
export function keysOfUrl(url: URL): readonly string[] {
  if (url.host === '') return []
  return [...domainsOf(url), ...beginningsOf(url)]
}

/** `https://Example.com/evil/` -> `example.com/evil`; nothing if the text is not a URL. */
export function keyOfPrefix(text: string): readonly string[] {
  const url = parseUrl(text)
  return url ? [wholeOf(url)] : []
}

function domainsOf({ hostname }: URL): readonly string[] {
  // Only those of http and https are in small letters already.
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (isIP(name) !== 0) return [name]
  const labels = name.split('.').slice(-maxLabels)
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

function beginningsOf(url: URL): readonly string[] {
  const whole = wholeOf(url)
  const keys = [url.host, whole]
  const border = /[/?&]/g
  border.lastIndex = url.host.length
  for (let count = 0; count < maxBorders; count += 1) {
    const found = border.exec(whole)
    if (!found) break
    keys.push(whole.slice(0, found.index))
  }
  return keys
}

function wholeOf({ host, pathname, search }: URL): string {
  return `${host}${pathname}${search}`.replace(/\/$/, '')
}
