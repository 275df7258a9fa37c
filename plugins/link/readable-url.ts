import { isWebAddress } from '../../core/plugin.ts'

/**
 * Decodes letters, numerals and their marks in all scripts: `/%D9%85` -> `/م`. Everything else stays escaped, and so
 * does the host, because they could make a URL look like another one.
 */
export function readable(url: string): string {
  return url.replace(/(?:%[89a-f][\da-f])+/gi, escapes => {
    try {
      return decodeURIComponent(escapes).replace(/[^\p{L}\p{M}\p{N}]+/gu, encodeURIComponent)
    } catch {
      // Not UTF-8.
      return escapes
    }
  })
}

/** The host; of an address that has none, or whose host is a name in an app, all but its query. */
export function nameOf(url: string): string {
  return isWebAddress(url) ? new URL(url).host : (/^[^?#]{0,80}/.exec(url)?.[0] ?? '')
}
