/** Where an error came from, without the marks by which versions of a plugin are told apart; undefined: nothing says. */
export function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack?.replace(/\?linnet=\w+/g, '') : undefined
}
