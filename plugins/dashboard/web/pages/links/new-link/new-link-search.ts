/** The search parameters of the form: its initial values, or the result. */
export interface NewLinkSearch {
  readonly url?: string | undefined
  readonly title?: string | undefined
  /** The link whose values to start with. */
  readonly like?: string | undefined
  /** The link that was just created. */
  readonly made?: string | undefined
}

const anAddress = /https?:\/\/\S+/i

/** Parses the address. A bookmarklet sends `?url=`; phones often share an address as `text`. */
export function newLinkSearch(raw: Record<string, unknown>): NewLinkSearch {
  const { url, text, title, like, made } = raw
  return {
    url: textIn(url) ?? anAddress.exec(textIn(text) ?? '')?.[0],
    title: textIn(title)?.slice(0, maxTitle),
    like: textIn(like),
    made: textIn(made),
    ...(text !== undefined && { text: undefined }),
  }
}

const maxTitle = 300

/** The router parses what looks like a number as one. */
function textIn(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && value !== '' ? String(value) : undefined
}
