/** The beginning of a text that is too long to be shown or logged, with the number of characters that are left out. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return `${text.slice(0, maxChars).toWellFormed()}… (${text.length - maxChars} more characters)`
}
