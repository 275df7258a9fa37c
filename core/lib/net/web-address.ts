import { parseUrl } from './parse-url.ts'

/** The longest address we keep, in characters. */
export const maxUrlLength = 8_192

/** The longest host name, and the longest part of one between dots, in characters: RFC 1035, section 2.3.4. */
const maxHostLength = 253
const maxLabelLength = 63

/** An address in its stored form, or one sentence that says what is wrong with it. */
export type CheckedUrl = { readonly href: string } | { readonly problem: string }

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a header
const forbidden = /[\u0000-\u0020\u007f]/

/** A percent sign that escapes no octet (RFC 3986, section 2.1), which the URL Standard lets pass. */
const strayPercent = /%(?![\dA-Fa-f]{2})/g

/**
 * Accepts only http and https addresses, parsed by the WHATWG URL Standard, and returns their `href`: punycode
 * host, escaped path, no way to end a header line. A percent sign that escapes nothing is escaped.
 */
export function checkWebAddress(text: string): CheckedUrl {
  if (text.length > maxUrlLength) return problem(`is longer than ${maxUrlLength} characters`)
  const trimmed = text.trim()
  if (forbidden.test(trimmed)) return problem('contains a space or a control character: escape it')
  if (!trimmed.isWellFormed()) return problem('contains half of a surrogate pair')
  const url = parseUrl(trimmed)
  if (!url) return { problem: 'Enter a full URL, such as https://example.com/page.' }
  if (!isWebProtocol(url)) return problem('must begin with http:// or https://')
  if (!/^https?:\/\//i.test(trimmed)) return problem('must begin with http:// or https://')
  if (url.username || url.password) return problem('must not contain a user name or a password')
  const labels = url.hostname.split('.')
  if (url.hostname.replace(/\.$/, '').length > maxHostLength)
    return problem(`has a host name longer than ${maxHostLength} characters`)
  if (labels.some(({ length }) => length > maxLabelLength))
    return problem(`has a host name with a part longer than ${maxLabelLength} characters`)
  const href = url.href.replace(strayPercent, '%25')
  if (href.length > maxUrlLength) return problem(`is longer than ${maxUrlLength} characters`)
  return { href }
}

/** Checks an address again when a link is followed: a row that was tampered with never becomes a header. */
export function isSafeToFollow(href: string): boolean {
  if (forbidden.test(href)) return false
  const url = parseUrl(href)
  return url !== undefined && isWebProtocol(url) && url.href === href
}

/** A host as a request or a person may write it, in one form: lower case, no port, no dot at the end. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/** Whether a host name, as in `URL`, means on every machine that machine itself. */
export function isLoopback(name: string): boolean {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[?::1\]?)$/.test(name)
}

/** What is wrong with an address, as one sentence. */
export function problem(text: string): CheckedUrl & { readonly problem: string } {
  return { problem: `The URL ${text}.` }
}

function isWebProtocol({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}
