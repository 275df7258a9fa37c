/**
 * Control characters, invisible spaces and marks that turn the text after them around, as `showHidden` of the server has
 * them. Line breaks and tabs stay, as does U+061C: the Arabic per cent sign of `Intl` ends in it.
 */
const hidden = /(?![\t\n\r])[\p{Cc}\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu

/**
 * More marks above and below a letter than any script has, which would be drawn over the lines beside it. Tibetan, of which the
 * letters below another are marks, and Hebrew with vowels and accents have five and more.
 */
const piled = /([\p{Mn}\p{Me}]{10})[\p{Mn}\p{Me}]+/gu

/**
 * Replaces characters that nobody sees, and marks that would hide what is beside them, by U+FFFD, which shows that there
 * was something.
 *
 * @example
 * showHidden('gpj\u202eexe') // gpj�exe
 */
export function showHidden(text: string): string {
  return text.replace(hidden, '\ufffd').replace(piled, '$1\ufffd')
}
