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
