/** Where a short link is: its host, and what stands behind that. */
export interface ShortUrl {
  readonly host: string
  /** Without slashes around it. Empty: the bare address of the host. */
  readonly code: string
}

/** What is longer is no short URL, and no code that any host has. */
const maxLength = 2_048

/** Reads a short URL. Without its scheme, it is one if its host has a dot or a port. Undefined if it is none. */
export function readShortUrl(text: string): ShortUrl | undefined {
  if (text.length > maxLength) return undefined
  const [, scheme, host = '', path = ''] =
    /^(https?:\/\/)?([^/?#\s@]*)\/?([^?#]*)/i.exec(text.trim()) ?? []
  const isHost = scheme ? host !== '' : /.\..|.:\d+$/.test(host)
  return isHost ? { host: host.toLowerCase(), code: readCode(path) } : undefined
}

/** A code without slashes around it, and with its letters as people read them. */
export function readCode(text: string): string {
  if (text.length > maxLength) return text
  const path = text.trim().replace(/^\/+|\/+$/g, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
