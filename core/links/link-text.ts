import { domainToUnicode } from 'node:url'
import { foldText } from '../lib/text/normal-form.ts'

/** The parts of a link that are searched. */
export interface SearchedLink {
  readonly originalUrl: string
  readonly title: string | null
  readonly notes: string | null
}

/**
 * The text that a link is found by, folded: its codes, its address as stored and as people type it, title and
 * notes.
 */
export function textOf(
  { originalUrl, title, notes }: SearchedLink,
  codes: readonly string[],
): string {
  const address = typed(originalUrl)
  const texts = [...codes, originalUrl, address === originalUrl ? null : address, title, notes]
  return foldText(texts.filter(text => text !== null && text !== '').join('\n'))
}

/**
 * The words of a search, folded; a link must have all of them. The longest come first, because few links have
 * them. The scheme of an address is left out, because it says nothing.
 */
export function wordsOf(search: string): readonly string[] {
  const words = foldText(search)
    .split(/\s+/)
    .map(word => word.replace(/^HTTPS?:\/\/(?=.)/, ''))
    .filter(word => word !== '')
  return [...new Set(words)].sort((a, b) => b.length - a.length)
}

/** `https://xn--r8jz45g.jp/%C3%BC` -> `https://例え.jp/ü` */
function typed(url: string): string {
  if (!isEscaped.test(url)) return url
  return url
    .replace(/(?:%[\da-f]{2})+/gi, decoded)
    .replace(/^(https?:\/\/)([^/:?#]+)/, (_, scheme, host) => scheme + domainToUnicode(host))
}

const isEscaped = /%|xn--/

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    // Not UTF-8: nobody could have typed it.
    return escapes
  }
}
