/** The stack of an error, without the `?linnet=` that tells versions of a plugin apart; undefined if there is none. */
export function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack?.replace(/\?linnet=\w+/g, '') : undefined
}
