/**
 * A part of a text as a text of its own, where a slice would keep the whole in memory. For Latin-1, a
 * character a byte, as Node gives headers.
 */
export function ownText(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}
