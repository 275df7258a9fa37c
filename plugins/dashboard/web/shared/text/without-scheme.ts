/** An address as people read it, without its scheme, which says nothing. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')
}
