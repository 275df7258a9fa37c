import { isIP } from 'node:net'
import { parseUrl } from '../../../core/plugin.ts'

/** Longer names are in no DNS, and to take one apart would take as long as it is, for each of its labels. */
const maxLabels = 127

/** An address is taken apart at so many places of its path and query at most, and at its end. */
const maxBorders = 16

/**
 * Everything that a list could hold to block an address: its domain and the domains above it, and its
 * beginnings up to each border in path and query, without the protocol.
 */
export function keysOfUrl(url: URL): readonly string[] {
  return [...domainsOf(url), ...beginningsOf(url)]
}

/** `https://Example.com/evil/` -> `example.com/evil`; nothing for what is no address. */
export function keyOfPrefix(text: string): readonly string[] {
  const url = parseUrl(text)
  return url ? [wholeOf(url)] : []
}

function domainsOf({ hostname }: URL): readonly string[] {
  const name = hostname.replace(/\.$/, '')
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
