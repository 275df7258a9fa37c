/** As long before the end of a year, so that a copy that is read at once is never for longer than that (RFC 9116). */
const validMs = 364 * 86_400_000

/** What `security.txt` says: to whom people write who found a hole. It never gets old, because it is written anew. */
export function securityText(contact: string, now: Date): string {
  const midnight = new Date(now.toISOString().slice(0, 10)).getTime()
  return `Contact: ${contact}\nExpires: ${new Date(midnight + validMs).toISOString()}\n`
}

/** A contact as `security.txt` has them: an e-mail address, or a page that nobody on the way can change. Else undefined. */
export function contactOf(text: string): string | undefined {
  const url = /\s/.test(text) ? null : URL.parse(text)
  if (url?.protocol === 'mailto:') return /^[^@]+@[^@]+$/.test(url.pathname) ? url.href : undefined
  return url?.protocol === 'https:' && url.username + url.password === '' ? url.href : undefined
}
