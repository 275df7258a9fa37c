/** Copies a typed array into a larger one, since typed arrays cannot grow. */
export function copied<Numbers extends { set(from: Numbers): void }>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from)
  return to
}

/**
 * Copies a part of a text, since a slice would keep the whole text in memory. For Latin-1 only, one character
 * for each byte, as Node gives headers.
 */
export function ownText(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}
