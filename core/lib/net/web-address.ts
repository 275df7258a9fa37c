import { parseUrl } from './parse-url.ts'
import { asBeginnings, hasScheme, isWebAddress, type MoreSchemes } from './target-schemes.ts'

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
 * Accepts only addresses with http, https or one of these schemes, parsed by the WHATWG URL Standard, and returns their
 * `href`: punycode host, escaped path, no way to end a header line. A percent sign that escapes nothing is escaped.
 */
export function checkAddress(text: string, more: MoreSchemes): CheckedUrl {
  if (text.length > maxUrlLength) return problem(`is longer than ${maxUrlLength} characters`)
  const trimmed = text.trim()
  if (forbidden.test(trimmed))
    return problem(`contains a space or a control character: ${remedyFor(trimmed)}`)
  if (!trimmed.isWellFormed()) return problem('contains half of a surrogate pair')
  const url = parseUrl(trimmed)
  if (!url) return { problem: 'Enter a full URL, such as https://example.com/page.' }
  if (!hasScheme(url.href, more)) return problem(`must ${asBeginnings(more, url.protocol)}`)
  if (isWebAddress(url.href) && !/^https?:\/\//i.test(trimmed))
    return problem(`must ${asBeginnings([], '')}`)
  if (url.href === url.protocol) return problem('has nothing after its colon')
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
export function isSafeToFollow(href: string, more: MoreSchemes = []): boolean {
  if (forbidden.test(href)) return false
  const url = parseUrl(href)
  return url !== undefined && hasScheme(url.href, more) && url.href === href
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

/** Who pastes a telephone number does not want its spaces as `%20`. */
function remedyFor(text: string): string {
  return /^(tel|sms):/i.test(text) ? 'leave it out' : 'escape it'
}
