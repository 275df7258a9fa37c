/** A host with dots, perhaps a port, then the rest of an address; no scheme, no user, and no other words. */
const host = /^([^\s./?#:@]+\.)+[^\s./?#:@]+(:\d+)?([/?#]|$)/

/** Adds `https://` to a text that begins with a host, such as `example.com/x`; leaves any other text unchanged. */
export function withScheme(text: string): string {
  const trimmed = text.trim()
  return host.test(trimmed) ? `https://${trimmed}` : text
}
