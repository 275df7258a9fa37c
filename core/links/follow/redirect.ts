/** A redirect to an address that is safe to follow, made ready before anybody asks for it. */
export interface Redirect {
  /** Raw headers, as `writeHead` takes them fastest. */
  readonly headers: string[]
  /** Status line and headers as they go over the wire, but for those that no two answers share. */
  readonly head: string
}

/** A 302, as RFC 9110, section 15.4.3, has it; `more` are raw headers too. */
export function redirectTo(url: string, more: readonly string[] = []): Redirect {
  const headers = [...redirectHeaders(url), ...more]
  return { headers, head: `HTTP/1.1 302 Found\r\n${linesOf(headers)}` }
}

export function redirectHeaders(url: string): string[] {
  return ['Location', url, ...otherHeaders]
}

/** All that a redirect says but where it leads. */
export const otherHeaders: readonly string[] = [
  ...['Cache-Control', 'private, no-store'],
  ...['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ...['X-Robots-Tag', 'noindex'],
  ...['Content-Length', '0'],
]

/** Raw headers as they go over the wire. */
export function linesOf(headers: readonly string[]): string {
  return headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
}
