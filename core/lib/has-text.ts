import { domainToUnicode } from 'node:url'
import { inForm } from './normal-form.ts'

/** Text as it is compared when somebody searches: letters in any case are one, of any alphabet. */
export function foldText(text: string): string {
  return inForm('NFC', text).toUpperCase()
}

/** Whether the address or the title of a link has a folded text in it; the address also as people type it. */
export function hasText(originalUrl: string, title: string | null, folded: string): boolean {
  if (title !== null && foldText(title).includes(folded)) return true
  if (originalUrl.toUpperCase().includes(folded)) return true
  return isEscaped.test(originalUrl) && foldText(typed(originalUrl)).includes(folded)
}

const isEscaped = /%|xn--/

/** `https://xn--r8jz45g.jp/%C3%BC` -> `https://例え.jp/ü` */
function typed(url: string): string {
  return url
    .replace(/(?:%[\da-f]{2})+/gi, decoded)
    .replace(/^(https?:\/\/)([^/:?#]+)/, (_, scheme, host) => scheme + domainToUnicode(host))
}

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    // Not UTF-8: nobody could have typed it.
    return escapes
  }
}
