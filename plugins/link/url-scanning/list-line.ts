import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { keyOfPrefix } from './keys-of-url.ts'

/**
 * Returns what a line of a list blocks, as keys to look up. Reads hosts files (`0.0.0.0 evil.example`), one domain per
 * line, the `||evil.example^` of ad blockers, and beginnings of URLs (`https://example.com/evil/`). Comments,
 * exceptions and everything else block nothing.
 */
export function keysInLine(line: string): readonly string[] {
  const text = line.trim()
  if (text === '' || '#!;['.includes(text.charAt(0))) return []
  if (/^https?:\/\//i.test(text)) return keyOfPrefix(text)
  if (text.startsWith('||')) return text.endsWith('^') ? keyOfDomain(text.slice(2, -1)) : []
  const [first = '', ...names] = text.replace(/\s#.*/, '').split(/\s+/)
  if (names.length === 0) return keyOfDomain(first)
  return isIP(first) === 0 ? [] : names.flatMap(keyOfDomain)
}

const domain = /^[a-z\d_-]+(\.[a-z\d_-]+)+$/
const foreign = /^[\p{L}\p{M}\p{N}._-]+$/u

/** A single label, such as `localhost` in every hosts file, is not a domain. */
function keyOfDomain(text: string): readonly string[] {
  const lower = text.toLowerCase().replace(/^\*\./, '').replace(/\.$/, '')
  if (domain.test(lower)) return [lower]
  if (!foreign.test(lower)) return []
  const ascii = domainToASCII(lower)
  return domain.test(ascii) ? [ascii] : []
}
