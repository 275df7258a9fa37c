/** A count with its noun: `1 link`, `2 links`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The beginning of a text that is too long to be shown or logged, with the number of characters that are left out. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return `${text.slice(0, maxChars).toWellFormed()}… (${text.length - maxChars} more characters)`
}

/**
 * Control characters, invisible spaces, and marks that turn the text after them around (Unicode Technical Report 36,
 * section 2.10): anybody could send them, and nobody would see where the text is shown what it says.
 */
const hidden = /[\p{Cc}\u061c\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu

/**
 * Replaces characters that nobody sees by U+FFFD, which shows that there is one.
 *
 * @example
 * showHidden('gpj\u202eexe') // gpj�exe
 */
export function showHidden(text: string): string {
  return text.replace(hidden, '\ufffd')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML, between elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '')
}
