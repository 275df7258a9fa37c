/**
 * Copies a part of a text, since a slice would keep the whole text in memory. For Latin-1 only, one character
 * for each byte, as Node gives headers.
 */
export function ownText(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}
