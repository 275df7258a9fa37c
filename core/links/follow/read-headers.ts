/** What the headers of a request say of a visit. */
export interface VisitHeaders {
  userAgent: string
  referer: string
  language: string
  /** All lines of `X-Forwarded-For`, in their order. */
  forwardedFor: string
  /** The visitor asked not to be tracked: `Sec-GPC: 1` or `DNT: 1`. */
  totalsOnly: boolean
  /** The page is fetched ahead and may never be looked at: https://wicg.github.io/nav-speculation/prefetch.html */
  isPrefetch: boolean
}

/**
 * Reads raw headers: name, value, name, value. Putting all fifteen headers of a browser into an object first
 * takes longer than the rest of a redirect. If a name occurs twice, the first counts, except for
 * `X-Forwarded-For`, where each proxy may have added its own.
 */
export function readHeaders(raw: readonly string[]): VisitHeaders {
  const headers = {
    userAgent: '',
    referer: '',
    language: '',
    forwardedFor: '',
    totalsOnly: false,
    isPrefetch: false,
  }
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? ''
    if (mayBeRead(name)) note(headers, name.toLowerCase(), raw[index + 1] ?? '')
  }
  return headers
}

/** Whether a name is as long as one that we read: the length alone rules out most names. */
function mayBeRead({ length }: string): boolean {
  return (
    length === 10 || length === 7 || length === 15 || length === 3 || length === 11 || length === 5
  )
}

function note(headers: VisitHeaders, name: string, value: string): void {
  switch (name) {
    case 'user-agent':
      headers.userAgent ||= value
      break
    case 'referer':
      headers.referer ||= value
      break
    case 'accept-language':
      headers.language ||= value
      break
    case 'x-forwarded-for':
      headers.forwardedFor = headers.forwardedFor ? `${headers.forwardedFor},${value}` : value
      break
    case 'sec-gpc':
    case 'dnt':
      headers.totalsOnly ||= value === '1'
      break
    case 'sec-purpose':
    case 'purpose':
    case 'x-moz':
      headers.isPrefetch ||= value.includes('prefetch')
      break
  }
}
