/** Names with dots, perhaps a port, and then the rest of an address: no scheme, no user and no words. */
const host = /^([^\s./?#:@]+\.)+[^\s./?#:@]+(:\d+)?([/?#]|$)/

/** What begins with a host, as `example.com/x`, as a whole address; anything else as it is. */
export function withScheme(text: string): string {
  const trimmed = text.trim()
  return host.test(trimmed) ? `https://${trimmed}` : text
}
