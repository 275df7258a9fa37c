/** As people read an address: what every one begins with says nothing. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
}
